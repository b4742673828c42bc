import { NewIntentBody, NewIntentView } from '@coinfront/api/treasury.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import type { Authenticate } from '../contributors/authenticate-contributor.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import { createIntent } from './create-intent.ts';

/** `POST /intents`. */
export function registerIntentRoute(
  app: FastifyInstance,
  context: TreasuryContext,
  authenticate: Authenticate,
): void {
  registerCall(app, {
    method: 'POST',
    path: '/intents',
    body: NewIntentBody,
    response: NewIntentView,
    cache: 'none',
    cost: treasuryLimits.secretCost,
    operation: {
      document: 'treasury',
      id: 'createIntent',
      tag: 'Contributions',
      summary: 'Create a uniquely tagged contribution request',
      description:
        'Two ways to pay so that the contribution is recognised by itself: exactly `exact_amount` to `address`, ' +
        'from any wallet; or any amount together with the output `carrier`, which is the strong form. Nobody is ' +
        'credited for naming a transaction. With an `address` of the caller a PSBT that does both comes along, to be ' +
        'signed at home. What comes until `closes_at` is still credited, as late; `exact_amount` is nobody ' +
        "else's before. All that is meant for an intent is credited, in one transaction or in several.",
      errors: [
        'contributor_secret_invalid',
        'amount_invalid',
        'address_invalid',
        'intents_exhausted',
        'exact_amounts_exhausted',
        'service_behind_node',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.newIntentBody,
      example: treasuryExamples.newIntent,
      status: 201,
    },
    async call({ body, request }) {
      const contributor = await authenticate(body.contributor_secret);
      return await createIntent(context, contributor, body, request.ip);
    },
  });
}
