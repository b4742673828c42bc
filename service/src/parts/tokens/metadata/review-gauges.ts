import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { GaugeSource } from '../../../http/metrics-server.ts';
import type { MetadataTables } from './metadata-tables.ts';

/** How many descriptions of tokens wait for the operator. */
export function listReviewGauges(precious: Precious): GaugeSource[] {
  return [
    {
      name: 'coinfront_token_reviews_waiting',
      help: 'Descriptions of tokens that wait for the operator to review them.',
      async read() {
        try {
          const { count } = await precious
            .query<MetadataTables>()
            .selectFrom('metadata_submission')
            .select(({ fn }) => fn.countAll<string | number>().as('count'))
            // The condition of the index.
            .where(sql<boolean>`state = 'pending'`)
            .executeTakeFirstOrThrow();
          return Number(count);
        } catch {
          return undefined;
        }
      },
    },
  ];
}
