import { VerifyBody, VerifyView } from '@coinfront/api/treasury.ts';
import type { FastifyInstance } from 'fastify';
import { measureBlockInterval } from '../../../chain/block-interval.ts';
import { registerCall } from '../../../http/call-route.ts';
import type { Authenticate } from '../contributors/authenticate-contributor.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import { verifyContribution } from './verify-contribution.ts';

const MAX_RETRY_SECONDS = 600;

/** `POST /verify`. */
export function registerVerifyRoute(
  app: FastifyInstance,
  context: TreasuryContext,
  authenticate: Authenticate,
): void {
  registerCall(app, {
    method: 'POST',
    path: '/verify',
    body: VerifyBody,
    response: VerifyView,
    cache: 'none',
    cost: treasuryLimits.verifyCost,
    operation: {
      document: 'treasury',
      id: 'verifyContribution',
      tag: 'Contributions',
      summary: 'Verify that a transaction is the contribution of an intent',
      description:
        '200 when it is, with enough confirmations; 202 with `Retry-After` while it waits for them; otherwise the problem ' +
        'says which thing is wrong. Asking changes nothing: contributions are attributed without it, by carrier or exact ' +
        'amount, and a fee bump keeps both.',
      errors: [
        'intent_not_found',
        'contributor_secret_invalid',
        'contribution_unseen',
        'contribution_replaced',
        'contribution_wrong_address',
        'contribution_wrong_amount',
        'contribution_wrong_tag',
        'contribution_is_change',
        'contribution_too_early',
        'contribution_too_late',
        'outpoint_used',
        'service_behind_node',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.verifyBody,
      example: treasuryExamples.verification,
      sameBodyStatuses: [202],
    },
    async call({ body, reply }) {
      const secret = body.contributor_secret;
      const contributor = secret === undefined ? undefined : await authenticate(secret);
      const { body: answer, blocksLeft } = await verifyContribution(context, body, contributor?.id);
      if (answer.state === 'pending') {
        const { blockIntervalSeconds: aim } = context.profile;
        const interval = await context.readChain(async (view) =>
          view.tip === undefined ? aim : await measureBlockInterval(view, view.tip, aim),
        );
        const seconds = Math.max(1, Math.round(blocksLeft * interval));
        reply.code(202).header('retry-after', String(Math.min(seconds, MAX_RETRY_SECONDS)));
      }
      return answer;
    },
  });
}
