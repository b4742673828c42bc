import { ContributionReceiptView, ReceiptBody } from '@coinfront/api/treasury.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import type { Authenticate } from '../contributors/authenticate-contributor.ts';
import { displayOf } from '../contributors/serialise-contributor.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import type { TreasuryContext } from '../treasury-context.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import { findCursor, findEntry } from './ledger-store.ts';
import { serialiseEntry } from './serialise-entry.ts';

/** `POST /receipt`. */
export function registerReceiptRoute(
  app: FastifyInstance,
  { precious, profile, treasury }: TreasuryContext,
  authenticate: Authenticate,
): void {
  registerCall(app, {
    method: 'POST',
    path: '/receipt',
    body: ReceiptBody,
    response: ContributionReceiptView,
    cache: 'none',
    cost: treasuryLimits.secretCost,
    operation: {
      document: 'treasury',
      id: 'getContributionReceipt',
      tag: 'Contributions',
      summary: "Receipt that proves an entry to be the contributor's",
      description:
        'The entry as the service has signed it, and the salt that shows whose it is. It is checked without the service, and ' +
        'whoever has it can show that a ledger without the entry, or with another owner of it, is not the one that was signed.',
      errors: [
        'contributor_secret_invalid',
        'entry_not_found',
        'service_behind_node',
        'index_unavailable',
        'treasury_not_configured',
      ],
      bodyExample: treasuryExamples.receiptBody,
      example: treasuryExamples.receipt,
    },
    async call({ body }) {
      const contributor = await authenticate(body.contributor_secret);
      const db = precious.query<TreasuryTables>();
      const row = await findEntry(db, body.sequence);
      if (row === undefined || row.contributor_id !== contributor.id)
        throw new AppError('entry_not_found', `Entry ${body.sequence} is not one of this contributor.`);
      if (row.salt === null) {
        throw new AppError('service_behind_node', `Entry ${body.sequence} is not sealed yet. Try again.`, {
          'retry-after': '5',
        });
      }
      return {
        network: profile.genesisHash,
        entry: serialiseEntry(row, {
          tipHeight: (await findCursor(db))?.height ?? 0,
          confirmations: treasury.confirmations,
          decimals: profile.decimals,
          display: displayOf(contributor),
        }),
        opening: { contributor_id: contributor.id, intent_id: row.intent_id, salt: row.salt },
      };
    },
  });
}
