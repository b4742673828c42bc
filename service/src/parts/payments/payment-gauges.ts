import { sql } from 'kysely';
import type { ReadChain } from '../../chain/chain-reads.ts';
import type { Precious } from '../../db/precious.ts';
import type { GaugeSource } from '../../http/metrics-server.ts';
import type { PaymentTables } from './schema/payment-tables.ts';

/** Those that settled or closed only grow in number: counting them at each scrape would cost ever more. */
const watchedStatuses = ['open', 'underpaid', 'detected', 'confirming', 'reorged'] as const;

/** What `/metrics` tells of payments; values that cannot be read are absent. Each scrape counts a few indexed rows. */
export function listPaymentGauges(
  precious: Precious,
  readChain: ReadChain,
  now: () => number,
): GaugeSource[] {
  const query = async <T>(read: (db: ReturnType<typeof precious.query<PaymentTables>>) => Promise<T>) => {
    try {
      return await read(precious.query<PaymentTables>());
    } catch {
      return undefined;
    }
  };
  const countDeliveries = (state: 'pending' | 'dead') =>
    query(async (db) => {
      const { count } = await db
        .selectFrom('delivery')
        .select(({ fn }) => fn.countAll<string | number>().as('count'))
        .where(sql<boolean>`state = ${sql.lit(state)}`)
        .executeTakeFirstOrThrow();
      return Number(count);
    });
  const readJudgedHeight = () =>
    query(async (db) => {
      const cursor = db.selectFrom('follow_cursor').select('height').where('part', '=', 'payments');
      return (await cursor.executeTakeFirst())?.height;
    });
  return [
    ...watchedStatuses.map(
      (status): GaugeSource => ({
        name: `coinfront_payments_${status}`,
        help: `Payments that are ${status}.`,
        read: () =>
          query(async (db) => {
            const { count } = await db
              .selectFrom('payment')
              .select(({ fn }) => fn.countAll<string | number>().as('count'))
              // The condition of the index, and the one of them that is asked for.
              .where(sql<boolean>`status in ('open', 'underpaid', 'detected', 'confirming', 'reorged')`)
              .where(sql<boolean>`status = ${sql.lit(status)}`)
              .executeTakeFirstOrThrow();
            return Number(count);
          }),
      }),
    ),
    {
      name: 'coinfront_payments_judged_height',
      help: 'Height of the block that payments were judged at last.',
      read: readJudgedHeight,
    },
    {
      name: 'coinfront_payments_lag_blocks',
      help: 'Blocks of the index that payments have not been judged by.',
      read: async () => {
        const judged = await readJudgedHeight();
        const tip = await readChain(async (view) => view.tip?.height).catch(() => undefined);
        return judged === undefined || tip === undefined ? undefined : Math.max(0, tip - judged);
      },
    },
    {
      name: 'coinfront_deliveries_pending',
      help: 'Webhook deliveries that wait to be sent.',
      read: () => countDeliveries('pending'),
    },
    {
      name: 'coinfront_deliveries_overdue_seconds',
      help: 'How long the webhook delivery that is due the longest has been due; 0 while none is.',
      read: () =>
        query(async (db) => {
          const { first } = await db
            .selectFrom('delivery')
            .select(({ fn }) => fn.min<string | number | null>('next_at').as('first'))
            .where(sql<boolean>`state = 'pending'`)
            .executeTakeFirstOrThrow();
          return first === null ? 0 : Math.max(0, now() - Number(first)) / 1_000;
        }),
    },
    {
      name: 'coinfront_deliveries_dead',
      help: 'Webhook deliveries that were given up.',
      read: () => countDeliveries('dead'),
    },
  ];
}
