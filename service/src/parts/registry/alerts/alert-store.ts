/** Receivers of alerts, and alerts on their way to them. */

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type {
  RegistryAlertReceiverTable,
  RegistryAlertTable,
  RegistryQuery,
} from '../schema/registry-tables.ts';
import { KEPT_MS, MAX_WAITING } from './alert-bounds.ts';

/** As it stands in the index: SQLite takes a partial index for a condition of the same words only. */
export const isPending = sql<boolean>`state = 'pending'`;
/** Rows that are forgotten at once. */
const BITE = 500;

/** The receivers of these nodes, or of all, that are told anything. */
export async function listReceivers(
  db: RegistryQuery,
  nodeKeys?: readonly string[],
): Promise<RegistryAlertReceiverTable[]> {
  if (nodeKeys?.length === 0) return [];
  let query = db.selectFrom('registry_alert_receiver').selectAll().where('url', 'is not', null);
  if (nodeKeys !== undefined) query = query.where('node_key', 'in', nodeKeys);
  return await query.execute();
}

/**
 * Sets where alerts of a node go; what waits for the receiver of before is not sent.
 *
 * @returns false, and changes nothing, when a request of the same time or a later one was taken already
 */
export async function saveReceiver(trx: RegistryQuery, row: RegistryAlertReceiverTable): Promise<boolean> {
  const { node_key, alerts: _, ...change } = row;
  const saved = await trx
    .insertInto('registry_alert_receiver')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('node_key')
        .doUpdateSet(change)
        .where('registry_alert_receiver.issued_at', '<', row.issued_at),
    )
    .returning('node_key')
    .executeTakeFirst();
  if (saved === undefined) return false;
  await endWaiting(trx, node_key, row.changed_at);
  return true;
}

/** Remembers what a receiver was told last. */
export async function updateReceiver(
  trx: RegistryQuery,
  nodeKey: string,
  change: Partial<Pick<RegistryAlertReceiverTable, 'is_failing' | 'was_eligible'>>,
): Promise<void> {
  await trx.updateTable('registry_alert_receiver').set(change).where('node_key', '=', nodeKey).execute();
}

/** Nothing more is sent to a receiver that said so (410), as far as it is still this one. */
export async function disableReceiver(
  trx: RegistryQuery,
  { node_key, url }: Pick<RegistryAlertTable, 'node_key' | 'url'>,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('registry_alert_receiver')
    .set({ url: null, secret: null, changed_at: nowMs })
    .where('node_key', '=', node_key)
    .where('url', '=', url)
    .execute();
  await endWaiting(trx, node_key, nowMs);
}

async function endWaiting(trx: RegistryQuery, nodeKey: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('registry_alert')
    .set({ state: 'disabled', ended_at: nowMs })
    .where('node_key', '=', nodeKey)
    .where(isPending)
    .execute();
}

/** Adds an alert, in the transaction of what it tells. */
export async function addAlert(
  trx: RegistryQuery,
  receiver: RegistryAlertReceiverTable,
  { type, data }: { type: string; data: Readonly<Record<string, unknown>> },
  nowMs: number,
): Promise<void> {
  const { node_key, url, secret } = receiver;
  if (url === null || secret === null) return;
  const id = `evt_${randomBytes(16).toString('base64url')}`;
  const { alerts } = await trx
    .updateTable('registry_alert_receiver')
    .set((eb) => ({ alerts: eb('alerts', '+', 1) }))
    .where('node_key', '=', node_key)
    .returning('alerts')
    .executeTakeFirstOrThrow();
  const created_at = new Date(nowMs).toISOString();
  await trx
    .insertInto('registry_alert')
    .values({
      ...{ id, node_key, type, url, origin: new URL(url).origin, secret, state: 'pending', attempts: 0 },
      body: JSON.stringify({ id, type, created_at, sequence: Number(alerts), data: { node_key, ...data } }),
      ...{ next_at: nowMs, last_status: null, last_error: null, created_at: nowMs, ended_at: null },
    })
    .execute();
  await trx
    .updateTable('registry_alert')
    .set({ state: 'dead', ended_at: nowMs, last_error: 'Too many alerts of this node waited.' })
    .where(isPending)
    .where(
      'id',
      'in',
      trx
        .selectFrom('registry_alert')
        .select('id')
        .where('node_key', '=', node_key)
        .where(isPending)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(BITE)
        .offset(MAX_WAITING),
    )
    .execute();
}

/** Takes an alert until a time; false when another process was faster. */
export async function claimAlert(
  db: RegistryQuery,
  { id, attempts }: RegistryAlertTable,
  untilMs: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable('registry_alert')
    .set({ attempts: attempts + 1, next_at: untilMs })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where(isPending)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Writes how a try went. One that somebody repeated meanwhile decides nothing, unless it succeeded. */
export async function endTry(
  trx: RegistryQuery,
  { id, attempts }: RegistryAlertTable,
  change: Partial<Pick<RegistryAlertTable, 'state' | 'next_at' | 'ended_at' | 'last_status' | 'last_error'>>,
): Promise<boolean> {
  let update = trx.updateTable('registry_alert').set(change).where('id', '=', id).where(isPending);
  if (change.state !== 'delivered') update = update.where('attempts', '=', attempts + 1);
  return (await update.returning('id').executeTakeFirst()) !== undefined;
}

/** Forgets some alerts that ended long ago. */
export async function forgetAlerts(db: RegistryQuery, nowMs: number): Promise<void> {
  await db
    .deleteFrom('registry_alert')
    .where(
      'id',
      'in',
      db
        .selectFrom('registry_alert')
        .select('id')
        .where('ended_at', '<', nowMs - KEPT_MS)
        .orderBy('ended_at')
        .limit(BITE),
    )
    .execute();
}
