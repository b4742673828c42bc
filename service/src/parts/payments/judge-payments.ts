/** Judges the payments that something may have changed for, and tells what became of them. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { JudgeTurn } from './judge-turn.ts';
import { type BlockRef, isIn, writeJudgedTip } from './output-store.ts';
import type { PaymentContext, PaymentQuery } from './payment-context.ts';
import { isClosed, isUnfinished, type Judgement, judgePayment } from './payment-rules.ts';
import type { PaymentOutputTable, PaymentTable, PaymentTables } from './payment-tables.ts';
import { recordPaymentEvent } from './record-event.ts';

/** The whole state of the index that payments are judged at. */
export type WholeState = {
  tip: BlockRef;
  /** Unix milliseconds: see `ChainView.getSynced`. */
  syncedAtMs: number;
};

export type JudgeOptions = {
  turn: JudgeTurn;
  /** Ends it between two transactions. */
  signal: AbortSignal;
  /** Takes the address of a payment that is over out of the pool for good. */
  retireAddress: (trx: PaymentQuery, paymentId: string) => Promise<void>;
};

type JudgeContext = Pick<PaymentContext, 'precious' | 'profile' | 'publicUrl' | 'now' | 'onEvent'>;

/** Payments of one transaction: other writers wait so long. */
const CHUNK = 100;

/**
 * Judges every payment that is due, that became deep enough, or whose time is up, in chunks of one transaction each.
 * Killed between two of them it goes on where it was: what is judged is no longer due.
 *
 * @throws TurnLostError
 */
export async function judgeDuePayments(
  context: JudgeContext,
  state: WholeState,
  options: JudgeOptions,
): Promise<void> {
  for (const which of listReasons(state)) {
    for (let afterId: string | undefined = ''; afterId !== undefined && !options.signal.aborted; ) {
      const { events, lastId } = await judgeChunk(context, state, options, which, afterId);
      if (events > 0) context.onEvent();
      afterId = lastId;
      // Requests are answered by the same thread.
      await nextTurn();
    }
  }
}

/** Notes the tip that everything is judged at now. */
export async function finishRound(
  { precious }: JudgeContext,
  { tip }: WholeState,
  { turn }: JudgeOptions,
): Promise<void> {
  await precious.transaction<PaymentTables, void>(async (trx) => {
    await turn.check(trx);
    await writeJudgedTip(trx, tip);
  });
}

/** Each is the condition of a partial index, word for word. */
function listReasons({ tip, syncedAtMs }: WholeState): Expression<SqlBool>[] {
  return [
    sql<SqlBool>`is_due = 2`,
    sql<SqlBool>`check_height is not null and check_height <= ${tip.height}`,
    sql<SqlBool>`status in ('open', 'underpaid', 'detected', 'confirming') and held = 0 and accepted_at is null
      and expires_at < ${syncedAtMs}`,
  ];
}

async function judgeChunk(
  context: JudgeContext,
  state: WholeState,
  options: JudgeOptions,
  which: Expression<SqlBool>,
  afterId: string,
): Promise<{ events: number; lastId: string | undefined }> {
  const { engine } = context.precious;
  return await context.precious.transaction<PaymentTables, { events: number; lastId: string | undefined }>(
    async (trx) => {
      await options.turn.check(trx);
      const query = trx
        .selectFrom('payment')
        .selectAll()
        .where(which)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(CHUNK);
      // What the merchant does at the same time comes before or after, whole.
      const payments = await (engine === 'postgres' ? query.forUpdate() : query).execute();
      const outputs = await readOutputs(trx, engine, payments);
      const urls = await readMerchantUrls(trx, engine, payments);
      let events = 0;
      const unchanged: string[] = [];
      for (const payment of payments) {
        const own = outputs.get(payment.id) ?? [];
        const judgement = judgePayment(payment, own, {
          tipHeight: state.tip.height,
          syncedAtMs: state.syncedAtMs,
          coinbaseMaturity: context.profile.coinbaseMaturity,
        });
        if (!(await mayReopen(trx, payment, judgement))) {
          await trx.updateTable('payment').set({ accepted_at: null }).where('id', '=', payment.id).execute();
          continue;
        }
        const { after, isChanged } = describeAfter(payment, judgement, context.now());
        if (isChanged) events += await apply(trx, context, state, { payment, after, judgement, own, urls });
        else unchanged.push(payment.id);
        if (payment.recipient === null && (after.final === 1 || isClosed(after)))
          await options.retireAddress(trx, payment.id);
      }
      await clearDue(trx, engine, unchanged);
      return { events, lastId: payments.length < CHUNK ? undefined : payments.at(-1)!.id };
    },
  );
}

