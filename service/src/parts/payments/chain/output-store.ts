/** What of the chain is recorded for payments: their outputs, and the blocks that were looked through. */

import { type SqlBool, sql } from 'kysely';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import type { EarlierSpendTable, PaymentOutputTable, PaymentTables } from '../schema/payment-tables.ts';
import {
  type Belonging,
  findBelongings,
  keepEarlierSpends,
  listScriptsWithOldMoney,
} from './earlier-spends.ts';
import type { FoundOutput } from './find-arrivals.ts';
import { isIn } from './is-in.ts';
import { holdPayments, listOwners } from './output-owners.ts';
import { createRow, describeMove, listSpendsOf, writeMoved } from './output-rows.ts';
import type { UnconfirmedTraits } from './unconfirmed-traits.ts';

type Engine = PaymentContext['precious']['engine'];

/** The engines bound the parameters of a statement, and any number of merchants may ask for money to one script. */
const ROWS_PER_INSERT = 1_000;

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
 * Those of the keys, in hex, that name the script of a payment: the index names one by 16 bytes of its hash, two digits each. They are compared as a
 * whole: a range of texts would miss some under collations that sort pairs of letters apart, as Danish does with `aa`. With all keys in one
 * `any` PostgreSQL reads the whole table.
 */
export async function selectPaidKeys(
  db: PaymentQuery,
  engine: Engine,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const listed =
    engine === 'postgres'
      ? sql`unnest(${keys}::text[]) as listed (value)`
      : sql`json_each(${JSON.stringify(keys)}) as listed`;
  const { rows } = await sql<{ value: string }>`select listed.value from ${listed} where exists (
    select 1 from payment where substr(script_hash, 1, 32) = listed.value and superseded = 0)`.execute(db);
  return new Set(rows.map(({ value }) => value));
}

/**
 * Records outputs where they are now, and marks whose sums may change as due. Recording twice changes nothing.
 *
 * Each merchant has an account of its own. There an output that is known stays with its payment. A new one goes to the
 * newest payment of its script, unless it was mined before that was made, or takes the place of old money; it is late
 * when that payment has expired or is cancelled.
 *
 * @param outputs of scripts that belong to payments
 * @param traits of those that are in the mempool, by txid
 */
export async function recordOutputs(
  trx: PaymentQuery,
  engine: Engine,
  outputs: readonly FoundOutput[],
  traits: ReadonlyMap<string, UnconfirmedTraits>,
  nowMs: number,
): Promise<void> {
  if (outputs.length === 0) return;
  const scriptHashes = [...new Set(outputs.map(({ scriptHash }) => scriptHash))];
  const belongings = await readBelongings(trx, engine, outputs, scriptHashes);
  const named = [...belongings.values()].flatMap((each) => [...each.values()].map((one) => one.payment_id));
  const { newest, byId } = await listOwners(trx, engine, scriptHashes, [...new Set(named)]);
  const txids = [...new Set(outputs.map(({ txid }) => txid))];
  const rows = await trx
    .selectFrom('payment_output')
    .selectAll()
    .where(isIn(engine, 'txid', txids))
    .execute();
  const known = Map.groupBy(rows, (row) => `${row.txid}:${row.vout}`);
  await holdPayments(
    trx,
    engine,
    rows.map((row) => row.payment_id),
  );
  const touched = new Set<string>();
  const moved = new Map<string, PaymentOutputTable>();
  const fresh: PaymentOutputTable[] = [];
  const replacing: EarlierSpendTable[] = [];
  for (const output of outputs) {
    const before = known.get(`${output.txid}:${output.vout}`) ?? [];
    const seen = traits.get(output.txid);
    for (const row of before) {
      const change = describeMove(row, output, seen, nowMs);
      if (change === undefined) continue;
      moved.set(`${row.txid}:${row.vout} ${row.merchant_id}`, change);
      touched.add(row.payment_id);
    }
    for (const owner of newest.get(output.scriptHash) ?? []) {
      if (before.some((row) => row.merchant_id === owner.merchant_id)) continue;
      const belonging = belongings.get(nameSpender(output))?.get(owner.merchant_id);
      const payment = (belonging && byId.get(belonging.payment_id)) ?? owner;
      const { height } = output.place;
      if (height !== null && height <= payment.created_height) continue;
      const excluded = belonging?.excluded ?? 0;
      fresh.push(createRow(output, payment, { excluded, seen, nowMs }));
      touched.add(payment.id);
      if (belonging !== undefined) replacing.push(...listSpendsOf(output, payment, excluded));
    }
  }
  await writeMoved(trx, engine, [...moved.values()]);
  for (let start = 0; start < fresh.length; start += ROWS_PER_INSERT) {
    // The creation of another payment may have written one of them meanwhile: then it is that one's.
    await trx
      .insertInto('payment_output')
      .values(fresh.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.columns(['txid', 'vout', 'merchant_id']).doNothing())
      .execute();
  }
  await keepEarlierSpends(trx, replacing);
  await markDue(trx, engine, [...touched], nowMs);
}

