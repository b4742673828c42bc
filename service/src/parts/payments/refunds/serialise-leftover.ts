import type { LeftoverJson, RefundJson } from '@coinfront/api/refunds.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { JudgedTip } from '../requests/serialise-payment.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import type { RefundTable, ResolutionTable } from '../schema/refund-tables.ts';
import { writeTime } from '../write-time.ts';
import type { Balance } from './leftover-rules.ts';

/** What of a payment is left over, as read in one transaction. */
export type Leftover = {
  payment: PaymentTable;
  balance: Balance;
  refunds: readonly RefundTable[];
  resolutions: readonly ResolutionTable[];
  tip: JudgedTip | undefined;
};

type Coin = Pick<CoinProfile, 'decimals'>;

/** What is left over of a payment, as its merchant may see it. */
export function serialiseLeftover(leftover: Leftover, coin: Coin): LeftoverJson {
  const { payment, balance, refunds, resolutions, tip } = leftover;
  const coins = (units: bigint): string => formatAmount(units, coin.decimals);
  return {
    payment_id: payment.id,
    order_id: payment.order_id,
    status: payment.status,
    kinds: balance.kinds,
    left_over: coins(balance.total),
    settled: coins(balance.settled),
    pending: coins(balance.total - balance.settled),
    refunded: coins(balance.refunded),
    resolved: coins(balance.resolved),
    open: coins(balance.open),
    uncovered: coins(balance.uncovered),
    refund_address: payment.refund_address,
    refund_address_at: writeMaybe(payment.refund_address_at),
    refunds: refunds.map((refund) => serialiseRefund(refund, tip, coin)),
    resolutions: resolutions.map(({ amount, uncovered, note, created_at }) => ({
      amount: coins(BigInt(amount)),
      uncovered: coins(BigInt(uncovered)),
      note,
      created_at: writeTime(created_at),
    })),
    created_at: writeTime(payment.created_at),
  };
}

/** A refund as its merchant may see it. */
export function serialiseRefund(
  refund: RefundTable,
  tip: JudgedTip | undefined,
  { decimals }: Coin,
): RefundJson {
  const { height } = refund;
  return {
    id: refund.id,
    state: refund.state,
    amount: formatAmount(BigInt(refund.amount), decimals),
    address: refund.address,
    note: refund.note,
    txid: refund.txid,
    vout: refund.vout,
    seen: refund.seen === 1,
    height,
    confirmations: height === null || tip === undefined ? 0 : Math.max(0, tip.height - height + 1),
    problem: refund.problem,
    created_at: writeTime(refund.created_at),
    sent_at: writeMaybe(refund.sent_at),
    confirmed_at: writeMaybe(refund.confirmed_at),
    cancelled_at: writeMaybe(refund.cancelled_at),
  };
}

function writeMaybe(ms: number | null): string | null {
  return ms === null ? null : writeTime(ms);
}
