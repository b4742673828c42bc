/** Follows the transactions of refunds: a small part of the round of the job that follows the chain for payments. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadChain } from '../../../chain/chain-reads.ts';
import type { WholeState } from '../judging/judge-payments.ts';
import type { JudgeTurn } from '../judging/judge-turn.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { lookAtTx } from './look-at-tx.ts';
import { type RefundNews, recordRefundNews } from './record-refund-event.ts';
import { isNews, isWatched, judgeRefund, type SeenTx } from './refund-rules.ts';
import {
  findRefund,
  listTaken,
  listWatched,
  lockPayments,
  type WatchedRefund,
  writeRefund,
} from './refund-store.ts';

/** Refunds of one read, and of one transaction. */
const AT_ONCE = 50;
/** A mempool changes all the time; refunds are few, and looked at with each new block, and else so often. */
const LOOK_EVERY_MS = 1_000;

type Context = PaymentContext & { readChain: ReadChain };
type Look = WatchedRefund & { tx: SeenTx | undefined };

/** Looks at what refunds wait for, when it is time to; writes only under the turn. */
export type FollowRefunds = (state: WholeState, turn: JudgeTurn) => Promise<void>;

/** Makes the step for one turn of the job. */
export function createRefundFollower(context: Context): FollowRefunds {
  let lookedTip: string | undefined;
  let lookedAtMs = 0;
  return async (state, turn) => {
    const nowMs = context.now();
    const isEarly = nowMs >= lookedAtMs && nowMs - lookedAtMs < LOOK_EVERY_MS;
    if (state.tip.hash === lookedTip && isEarly) return;
    for (let afterId = ''; ; ) {
      const refunds = await listWatched(paymentQuery(context.precious), afterId, AT_ONCE);
      if (refunds.length === 0) break;
      const looks = await look(context, state, refunds);
      // The index has moved on: the next round sees it whole.
      if (looks === undefined) return;
      await record(context, state, turn, looks);
      afterId = refunds.at(-1)!.refund.id;
      await nextTurn();
      if (refunds.length < AT_ONCE) break;
    }
    lookedTip = state.tip.hash;
    lookedAtMs = nowMs;
  };
}

/** Only a whole state of the index says that something is not there. */
async function look(
  { readChain }: Context,
  { tip }: WholeState,
  refunds: readonly WatchedRefund[],
): Promise<Look[] | undefined> {
  return await readChain(async (view) => {
    if (view.tip?.height !== tip.height || (await view.getSynced()) === undefined) return undefined;
    const looks: Look[] = [];
    for (const watched of refunds) looks.push({ ...watched, tx: await lookAtTx(view, watched.refund.txid!) });
    return looks;
  });
}

async function record(
  context: Context,
  { tip }: WholeState,
  turn: JudgeTurn,
  looks: readonly Look[],
): Promise<void> {
  // Most looks find what is known: they cost no transaction.
  const mayChange = looks.filter(({ refund, required, tx }) => {
    const moment = { tipHeight: tip.height, nowMs: context.now(), required, taken: new Set<number>() };
    return !isSame(refund, judgeRefund(refund, tx, moment));
  });
  if (mayChange.length === 0) return;
  let told = 0;
  await context.precious.transaction<PaymentTables, void>(async (trx) => {
    await turn.check(trx);
    const ids = mayChange.map(({ refund }) => refund.payment_id);
    const payments = await lockPayments(trx, context.precious.engine, [...new Set(ids)]);
    const nowMs = context.now();
    for (const payment of payments.values()) {
      const news: RefundNews[] = [];
      let isChanged = false;
      for (const { refund, required, tx } of mayChange.filter(
        ({ refund }) => refund.payment_id === payment.id,
      )) {
        const before = await findRefund(trx, payment.id, refund.id);
        // Its merchant has named another one, or cancelled it.
        if (before === undefined || before.txid !== refund.txid || !isWatched(before)) continue;
        const after = judgeRefund(before, tx, {
          ...{ tipHeight: tip.height, nowMs, required },
          taken: await findTaken(trx, context, before),
        });
        if (isSame(before, after)) continue;
        await writeRefund(trx, after);
        isChanged = true;
        if (isNews(before, after)) news.push({ type: nameNews(after), refundId: refund.id });
      }
      if (isChanged) await recordRefundNews(trx, context, payment, news, nowMs);
      told += news.length;
    }
  });
  if (told > 0) context.onEvent();
}

async function findTaken(
  trx: PaymentQuery,
  { precious }: Context,
  refund: RefundTable,
): Promise<Set<number>> {
  if (refund.vout !== null) return new Set();
  return await listTaken(trx, precious.engine, refund, refund.txid!);
}

function nameNews({ state }: RefundTable): RefundNews['type'] {
  return state === 'open' ? 'refund.created' : `refund.${state}`;
}

function isSame(a: RefundTable, b: RefundTable): boolean {
  return (Object.keys(a) as (keyof RefundTable)[]).every((name) => a[name] === b[name]);
}
