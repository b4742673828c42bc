/** Which of the transactions that were named for a refund are there: while one is, its money is on its way. */

import type { ChainView } from '../../../chain/chain-view.ts';
import { readInStep } from '../../../chain/read-in-step.ts';
import { AppError } from '../../../errors.ts';
import type { PaymentQuery, PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable } from '../schema/refund-tables.ts';
import { lookAtTx } from './look-at-tx.ts';
import { readMoment } from './read-moment.ts';
import { judgeRefund, namesOf, nameTx, type SeenTx } from './refund-rules.ts';
import { findRefund } from './refund-store.ts';

/** How often one is looked at anew, where others name transactions of it at the same time. */
const ATTEMPTS = 5;

/** What chain and mempool had at one moment. */
export type Looks = {
  tipHeight: number;
  /** @throws AppError when nobody has looked at this one */
  find(txid: string): SeenTx | undefined;
};

/**
 * Looks at all transactions of a refund, and at one more, before a change of it: nothing is read from the chain while rows are held.
 *
 * @throws AppError `not_ready` when it cannot be said that what was named before is not there, and what `work` throws
 */
export async function withLooks<T>(
  context: PaymentRouteContext,
  { paymentId, refundId, txid }: { paymentId: string; refundId: string; txid?: string },
  work: (looks: Looks) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const refund = await findRefund(paymentQuery(context.precious), paymentId, refundId);
    const before = refund === undefined ? [] : namesOf(refund);
    const looks = await look(context, before, txid);
    try {
      return await work(looks);
    } catch (error) {
      if (!(error instanceof NamedMeanwhileError) || attempt === ATTEMPTS) throw error;
    }
  }
}

class NamedMeanwhileError extends AppError {
  constructor() {
    super('not_ready', 'Another transaction was named for this refund meanwhile. Ask again.');
  }
}

async function look(
  context: PaymentRouteContext,
  before: readonly string[],
  txid: string | undefined,
): Promise<Looks> {
  const all = txid === undefined ? before : [...before, txid];
  const read = async (view: ChainView) => {
    const seen = new Map<string, SeenTx | undefined>();
    for (const name of new Set(all)) seen.set(name, await lookAtTx(view, name));
    return { seen, tipHeight: view.tip?.height ?? 0 };
  };
  // Only a whole state of the index says that something is not there.
  const inStep = await readInStep(context, read);
  if (inStep === undefined && before.length > 0) {
    const detail =
      'The index is behind its node: whether the transactions that were named before are there is not known. Ask again later.';
    throw new AppError('not_ready', detail);
  }
  const { seen, tipHeight } = inStep?.value ?? (await context.readChain(read));
  return {
    tipHeight,
    find(name) {
      if (!seen.has(name)) throw new NamedMeanwhileError();
      return seen.get(name);
    },
  };
}

/**
 * One of the transactions of a refund that is in mempool or chain, and pays it; undefined when there is none.
 *
 * @param except not asked of this one
 */
export async function findStanding(
  trx: PaymentQuery,
  context: PaymentRouteContext,
  payment: PaymentTable,
  refund: RefundTable,
  looks: Looks,
  nowMs: number,
  except?: string,
): Promise<string | undefined> {
  // In one order for all: each of them is locked.
  for (const txid of namesOf(refund).sort()) {
    if (txid === except) continue;
    const tx = looks.find(txid);
    if (tx === undefined) continue;
    if (txid === refund.txid && refund.vout !== null) return txid;
    const named = nameTx(refund, txid);
    const moment = await readMoment(trx, context, named, payment, { tipHeight: looks.tipHeight, nowMs });
    if (judgeRefund(named, tx, moment).problem === null) return txid;
  }
  return undefined;
}
