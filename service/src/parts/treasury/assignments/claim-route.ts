import { ClaimBody, ClaimedView } from '@coinfront/api/treasury.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import type { Authenticate } from '../contributors/authenticate-contributor.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import { claimGift } from './claim-gift.ts';

/** `POST /claim`. */
export function registerClaimRoute(
  app: FastifyInstance,
  context: TreasuryContext,
  authenticate: Authenticate,
): void {
  registerCall(app, {
    method: 'POST',
    path: '/claim',
    body: ClaimBody,
    response: ClaimedView,
    cache: 'none',
    cost: treasuryLimits.claimCost,
    operation: {
      document: 'treasury',
      id: 'claimGift',
      tag: 'Contributions',
      summary: 'Claim a gift that no intent had',
      description:
        'Credits an unattributed output to the contributor, when an address that an input of its transaction spends from has signed ' +
        'the text of the claim, which names the service by the key in `head` of `/status`. The ledger says so by two entries: one takes the unattributed one back, one credits it, marked ' +
        '`assigned_by: claim`. The first claim of an output holds.',
      errors: [
        'contributor_secret_invalid',
        'gift_not_found',
        'outpoint_used',
        'claim_invalid',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.claimBody,
      example: treasuryExamples.claimed,
    },
    async call({ body }) {
      return await claimGift(context, await authenticate(body.contributor_secret), body);
    },
  });
}