async function readOutputs(
  trx: PaymentQuery,
  engine: PaymentContext['precious']['engine'],
  payments: readonly PaymentTable[],
): Promise<Map<string, PaymentOutputTable[]>> {
  if (payments.length === 0) return new Map();
  const ids = payments.map(({ id }) => id);
  const rows = await trx
    .selectFrom('payment_output')
    .selectAll()
    .where(isIn(engine, 'payment_id', ids))
    .execute();
  return Map.groupBy(rows, (row) => row.payment_id);
}

async function readMerchantUrls(
  trx: PaymentQuery,
  engine: PaymentContext['precious']['engine'],
  payments: readonly PaymentTable[],
): Promise<Map<string, string | null>> {
  if (payments.length === 0) return new Map();
  const ids = [...new Set(payments.map(({ merchant_id }) => merchant_id))];
  const rows = await trx
    .selectFrom('merchant')
    .select(['id', 'webhook_url'])
    .where(isIn(engine, 'id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.webhook_url]));
}

/** An accepted payment cannot take its script back from one that has been made since. */
async function mayReopen(trx: PaymentQuery, payment: PaymentTable, judgement: Judgement): Promise<boolean> {
  if (isUnfinished(payment.status) || !isUnfinished(judgement.status)) return true;
  const other = await trx
    .selectFrom('payment')
    .select('id')
    .where('script_hash', '=', payment.script_hash)
    .where(sql<SqlBool>`status in ('open', 'underpaid', 'detected', 'confirming')`)
    .executeTakeFirst();
  return other === undefined;
}

/** The row after the judgement. */
function describeAfter(
  payment: PaymentTable,
  judgement: Judgement,
  nowMs: number,
): { after: PaymentTable; isChanged: boolean } {
  const judged = {
    status: judgement.status,
    reason: judgement.reason,
    seen: String(judgement.seen),
    mined: String(judgement.mined),
    deep: String(judgement.deep),
    late: String(judgement.late),
    held: judgement.held ? 1 : 0,
    settled: judgement.settled ? 1 : 0,
    final: judgement.final ? 1 : 0,
    check_height: judgement.checkHeight,
  };
  const isChanged =
    judgement.becomeLate.length > 0 ||
    Object.entries(judged).some(([name, value]) => payment[name as keyof PaymentTable] !== value);
  // A change by the merchant that came after the script was looked through waits for the next round.
  const is_due = payment.is_due === 2 ? 0 : payment.is_due;
  return {
    after: { ...payment, ...judged, is_due, updated_at: Math.max(nowMs, payment.updated_at) },
    isChanged,
  };
}

type Change = {
  payment: PaymentTable;
  after: PaymentTable;
  judgement: Judgement;
  own: readonly PaymentOutputTable[];
  urls: ReadonlyMap<string, string | null>;
};

/** @returns how many events it wrote */
async function apply(
  trx: PaymentQuery,
  context: JudgeContext,
  { tip }: WholeState,
  { payment, after, judgement, own, urls }: Change,
): Promise<number> {
  const types = [
    ...(after.status === payment.status ? [] : [`payment.${after.status}` as const]),
    ...(BigInt(after.late) > BigInt(payment.late) ? ['payment.late' as const] : []),
  ];
  const row = { ...after, sequence: payment.sequence + types.length };
  const { id, ...columns } = row;
  await trx.updateTable('payment').set(columns).where('id', '=', id).execute();
  const late = new Set<object>(judgement.becomeLate);
  const outputs = own.map((output) => (late.has(output) ? { ...output, late: 1 } : output));
  for (const { txid, vout } of outputs.filter((output, i) => output !== own[i])) {
    await trx
      .updateTable('payment_output')
      .set({ late: 1 })
      .where('txid', '=', txid)
      .where('vout', '=', vout)
      .execute();
  }
  for (const [i, type] of types.entries()) {
    const state = { payment: { ...row, sequence: payment.sequence + i + 1 }, outputs, tip };
    const url = urls.get(row.merchant_id) ?? null;
    await recordPaymentEvent(trx, context, type, state, url, context.now());
  }
  return types.length;
}

async function clearDue(
  trx: PaymentQuery,
  engine: PaymentContext['precious']['engine'],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('payment')
    .set({ is_due: 0 })
    .where(isIn(engine, 'id', ids))
    .where(sql<SqlBool>`is_due = 2`)
    .execute();
}
