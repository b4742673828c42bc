/** Follows the transactions of refunds: a small part of the round of the job that follows the chain for payments. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ReadChain } from '../../../chain/chain-reads.ts';
import type { WholeState } from '../judging/judge-payments.ts';
import type { JudgeTurn } from '../judging/judge-turn.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTables } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { lookAtTx } from './look-at-tx.ts';
import { describeMoment, readMoment } from './read-moment.ts';
import { type RefundNews, recordRefundNews } from './record-refund-event.ts';
import { isNews, isWatched, judgeRefund, namesOf, nameTx, type SeenTx } from './refund-rules.ts';
import { findRefund, listWatched, lockPayments, type WatchedRefund, writeRefund } from './refund-store.ts';

/** Refunds of one read, and of one transaction. */
const AT_ONCE = 50;
/** A mempool changes all the time: what may come into it, or leave it, is looked at so often. */
const LOOK_EVERY_MS = 1_000;
/** So long after it was named. Later, and once it is in a block, it is looked at with each new tip. */
const LOOK_OFTEN_MS = 3_600_000;

type Context = PaymentContext & { readChain: ReadChain };
/** By txid. */
type Seen = ReadonlyMap<string, SeenTx | undefined>;
/** A transaction that is there. */
type Returned = { txid: string; tx: SeenTx };
type Look = WatchedRefund & {
  tx: SeenTx | undefined;
  /** Where `tx` is not there: those named before it that are. */
  returned: readonly Returned[];
};

/** Looks at what refunds wait for, when it is time to; writes only under the turn. */
export type FollowRefunds = (state: WholeState, turn: JudgeTurn) => Promise<void>;

/** Makes the step for one turn of the job. */
export function createRefundFollower(context: Context): FollowRefunds {
  let lookedTip: string | undefined;
  let lookedAtMs = 0;
  return async (state, turn) => {
    const nowMs = context.now();
    const isTipKnown = state.tip.hash === lookedTip;
    if (isTipKnown && nowMs >= lookedAtMs && nowMs - lookedAtMs < LOOK_EVERY_MS) return;
    const scope = { nowMs, namedAfterMs: isTipKnown ? nowMs - LOOK_OFTEN_MS : undefined };
    let seen: Seen = new Map();
    for (let after = { txid: '', id: '' }; ; ) {
      const refunds = await listWatched(paymentQuery(context.precious), scope, after, AT_ONCE);
      const last = refunds.at(-1)?.refund;
      if (last === undefined) break;
      // Only the last transaction of the ones before can be among these.
      const found = await look(
        context,
        state,
        refunds,
        new Map([...seen].filter(([txid]) => txid === after.txid)),
      );
      // The index has moved on: the next round sees it whole.
      if (found === undefined) return;
      seen = found;
      await record(
        context,
        state,
        turn,
        refunds.map((watched) => describeLook(watched, found)),
      );
      after = { txid: last.txid!, id: last.id };
      await nextTurn();
      if (refunds.length < AT_ONCE) break;
    }
    lookedTip = state.tip.hash;
    lookedAtMs = nowMs;
  };
}

/** Looks each transaction up once; undefined when the index has moved on from the state. */
async function look(
  context: Context,
  state: WholeState,
  refunds: readonly WatchedRefund[],
  seen: Map<string, SeenTx | undefined>,
): Promise<Seen | undefined> {
  for (const { refund } of refunds) {
    // Another one that was named matters only while this one is not there.
    for (const txid of [refund.txid!, ...namesOf(refund)]) {
      if (!seen.has(txid)) {
        const found = await lookAt(context, state, txid);
        if (found === undefined) return undefined;
        seen.set(txid, found.tx);
        // Requests are answered by the same thread.
        await nextTurn();
      }
      if (txid === refund.txid && seen.get(txid) !== undefined) break;
    }
  }
  return seen;
}

/** Looks one transaction up, in a snapshot of its own. Only a whole state of the index says that something is not there. */
async function lookAt(
  { readChain }: Context,
  { tip }: WholeState,
  txid: string,
): Promise<{ tx: SeenTx | undefined } | undefined> {
  return await readChain(async (view) => {
    const isAtState = view.tip !== undefined && toDisplayHash(view.tip.hash) === tip.hash;
    if (!isAtState || (await view.getSynced()) === undefined) return undefined;
    return { tx: await lookAtTx(view, txid) };
  });
}

function describeLook(watched: WatchedRefund, seen: Seen): Look {
  const tx = seen.get(watched.refund.txid!);
  const returned: Returned[] = [];
  for (const txid of tx === undefined ? namesOf(watched.refund) : []) {
    const other = seen.get(txid);
    if (other !== undefined) returned.push({ txid, tx: other });
  }
  return { ...watched, tx, returned };
}

async function record(
  context: Context,
  { tip }: WholeState,
  turn: JudgeTurn,
  looks: readonly Look[],
): Promise<void> {
  // Most looks find what is known: they cost no transaction.
  const mayChange = looks.filter(({ refund, terms, tx, returned }) => {
    const at = { tipHeight: tip.height, nowMs: context.now() };
    const after = judgeRefund(refund, tx, describeMoment(context, refund, terms, at));
    return returned.length > 0 || !isSame(refund, after);
  });
  if (mayChange.length === 0) return;
  let told = 0;
  await context.precious.transaction<PaymentTables, void>(async (trx) => {
    await turn.check(trx);
    const ids = mayChange.map(({ refund }) => refund.payment_id);
    const payments = await lockPayments(trx, context.precious.engine, [...new Set(ids)]);
    const at = { tipHeight: tip.height, nowMs: context.now() };
    for (const payment of payments.values()) {
      const news: RefundNews[] = [];
      let isChanged = false;
      for (const found of mayChange.filter(({ refund }) => refund.payment_id === payment.id)) {
        const before = await findRefund(trx, payment.id, found.refund.id);
        // Its merchant has named another one, or cancelled it.
        if (before === undefined || before.txid !== found.refund.txid || !isWatched(before)) continue;
        const after = await judgeLook(trx, context, before, found, at);
        if (isSame(before, after)) continue;
        await writeRefund(trx, after);
        isChanged = true;
        if (isNews(before, after)) news.push({ type: nameNews(after), refundId: before.id });
      }
      if (isChanged) await recordRefundNews(trx, context, payment, news, at.nowMs);
      told += news.length;
    }
  });
  if (told > 0) context.onEvent();
}

/** The refund by what is there: its transaction, or else one that was named before and has come back. */
async function judgeLook(
  trx: PaymentQuery,
  context: Context,
  before: RefundTable,
  { terms, tx, returned }: Look,
  at: { tipHeight: number; nowMs: number },
): Promise<RefundTable> {
  let refund = before;
  for (const { txid, tx: other } of returned) {
    const named = nameTx(refund, txid);
    const after = judgeRefund(named, other, await readMoment(trx, context, named, terms, at));
    if (after.problem === null) return after;
    // It was named by mistake, and never paid this refund.
    const earlier = namesOf(refund).filter((name) => name !== txid && name !== refund.txid);
    refund = { ...refund, earlier: JSON.stringify(earlier) };
  }
  return judgeRefund(refund, tx, await readMoment(trx, context, refund, terms, at));
}

function nameNews({ state }: RefundTable): RefundNews['type'] {
  return state === 'open' ? 'refund.created' : `refund.${state}`;
}

function isSame(a: RefundTable, b: RefundTable): boolean {
  return (Object.keys(a) as (keyof RefundTable)[]).every((name) => a[name] === b[name]);
}