/** Where those of the outputs belong that take the place of old money, by script and transaction, for each merchant. */
async function readBelongings(
  trx: PaymentQuery,
  engine: Engine,
  outputs: readonly FoundOutput[],
  scriptHashes: readonly string[],
): Promise<Map<string, Map<string, Belonging>>> {
  const belongings = new Map<string, Map<string, Belonging>>();
  const old = await listScriptsWithOldMoney(trx, engine, scriptHashes);
  for (const output of outputs) {
    const name = nameSpender(output);
    if (!old.has(output.scriptHash) || belongings.has(name)) continue;
    belongings.set(name, await findBelongings(trx, engine, output.scriptHash, output.spends()));
  }
  return belongings;
}

function nameSpender({ scriptHash, txid }: FoundOutput): string {
  return `${scriptHash} ${txid}`;
}

/** Txids in the mempool that payments without confirmations would be settled by: what they are worth can change with a block. */
export async function listTrustedTxids(db: PaymentQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('payment_output as o')
    .innerJoin('payment as p', 'p.id', 'o.payment_id')
    .select('o.txid')
    .distinct()
    .where(sql<SqlBool>`o.height is null and o.gone = 0`)
    .where('p.confirmations_required', '=', 0)
    .execute();
  return rows.map(({ txid }) => txid);
}

/** Records what transactions of the mempool are worth now. */
export async function recordTraits(
  trx: PaymentQuery,
  engine: Engine,
  traits: ReadonlyMap<string, UnconfirmedTraits>,
  nowMs: number,
): Promise<void> {
  const owners = await trx
    .selectFrom('payment_output')
    .select('payment_id')
    .where(isIn(engine, 'txid', [...traits.keys()]))
    .execute();
  await holdPayments(
    trx,
    engine,
    owners.map((row) => row.payment_id),
  );
  const touched = new Set<string>();
  for (const [txid, { replaceable, feeRate }] of traits) {
    const rows = await trx
      .updateTable('payment_output')
      .set({ replaceable: replaceable ? 1 : 0, fee_rate: feeRate })
      .where('txid', '=', txid)
      .where(sql<SqlBool>`height is null and gone = 0`)
      .where(sql<SqlBool>`(replaceable is null or replaceable <> ${replaceable ? 1 : 0})`)
      .returning('payment_id')
      .execute();
    for (const { payment_id } of rows) touched.add(payment_id);
  }
  await markDue(trx, engine, [...touched], nowMs);
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

/** Txids of outputs, of all payments or of some, that are in no block, as far as is recorded, and not known to be gone. */
export async function listUnconfirmedTxids(
  db: PaymentQuery,
  engine: Engine,
  paymentIds?: readonly string[],
): Promise<string[]> {
  const unconfirmed = db
    .selectFrom('payment_output')
    .select('txid')
    .distinct()
    .where(sql<SqlBool>`height is null and gone = 0`);
  const ofThese = paymentIds && unconfirmed.where(isIn(engine, 'payment_id', paymentIds));
  const rows = await (ofThese ?? unconfirmed).execute();
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
  const above = await trx
    .selectFrom('payment')
    .select('id')
    .where('created_height', '>', forkHeight)
    .execute();
  await holdPayments(trx, engine, [...owners.map((row) => row.payment_id), ...above.map(({ id }) => id)]);
  const rows = await trx
    .updateTable('payment_output')
    .set({ height: null, block_hash: null, block_time: null, replaceable: null })
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
