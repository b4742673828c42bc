/** Forgets what was delivered long ago, and on demand what never was: nothing else here grows without an end and is of no use any more. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Precious } from '../../../db/precious.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { DeliveryState } from '../schema/webhook-tables.ts';
import { eventFeedMs, findFeed, hasUnnumbered, holdFeed, numberEvents } from './number-events.ts';

/** Rows of one transaction: other writers wait so long. */
const BITE = 500;

/**
 * Removes deliveries that were delivered before a time and their tries, then events of which no delivery is left, once they are
 * older than the feed goes back. What is pending stays with its event, and so do payments.
 *
 * @param withUndelivered whether what is dead or disabled goes as well, once it is older than the feed goes back; else it stays
 * @returns how many deliveries were removed
 */
export async function purgeDeliveries(
  precious: Precious,
  beforeMs: number,
  nowMs: number,
  { withUndelivered = false } = {},
): Promise<number> {
  const merchants = await precious.query<PaymentTables>().selectFrom('merchant').select('id').execute();
  const eventsBeforeMs = Math.min(beforeMs, nowMs - eventFeedMs);
  let purged = 0;
  for (const { id } of merchants) {
    const purgeState = async (state: DeliveryState, endedBeforeMs: number): Promise<void> => {
      for (let bite = BITE; bite === BITE; purged += bite)
        bite = await purgeBite(precious, id, state, endedBeforeMs);
    };
    await purgeState('delivered', beforeMs);
    if (withUndelivered) {
      await purgeState('dead', eventsBeforeMs);
      await purgeState('disabled', eventsBeforeMs);
    }
    await numberOld(precious, id, eventsBeforeMs, nowMs);
    for (const place of ['numbered', 'unnumbered'] as const) {
      for (let bite = BITE; bite === BITE; ) bite = await purgeEvents(precious, id, place, eventsBeforeMs);
    }
  }
  return purged;
}

async function purgeBite(
  precious: Precious,
  merchantId: string,
  state: DeliveryState,
  beforeMs: number,
): Promise<number> {
  return await precious.transaction<PaymentTables, number>(async (trx) => {
    const query = trx
      .selectFrom('delivery')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('state', '=', state)
      // The index goes by this one; what was sent again lately is told by the other.
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
    return rows.length;
  });
}

/** A reader who has read all numbers so far has to be told that there was more: only a number says so. */
async function numberOld(
  precious: Precious,
  merchantId: string,
  beforeMs: number,
  nowMs: number,
): Promise<void> {
  const query = precious.query<PaymentTables>();
  for (;;) {
    const feed = await findFeed(query, merchantId);
    if (feed === undefined || !(await hasUnnumbered(query, feed, beforeMs))) return;
    await numberEvents(precious, merchantId, nowMs);
    await nextTurn();
  }
}

/** @returns how many events were removed */
async function purgeEvents(
  precious: Precious,
  merchantId: string,
  place: 'numbered' | 'unnumbered',
  beforeMs: number,
): Promise<number> {
  return await precious.transaction<PaymentTables, number>(async (trx) => {
    const feed = await holdFeed(trx, merchantId);
    // What its feed will number is purged once it has a number.
    const endMs = place === 'unnumbered' ? Math.min(beforeMs, feed?.begins_at ?? beforeMs) : beforeMs;
    const rows = await selectOld(trx, merchantId, place, endMs).limit(BITE).execute();
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await trx.deleteFrom('event').where('id', 'in', ids).execute();
    const highest = Math.max(feed?.purged ?? 0, ...rows.map(({ position }) => position ?? 0));
    await trx
      .updateTable('event_feed')
      .set({ purged: highest })
      .where('merchant_id', '=', merchantId)
      .execute();
    return rows.length;
  });
}

/** Old events without a delivery, in the order of an index of theirs. */
function selectOld(
  trx: PaymentQuery,
  merchantId: string,
  place: 'numbered' | 'unnumbered',
  beforeMs: number,
) {
  const old = trx
    .selectFrom('event')
    .select(['id', 'position'])
    .where('merchant_id', '=', merchantId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('delivery').select('delivery.id').whereRef('delivery.event_id', '=', 'event.id')),
      ),
    );
  return place === 'numbered'
    ? old
        .where('position', 'is not', null)
        .where('position_at', '<', beforeMs)
        .orderBy('position_at')
        .orderBy('position')
    : old
        .where('position', 'is', null)
        .where('created_at', '<', beforeMs)
        .orderBy('created_at')
        .orderBy('sequence')
        .orderBy('id');
}
