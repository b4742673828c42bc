/** Forgets what was delivered long ago: nothing else here grows without an end and is of no use any more. */

import type { Precious } from '../../../db/precious.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';

/** Deliveries of one transaction: other writers wait so long. */
const BITE = 500;

/**
 * Removes deliveries that were delivered before a time, their tries, and events of which no delivery is left. What is
 * pending, dead or disabled stays, and so do payments.
 *
 * @returns how many deliveries were removed
 */
export async function purgeDelivered(precious: Precious, beforeMs: number): Promise<number> {
  const merchants = await precious.query<PaymentTables>().selectFrom('merchant').select('id').execute();
  let purged = 0;
  for (const { id } of merchants) {
    for (let bite = BITE; bite === BITE; purged += bite) bite = await purgeBite(precious, id, beforeMs);
  }
  return purged;
}

async function purgeBite(precious: Precious, merchantId: string, beforeMs: number): Promise<number> {
  return await precious.transaction<PaymentTables, number>(async (trx) => {
    const query = trx
      .selectFrom('delivery')
      .select(['id', 'event_id'])
      .where('merchant_id', '=', merchantId)
      .where('state', '=', 'delivered')
      // The index goes by this one; what was delivered again lately is told by the other.
      .where('created_at', '<', beforeMs)
      .where('ended_at', '<', beforeMs)
      .orderBy('created_at')
      .orderBy('id')
      .limit(BITE);
    const rows = await (precious.engine === 'postgres' ? query.forUpdate() : query).execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await trx.deleteFrom('delivery_attempt').where('delivery_id', 'in', ids).execute();
    await trx.deleteFrom('delivery').where('id', 'in', ids).execute();
    await trx
      .deleteFrom('event')
      .where(
        'id',
        'in',
        rows.map(({ event_id }) => event_id),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('delivery').select('delivery.id').whereRef('delivery.event_id', '=', 'event.id')),
        ),
      )
      .execute();
    return rows.length;
  });
}
