/** What of the chain is recorded for payments: their outputs, and the blocks that were looked through. */

import { type Expression, type SqlBool, sql } from 'kysely';
import { isClosed } from '../judging/payment-rules.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import type { PaymentOutputTable, PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import type { FoundOutput } from './find-arrivals.ts';

type Engine = PaymentContext['precious']['engine'];

/** `column in (values)` as one parameter, so that a query has one text however many there are. */
export function isIn(engine: Engine, column: string, values: readonly string[]): Expression<SqlBool> {
  return engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(${values})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** Those outputs whose script belongs to a payment. */
export async function selectOurs(
  db: PaymentQuery,
  engine: Engine,
  outputs: readonly FoundOutput[],
): Promise<FoundOutput[]> {
  if (outputs.length === 0) return [];
  const hashes = [...new Set(outputs.map(({ scriptHash }) => scriptHash))];
  const rows = await db
    .selectFrom('payment')
    .select('script_hash')
    .where(isIn(engine, 'script_hash', hashes))
    .where('superseded', '=', 0)
    .execute();
  if (rows.length === 0) return [];
  const ours = new Set(rows.map((row) => row.script_hash));
  return outputs.filter(({ scriptHash }) => ours.has(scriptHash));
}

/**
 * Records outputs where they are now, and marks whose sums may change as due. Recording twice changes nothing.
 *
 * An output that is known stays with its payment. A new one goes to the newest payment of its script, unless it was
 * mined before that was made; it is late when that has expired or is cancelled.
 *
 * @param outputs of scripts that belong to payments
 */
export async function recordOutputs(
  trx: PaymentQuery,
  engine: Engine,
  outputs: readonly FoundOutput[],
  nowMs: number,
): Promise<void> {
  if (outputs.length === 0) return;
  const payments = await listOwners(trx, engine, outputs);
  const txids = [...new Set(outputs.map(({ txid }) => txid))];
  const rows = await trx
    .selectFrom('payment_output')
    .selectAll()
    .where(isIn(engine, 'txid', txids))
    .execute();
  const known = new Map(rows.map((row) => [`${row.txid}:${row.vout}`, row]));
  await holdPayments(
    trx,
    engine,
    rows.map((row) => row.payment_id),
  );
  const touched = new Set<string>();
  const fresh: PaymentOutputTable[] = [];
  for (const output of outputs) {
    const row = known.get(`${output.txid}:${output.vout}`);
    if (row) {
      if (await moveOutput(trx, row, output, nowMs)) touched.add(row.payment_id);
      continue;
    }
    const payment = payments.get(output.scriptHash);
    const { height } = output.place;
    if (!payment || (height !== null && height <= payment.created_height)) continue;
    fresh.push(createRow(output, payment, nowMs));
    touched.add(payment.id);
  }
  if (fresh.length > 0) {
    // The creation of another payment may have written one of them meanwhile: then it is that one's.
    await trx
      .insertInto('payment_output')
      .values(fresh)
      .onConflict((conflict) => conflict.columns(['txid', 'vout']).doNothing())
      .execute();
  }
  await markDue(trx, engine, [...touched], nowMs);
}

type Owner = Pick<PaymentTable, 'id' | 'status' | 'accepted_at' | 'created_height'>;

/**
 * Locks payments before their outputs are changed. Their merchants lock in the same order, payment and then outputs, so
 * neither waits for the other for ever.
 */
async function holdPayments(trx: PaymentQuery, engine: Engine, ids: readonly string[]): Promise<void> {
  if (engine !== 'postgres' || ids.length === 0) return;
  await trx
    .selectFrom('payment')
    .select('id')
    .where(isIn(engine, 'id', [...new Set(ids)]))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The newest payment of each script, held until the transaction ends so that its status cannot change meanwhile. */
async function listOwners(
  trx: PaymentQuery,
  engine: Engine,
  outputs: readonly FoundOutput[],
): Promise<Map<string, Owner>> {
  const hashes = [...new Set(outputs.map(({ scriptHash }) => scriptHash))];
  const query = trx
    .selectFrom('payment')
    .select(['id', 'script_hash', 'status', 'accepted_at', 'created_height'])
    .where(isIn(engine, 'script_hash', hashes))
    .where('superseded', '=', 0)
    .orderBy('id');
  const rows = await (engine === 'postgres' ? query.forUpdate() : query).execute();
  return new Map(rows.map((row) => [row.script_hash, row]));
}

function createRow(output: FoundOutput, payment: Owner, nowMs: number): PaymentOutputTable {
  return {
    txid: output.txid,
    vout: output.vout,
    payment_id: payment.id,
    value: String(output.value),
    coinbase: output.isCoinbase ? 1 : 0,
    ...placeColumns(output),
    first_seen_at: seenAt(output, nowMs),
    gone: 0,
    excluded: 0,
    late: isClosed(payment) ? 1 : 0,
  };
}

function placeColumns({
  place,
}: FoundOutput): Pick<PaymentOutputTable, 'height' | 'block_hash' | 'block_time'> {
  return place.height === null
    ? { height: null, block_hash: null, block_time: null }
    : { height: place.height, block_hash: place.blockHash, block_time: place.blockTimeMs };
}

/** A miner's clock may be ahead: what is known now was seen now at the latest. */
function seenAt({ place }: FoundOutput, nowMs: number): number {
  return Math.min(place.height === null ? place.firstSeenMs : place.blockTimeMs, nowMs);
}

/** @returns whether anything changed */
async function moveOutput(
  trx: PaymentQuery,
  row: PaymentOutputTable,
  output: FoundOutput,
  nowMs: number,
): Promise<boolean> {
  const change = {
    ...placeColumns(output),
    gone: 0,
    first_seen_at: Math.min(row.first_seen_at, seenAt(output, nowMs)),
  };
  const isSame = Object.entries(change).every(([name, value]) => row[name as keyof typeof row] === value);
  if (isSame) return false;
  await trx
    .updateTable('payment_output')
    .set(change)
    .where('txid', '=', row.txid)
    .where('vout', '=', row.vout)
    .execute();
  return true;
}

/** Notes that neither chain nor mempool has these transactions any more. */
export async function recordGone(
  trx: PaymentQuery,
  engine: Engine,
  txids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (txids.length === 0) return;
  const there = trx
    .selectFrom('payment_output')
    .select('payment_id')
    .where(isIn(engine, 'txid', txids))
    .where('gone', '=', 0);
  const owners = await there.execute();
  await holdPayments(
    trx,
    engine,
    owners.map((row) => row.payment_id),
  );
  const rows = await trx
    .updateTable('payment_output')
    .set({ gone: 1, height: null, block_hash: null, block_time: null })
    .where(isIn(engine, 'txid', txids))
    .where('gone', '=', 0)
    .returning('payment_id')
    .execute();
  await markDue(trx, engine, [...new Set(rows.map((row) => row.payment_id))], nowMs);
}

/** All recorded outputs of payments, in no order. */
export async function listAllOutputs(
  trx: PaymentQuery,
  engine: Engine,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentOutputTable[]>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await trx
    .selectFrom('payment_output')
    .selectAll()
    .where(isIn(engine, 'payment_id', paymentIds))
    .execute();
  return Map.groupBy(rows, (row) => row.payment_id);
}

/** Txids of outputs that are in no block, as far as is recorded, and not known to be gone. */
export async function listUnconfirmedTxids(db: PaymentQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_output')
    .select('txid')
    .distinct()
    .where(sql<SqlBool>`height is null and gone = 0`)
    .execute();
  return rows.map(({ txid }) => txid);
}

/**
 * Takes back what is recorded of blocks above the fork: their outputs are somewhere else now, or nowhere.
 *
 * @returns the txids that have to be looked up again
 */
export async function rewindOutputs(
  trx: PaymentQuery,
  engine: Engine,
  forkHeight: number,
  nowMs: number,
): Promise<string[]> {
  const owners = await trx
    .selectFrom('payment_output')
    .select('payment_id')
    .where(sql<SqlBool>`height is not null`)
    .where('height', '>', forkHeight)
    .execute();
  await holdPayments(
    trx,
    engine,
    owners.map((row) => row.payment_id),
  );
  const rows = await trx
    .updateTable('payment_output')
    .set({ height: null, block_hash: null, block_time: null })
    .where(sql<SqlBool>`height is not null`)
    .where('height', '>', forkHeight)
    .returning(['txid', 'payment_id'])
    .execute();
  await markDue(trx, engine, [...new Set(rows.map((row) => row.payment_id))], nowMs);
  // What the new blocks hold came after these payments, though not above the tip of then. Settled and closed ones
  // too: what had paid them may come back as another transaction.
  await trx
    .updateTable('payment')
    .set({ created_height: forkHeight })
    .where('created_height', '>', forkHeight)
    .execute();
  await trx.deleteFrom('followed_block').where('height', '>', forkHeight).execute();
  return [...new Set(rows.map((row) => row.txid))];
}

/** Payments that are new, or changed by their merchant: their scripts have to be looked through. */
export async function listNewPayments(
  db: PaymentQuery,
  afterId: string,
  limit: number,
): Promise<Pick<PaymentTable, 'id' | 'script_hash' | 'created_height'>[]> {
  return await db
    .selectFrom('payment')
    .select(['id', 'script_hash', 'created_height'])
    .where(sql<SqlBool>`is_due = 1`)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Notes that the scripts of these payments were looked through. An open one for which nothing was found stays what it
 * is: it is not due.
 *
 * @param found those for which something was found
 */
export async function recordScanned(
  trx: PaymentQuery,
  engine: Engine,
  ids: readonly string[],
  found: ReadonlySet<string>,
): Promise<void> {
  const quiet = ids.filter((id) => !found.has(id));
  const isNew = sql<SqlBool>`is_due = 1`;
  if (quiet.length > 0) {
    await trx
      .updateTable('payment')
      .set({ is_due: sql<number>`case status when 'open' then 0 else 2 end` })
      .where(isIn(engine, 'id', quiet))
      .where(isNew)
      .execute();
  }
  if (found.size > 0) {
    await trx
      .updateTable('payment')
      .set({ is_due: 2 })
      .where(isIn(engine, 'id', [...found]))
      .where(isNew)
      .execute();
  }
}

/** Says that outputs of these payments changed: they are judged anew, and their answers differ from now on. */
async function markDue(
  trx: PaymentQuery,
  engine: Engine,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('payment')
    .set({
      is_due: sql<number>`case is_due when 0 then 2 else is_due end`,
      updated_at: sql<number>`case when updated_at < ${nowMs} then ${nowMs} else updated_at + 1 end`,
    })
    .where(isIn(engine, 'id', ids))
    .execute();
}

/** Queries of the whole precious database as this part sees it. */
export function queryPayments({ precious }: Pick<PaymentContext, 'precious'>): PaymentQuery {
  return precious.query<PaymentTables>();
}
