/** Rows of payments, as the routes read and write them. */

import { createHash } from 'node:crypto';
import { shownTransactions } from '@coinfront/api/payments.ts';
import { CompiledQuery, type Expression, type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { sql as statement, writeForSqlite } from '../../../db/statement.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { PaymentOutputTable, PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import type { MerchantPaymentState, PaymentState } from './serialise-payment.ts';

/** Part of `follow_cursor` that says up to which block payments were judged. */
export const followPart = 'payments';

const outputColumns = [
  'txid',
  'vout',
  'merchant_id',
  'payment_id',
  'value',
  'coinbase',
  'height',
  'block_hash',
  'block_time',
  'first_seen_at',
  'gone',
  'excluded',
  'late',
  'replaceable',
  'fee_rate',
] as const satisfies readonly (keyof PaymentOutputTable)[];

type Row = Record<string, unknown> & PaymentTable & { tip_height: number | null; tip_hash: string | null };

/**
 * One statement, hence one snapshot, for a payment, its newest outputs and the tip; it is what every checkout page asks
 * for again and again, so it is written once and not built.
 */
const FIND_STATE = statement<Row>(`
  select p.*, c.height as tip_height, c.hash as tip_hash,
    ${outputColumns.map((name) => `o.${name} as output_${name}`).join(', ')}
  from payment p
  left join follow_cursor c on c.part = '${followPart}'
  left join (
    select * from payment_output where payment_id = $1 and excluded = 0
    order by first_seen_at desc, txid, vout limit ${shownTransactions}
  ) o on true
  where p.id = $1
  order by o.first_seen_at desc, o.txid, o.vout`);
const FIND_STATE_SQLITE = writeForSqlite(FIND_STATE.text);

/** A payment with its newest outputs and the tip it was judged at. */
export async function readPaymentState(
  precious: Pick<Precious, 'read'>,
  id: string,
): Promise<PaymentState | undefined> {
  return toState(await precious.read(FIND_STATE, [id]));
}

/** The same inside a transaction. */
export async function findPaymentState(
  trx: PaymentQuery,
  engine: Precious['engine'],
  id: string,
): Promise<PaymentState | undefined> {
  const query =
    engine === 'postgres'
      ? CompiledQuery.raw(FIND_STATE.text, [id])
      : CompiledQuery.raw(
          FIND_STATE_SQLITE.text,
          FIND_STATE_SQLITE.order.map(() => id),
        );
  return toState((await trx.executeQuery<Row>(query)).rows);
}

/** A payment as its merchant may see it, inside a transaction. */
export async function findMerchantState(
  trx: PaymentQuery,
  engine: Precious['engine'],
  id: string,
): Promise<MerchantPaymentState | undefined> {
  const state = await findPaymentState(trx, engine, id);
  return state && { ...state, excluded: (await listExcludedOutputs(trx, [id])).get(id)! };
}

function toState(rows: readonly Row[]): PaymentState | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const outputs = rows.filter((row) => row.output_txid !== null).map(readOutput);
  const tip = first.tip_height === null ? undefined : { height: first.tip_height, hash: first.tip_hash! };
  return { payment: first, outputs, tip };
}

/** What a payment's answer depends on. */
export type PaymentVersion = Pick<PaymentTable, 'sequence' | 'updated_at'> &
  Pick<Row, 'tip_height' | 'tip_hash'>;

const FIND_VERSION = statement<PaymentVersion>(`
  select p.sequence, p.updated_at, c.height as tip_height, c.hash as tip_hash
  from payment p left join follow_cursor c on c.part = '${followPart}' where p.id = $1`);

/** The part of a payment that changes with every change of its answer. */
export async function readPaymentVersion(
  precious: Pick<Precious, 'read'>,
  id: string,
): Promise<PaymentVersion | undefined> {
  return (await precious.read(FIND_VERSION, [id]))[0];
}

function readOutput(row: Row): PaymentOutputTable {
  return Object.fromEntries(outputColumns.map((name) => [name, row[`output_${name}`]])) as PaymentOutputTable;
}

