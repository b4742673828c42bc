/** Judges the payments that something may have changed for, and tells what became of them. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type BlockRef, writeJudgedTip } from '../chain/followed-blocks.ts';
import { isIn } from '../chain/is-in.ts';
import { listAllOutputs } from '../chain/output-store.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import type { PaymentTable, PaymentTables } from '../schema/payment-tables.ts';
import { insertEvents, type NewEvent } from '../webhooks/record-event.ts';
import { describeAfter, describeEvents, markLate } from './apply-judgement.ts';
import type { JudgeTurn } from './judge-turn.ts';
import { isClosed, isUnfinished, type Judgement, judgePayment } from './payment-rules.ts';
import { summedAt } from './payment-sums.ts';
import { writeJudged } from './write-judged.ts';

/** The whole state of the index that payments are judged at. */
export type WholeState = {
  tip: BlockRef;
  /** Unix milliseconds: see `ChainView.getSynced`. */
  syncedAtMs: number;
};

export type JudgeOptions = {
  turn: Pick<JudgeTurn, 'checkJudging' | 'share'>;
  /** Ends it between two transactions. */
  signal: AbortSignal;
  /** See `JudgedMoment.waitMs`. */
  waitMs: number;
  /** Takes the address of a payment that is over out of the pool for good. */
  retireAddress: (trx: PaymentQuery, paymentId: string) => Promise<void>;
};

type JudgeContext = Pick<PaymentContext, 'precious' | 'profile' | 'publicUrl' | 'now' | 'onEvent'>;

/** Payments of one transaction: other writers wait so long. */
const CHUNK = 250;

/**
 * Judges every payment that is due, that became deep enough, or whose time is up, in chunks of one transaction each.
 * Killed between two of them it goes on where it was: what is judged is no longer due. Where there is more than one chunk
 * other processes are let take some; what they are at is passed over.
 *
 * @throws TurnLostError
 */
export async function judgeDuePayments(
  context: JudgeContext,
  state: WholeState,
  options: JudgeOptions,
): Promise<void> {
  let isShared = false;
  for (const reason of listReasons(state)) {
    let before = new Set<string>();
    // Most rounds have nothing to judge, and cost no transaction.
    while (!options.signal.aborted && (await hasAny(context, reason))) {
      const { ids, events } = await judgeChunk(context, state, options, reason);
      if (events > 0) context.onEvent();
      // Requests are answered by the same thread.
      await nextTurn();
      // What was judged has no reason any more. If it had, it would go round for ever.
      if (ids.length < CHUNK || ids.some((id) => before.has(id))) break;
      before = new Set(ids);
      if (!isShared) await options.turn.share?.(state);
      isShared = true;
    }
  }
}

/**
 * Notes the tip that everything is judged at now.
 *
 * @returns false when something is not: who was at it has not finished it
 */
export async function finishRound(
  { precious }: JudgeContext,
  state: WholeState,
  turn: Pick<JudgeTurn, 'check'>,
): Promise<boolean> {
  return await precious.transaction<PaymentTables, boolean>(async (trx) => {
    await turn.check(trx);
    for (const reason of listReasons(state)) if (await hasAnyIn(trx, reason)) return false;
    await writeJudgedTip(trx, state.tip);
    return true;
  });
}

/** Each is the condition of a partial index, word for word. */
function listReasons({ tip, syncedAtMs }: WholeState): Expression<SqlBool>[] {
  return [
    sql<SqlBool>`is_due = 2`,
    sql<SqlBool>`check_height is not null and check_height <= ${tip.height}`,
    sql<SqlBool>`check_at is not null and check_at < ${syncedAtMs}`,
  ];
}

const hasAny = ({ precious }: JudgeContext, reason: Expression<SqlBool>): Promise<boolean> =>
  hasAnyIn(precious.query<PaymentTables>(), reason);

async function hasAnyIn(query: PaymentQuery, reason: Expression<SqlBool>): Promise<boolean> {
  return (await query.selectFrom('payment').select('id').where(reason).limit(1).execute()).length > 0;
}

/** @returns what was judged, and how many events were written */
async function judgeChunk(
  context: JudgeContext,
  state: WholeState,
  { turn, waitMs, retireAddress }: JudgeOptions,
  reason: Expression<SqlBool>,
): Promise<{ ids: string[]; events: number }> {
  const { engine } = context.precious;
  return await context.precious.transaction<PaymentTables, { ids: string[]; events: number }>(async (trx) => {
    await turn.checkJudging(trx);
    // In the order of the reason's index, which an order of their own would keep from being used.
    const query = trx.selectFrom('payment').selectAll().where(reason).limit(CHUNK);
    // What the merchant does at the same time comes before or after, whole: what is locked is judged in the next round.
    const payments = await (engine === 'postgres' ? query.forUpdate().skipLocked() : query).execute();
    const outputs = await listAllOutputs(
      trx,
      engine,
      payments.map(({ id }) => id),
    );
    const urls = await readMerchantUrls(trx, engine, payments);
    const changed: PaymentTable[] = [];
    const unchanged: string[] = [];
    const events: NewEvent[] = [];
    for (const payment of payments) {
      const own = outputs.get(payment.id) ?? [];
      const moment = {
        ...summedAt(context.profile, state.tip.height),
        syncedAtMs: state.syncedAtMs,
        waitMs,
      };
      let judgement = judgePayment(payment, own, moment);
      if (!(await mayReopen(trx, payment, judgement)))
        judgement = judgePayment(payment, own, { ...moment, mayReopen: false });
      const applied = describeAfter(payment, judgement, context.now());
      const { after, isChanged } = applied;
      // A change by the merchant that came after the script was looked through waits for the next round.
      if (isChanged) changed.push({ ...after, is_due: payment.is_due === 2 ? 0 : payment.is_due });
      else unchanged.push(payment.id);
      const shown = { outputs: await markLate(trx, own, judgement), tip: state.tip };
      const url = urls.get(payment.merchant_id) ?? null;
      events.push(...describeEvents(context, payment, applied, shown, url, context.now()));
      if (payment.recipient === null && (after.final === 1 || isClosed(after)))
        await retireAddress(trx, payment.id);
    }
    await writeJudged(trx, engine, changed);
    await clearDue(trx, engine, unchanged);
    await insertEvents(trx, events);
    return { ids: payments.map(({ id }) => id), events: events.length };
  });
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

/**
 * A payment that had ended cannot take its script back from one that has been made since. One that is settled at once does not need
 * it.
 */
async function mayReopen(trx: PaymentQuery, payment: PaymentTable, judgement: Judgement): Promise<boolean> {
  if (isUnfinished(payment.status) || !isUnfinished(judgement.status)) return true;
  const other = await trx
    .selectFrom('payment')
    .select('id')
    .where('merchant_id', '=', payment.merchant_id)
    .where('script_hash', '=', payment.script_hash)
    .where(sql<SqlBool>`status in ('open', 'underpaid', 'detected', 'confirming')`)
    .executeTakeFirst();
  return other === undefined;
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
