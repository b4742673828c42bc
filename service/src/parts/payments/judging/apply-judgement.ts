/** What a judgement makes of a payment: its row, its outputs, and the events that tell it. */

import type { PaymentEventType } from '@coinfront/api/webhooks.ts';
import type { PaymentContext, PaymentQuery } from '../payment-context.ts';
import { capResolved } from '../refunds/leftover-rules.ts';
import type { JudgedTip } from '../requests/serialise-payment.ts';
import type { PaymentOutputTable, PaymentTable } from '../schema/payment-tables.ts';
import { describePaymentEvent, type NewEvent } from '../webhooks/record-event.ts';
import { isClosed, type Judgement } from './payment-rules.ts';

/** A payment after a judgement; `types` are the events that tell it, in their order. */
export type Applied = { after: PaymentTable; types: PaymentEventType[]; isChanged: boolean };

/** The row after the judgement, and the events that tell it. */
export function describeAfter(payment: PaymentTable, judgement: Judgement, nowMs: number): Applied {
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
    accepted_at: judgement.accepted ? payment.accepted_at : null,
    accepted_amount: judgement.accepted ? payment.accepted_amount : null,
    lost_at: judgement.lostAt,
    paid_at: judgement.paidAt,
    settled_at: judgement.settledAt,
    check_height: judgement.checkHeight,
    check_at: judgement.checkAt,
  };
  const resolved = capResolved({ ...payment, ...judged });
  const isChanged =
    resolved !== payment.resolved ||
    judgement.becomeLate.length + judgement.becomeInTime.length > 0 ||
    Object.entries(judged).some(([name, value]) => payment[name as keyof PaymentTable] !== value);
  const types: PaymentEventType[] = [];
  if (judged.status !== payment.status) types.push(`payment.${judged.status}`);
  else if (judgement.seen > BigInt(payment.seen) && !isClosed(payment)) types.push('payment.received');
  if (judgement.late > BigInt(payment.late)) types.push('payment.late');
  const after = {
    ...payment,
    ...judged,
    resolved,
    sequence: payment.sequence + types.length,
    // An answer's ETag is made of it, so it grows also when the clock goes back.
    updated_at: Math.max(nowMs, payment.updated_at + 1),
  };
  return { after, types, isChanged };
}

/** Marks outputs that are late from now on, and those that are no longer; gives all as they are then. */
export async function markLate(
  trx: PaymentQuery,
  own: readonly PaymentOutputTable[],
  { becomeLate, becomeInTime }: Judgement,
): Promise<readonly PaymentOutputTable[]> {
  const lateness = new Map<object, number>([
    ...becomeLate.map((output) => [output, 1] as const),
    ...becomeInTime.map((output) => [output, 0] as const),
  ]);
  if (lateness.size === 0) return own;
  const after: PaymentOutputTable[] = [];
  for (const output of own) {
    const late = lateness.get(output);
    if (late !== undefined) {
      await trx
        .updateTable('payment_output')
        .set({ late })
        .where('txid', '=', output.txid)
        .where('vout', '=', output.vout)
        .where('merchant_id', '=', output.merchant_id)
        .execute();
    }
    after.push(late === undefined ? output : { ...output, late });
  }
  return after;
}

/** The events of one change, each with its sequence. */
export function describeEvents(
  context: Pick<PaymentContext, 'profile' | 'publicUrl'>,
  payment: PaymentTable,
  { after, types }: Applied,
  shown: { outputs: readonly PaymentOutputTable[]; tip: JudgedTip | undefined },
  merchantUrl: string | null,
  nowMs: number,
): NewEvent[] {
  return types.map((type, i) => {
    const told = { ...after, sequence: payment.sequence + i + 1 };
    return describePaymentEvent(context, type, { payment: told, ...shown }, merchantUrl, nowMs, payment);
  });
}