/** Outputs of several payments, the newest of each first, as many as are shown. */
export async function listShownOutputs(
  query: PaymentQuery,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentOutputTable[]>> {
  return await listNewestOutputs(query, paymentIds, sql<SqlBool>`excluded = 0`);
}

async function listNewestOutputs(
  query: PaymentQuery,
  paymentIds: readonly string[],
  which: Expression<SqlBool>,
): Promise<Map<string, PaymentOutputTable[]>> {
  const byPayment = new Map<string, PaymentOutputTable[]>(paymentIds.map((id) => [id, []]));
  if (paymentIds.length === 0) return byPayment;
  const ranked = query
    .selectFrom('payment_output')
    .selectAll()
    .select(
      sql<number>`row_number() over (partition by payment_id order by first_seen_at desc, txid, vout)`.as(
        'rank',
      ),
    )
    .where('payment_id', 'in', paymentIds)
    .where(which);
  const rows = await query
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('rank', '<=', shownTransactions)
    .execute();
  for (const { rank: _, ...output } of rows) byPayment.get(output.payment_id)!.push(output);
  return byPayment;
}

/** Outputs to the scripts of payments that are not part of them, the newest of each first, as many as are shown. */
export async function listExcludedOutputs(
  query: PaymentQuery,
  paymentIds: readonly string[],
): Promise<Map<string, PaymentOutputTable[]>> {
  return await listNewestOutputs(query, paymentIds, sql<SqlBool>`excluded <> 0`);
}

/** The tip that payments were judged at last. */
export async function findJudgedTip(
  query: PaymentQuery,
): Promise<{ height: number; hash: string } | undefined> {
  return await query
    .selectFrom('follow_cursor')
    .select(['height', 'hash'])
    .where('part', '=', followPart)
    .executeTakeFirst();
}

/**
 * A merchant's payment of this script that new money would belong to: one that is not finished, or was accepted and is
 * not judged again yet.
 */
export async function findUnfinished(
  query: PaymentQuery,
  merchantId: string,
  scriptHash: string,
  exceptId = '',
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from payment
    where merchant_id = ${merchantId} and script_hash = ${scriptHash} and id <> ${exceptId}
      and (status in ('open', 'underpaid', 'detected', 'confirming', 'reorged')
        or (status in ('expired', 'cancelled') and accepted_at is not null))
    limit 1`.execute(query);
  return rows[0]?.id;
}

/** A payment whose script a later one has got. */
export type Superseded = Pick<PaymentTable, 'id' | 'status' | 'accepted_at' | 'created_height'>;

/** Says that a later payment of a merchant has a script; gives the one that had it until now. */
export async function supersedePayment(
  trx: PaymentQuery,
  merchantId: string,
  scriptHash: string,
): Promise<Superseded | undefined> {
  const { rows } = await sql<Superseded>`update payment set superseded = 1
    where merchant_id = ${merchantId} and script_hash = ${scriptHash} and superseded = 0
    returning id, status, accepted_at, created_height`.execute(trx);
  return rows[0];
}

/** Keeps out who else would give this merchant's script a payment that is not finished, until the transaction ends. */
export async function holdScript(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  scriptHash: string,
): Promise<void> {
  await holdName(trx, engine, `${merchantId} ${scriptHash}`);
}

/** Keeps out who else holds this name, until the transaction ends. */
export async function holdName(trx: PaymentQuery, engine: Precious['engine'], name: string): Promise<void> {
  if (engine !== 'postgres') return;
  const id = createHash('sha256').update(name).digest().readBigInt64BE();
  await sql`select pg_advisory_xact_lock(${id})`.execute(trx);
}

/** Stores a payment. Written as it is: composing a query of 45 columns took as long as running it. */
export async function insertPayment(
  trx: PaymentQuery,
  engine: Precious['engine'],
  payment: PaymentTable,
): Promise<void> {
  const names = Object.keys(payment);
  const places = names.map((_, i) => (engine === 'postgres' ? `$${i + 1}` : '?'));
  const text = `insert into payment (${names.join(', ')}) values (${places.join(', ')})`;
  await trx.executeQuery(CompiledQuery.raw(text, Object.values(payment)));
}

/** A merchant's payment, locked against its judge until the transaction ends. */
export async function lockPayment(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  id: string,
): Promise<PaymentTable | undefined> {
  const query = trx
    .selectFrom('payment')
    .selectAll()
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId);
  return await (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

/** Writes a payment that its merchant changed, under the lock of {@link lockPayment}; its script is looked through anew. */
export async function writeChanged(trx: PaymentQuery, { id, ...columns }: PaymentTable): Promise<void> {
  await trx
    .updateTable('payment')
    .set({ ...columns, is_due: 1 })
    .where('id', '=', id)
    .execute();
}

/** The script of a merchant's payment, which never changes. */
export async function findScriptHash(
  query: PaymentQuery,
  merchantId: string,
  id: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('payment')
    .select('script_hash')
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.script_hash;
}

/** Whether an error says that a script has an unfinished payment already: the unique index `payment_unfinished`. */
export function isBusyScript(error: unknown): boolean {
  const { code, constraint, errcode, message } = error as {
    code?: unknown;
    constraint?: unknown;
    errcode?: unknown;
    message?: unknown;
  };
  if (code === '23505') return constraint === 'payment_unfinished';
  // SQLITE_CONSTRAINT_UNIQUE
  return errcode === 2067 && String(message).includes('payment.script_hash');
}

/** Tables of payments outside a transaction. */
export function paymentQuery(precious: Precious): PaymentQuery {
  return precious.query<PaymentTables>();
}

/** Those of these scripts that a payment of the merchant has, or had. */
export async function listPaidScripts(
  trx: PaymentQuery,
  merchantId: string,
  scriptHashes: readonly string[],
): Promise<Set<string>> {
  if (scriptHashes.length === 0) return new Set();
  const rows = await trx
    .selectFrom('payment')
    .select('script_hash')
    .distinct()
    .where('merchant_id', '=', merchantId)
    .where('script_hash', 'in', scriptHashes)
    .execute();
  return new Set(rows.map(({ script_hash }) => script_hash));
}
