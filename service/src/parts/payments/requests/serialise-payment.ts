import {
  type MerchantPaymentJson,
  type PaymentJson,
  type PaymentTransactionJson,
  shownTransactions,
} from '@coinfront/api/payments.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { buildPaymentUri } from '@coinfront/protocol/payment-uri.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { dueOf, isClosed } from '../judging/payment-rules.ts';
import type { PaymentContext } from '../payment-context.ts';
import { describePrice } from '../rates/quote-price.ts';
import { exclusions, type PaymentOutputTable, type PaymentTable } from '../schema/payment-tables.ts';
import { writeTime } from '../write-time.ts';
import { readMetadata } from './order-data-rules.ts';

/** A tip that payments were judged at. */
export type JudgedTip = { height: number; hash: string };

/** A payment with its outputs, as read in one transaction; `tip` is undefined before the first judgement. */
export type PaymentState = {
  payment: PaymentTable;
  outputs: readonly PaymentOutputTable[];
  tip: JudgedTip | undefined;
};

/** With the outputs that are not part of it, which only its merchant sees. */
export type MerchantPaymentState = PaymentState & { excluded: readonly PaymentOutputTable[] };

type Rules = Pick<PaymentContext, 'profile' | 'publicUrl'>;

/** A payment as everybody may see it. */
export function serialisePayment({ payment, outputs, tip }: PaymentState, rules: Rules): PaymentJson {
  const { decimals } = rules.profile;
  const coins = (units: string): string => formatAmount(BigInt(units), decimals);
  const missing = findMissing(payment);
  return {
    id: payment.id,
    status: payment.status,
    reason: payment.reason,
    recipient: payment.recipient,
    address: payment.address,
    amount: coins(payment.amount),
    price: describePrice(payment),
    description: payment.description,
    confirmations_required: payment.confirmations_required,
    received: {
      seen: coins(payment.seen),
      confirmed: coins(payment.mined),
      settled: coins(payment.deep),
      late: coins(payment.late),
    },
    remaining: formatAmount(missing, decimals),
    tolerated: formatAmount(findTolerated(payment), decimals),
    transactions: outputs
      .filter(({ excluded }) => excluded === 0)
      .sort((a, b) => b.first_seen_at - a.first_seen_at || (a.txid < b.txid ? -1 : 1) || a.vout - b.vout)
      .slice(0, shownTransactions)
      .map((output) => serialiseOutput(output, tip, decimals)),
    payment_uri: buildUri(payment, missing, rules),
    checkout_url: `${rules.publicUrl}/pay/${payment.id}`,
    final: payment.final === 1,
    sequence: payment.sequence,
    created_at: writeTime(payment.created_at),
    expires_at: writeTime(payment.expires_at),
    paid_at: writeTimeOrNull(payment.paid_at),
    settled_at: writeTimeOrNull(payment.settled_at),
    accepted_at: writeTimeOrNull(payment.accepted_at),
    accepted_amount: payment.accepted_amount === null ? null : coins(payment.accepted_amount),
    updated_at: writeTime(payment.updated_at),
    as_of: tip ?? null,
  };
}

/** A payment as its merchant may see it. */
export function serialiseMerchantPayment(state: MerchantPaymentState, rules: Rules): MerchantPaymentJson {
  const { payment, excluded } = state;
  const { decimals } = rules.profile;
  return {
    ...serialisePayment(state, rules),
    order_id: payment.order_id,
    metadata: payment.metadata === null ? null : readMetadata(payment.metadata),
    use_address_pool: payment.recipient === null,
    webhook_url: payment.webhook_url,
    cancelled_at: writeTimeOrNull(payment.cancelled_at),
    return_url: payment.return_url,
    tolerance: formatAmount(BigInt(payment.tolerance), decimals),
    excluded: excluded.map((output) => ({
      txid: output.txid,
      vout: output.vout,
      amount: formatAmount(BigInt(output.value), decimals),
      reason: output.excluded === exclusions.earlier ? 'earlier' : 'replaces_earlier',
      state: nameState(output),
    })),
  };
}

function writeTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : writeTime(ms);
}

function nameState({ gone, height }: PaymentOutputTable): 'gone' | 'mempool' | 'confirmed' {
  if (gone === 1) return 'gone';
  return height === null ? 'mempool' : 'confirmed';
}

function serialiseOutput(
  output: PaymentOutputTable,
  tip: JudgedTip | undefined,
  decimals: number,
): PaymentTransactionJson {
  const { height } = output;
  return {
    txid: output.txid,
    vout: output.vout,
    amount: formatAmount(BigInt(output.value), decimals),
    state: nameState(output),
    confirmations: height === null || tip === undefined ? 0 : Math.max(0, tip.height - height + 1),
    height,
    block_hash: output.block_hash,
    block_time: writeTimeOrNull(output.block_time),
    fee_rate: output.fee_rate,
    replaceable: nameState(output) === 'mempool' && output.replaceable !== 0,
    first_seen: writeTime(output.first_seen_at),
    late: output.late === 1,
  };
}

/**
 * Base units that a payment waits for, or that it waited for when it ended. The whole amount is asked for, whatever is
 * tolerated: the payer is not told that less would do.
 */
function findMissing(payment: PaymentTable): bigint {
  const { accepted_at, amount } = payment;
  const seen = BigInt(payment.seen);
  if (!isClosed(payment) && seen >= dueOf(payment)) return 0n;
  const wanted = isClosed(payment) || accepted_at === null ? BigInt(amount) : dueOf(payment);
  return seen < wanted ? wanted - seen : 0n;
}

/** Base units that are missing of the amount and asked for no longer. */
export function findTolerated(payment: PaymentTable): bigint {
  const [seen, amount] = [BigInt(payment.seen), BigInt(payment.amount)];
  const isEnough = !isClosed(payment) && payment.accepted_at === null && seen >= dueOf(payment);
  return isEnough && seen < amount ? amount - seen : 0n;
}

/** Asks for what is missing; for no amount where nothing is, so that no wallet pays twice by it. */
function buildUri(payment: PaymentTable, missing: bigint, { profile }: Rules): string {
  const request = {
    address: payment.address,
    amount: missing === 0n ? undefined : missing,
    label: undefined,
    message: payment.description === '' ? undefined : payment.description,
    reference: payment.id,
  };
  const uri = buildPaymentUri(request, profile);
  // A description of many escaped characters can make it longer than a URI may be: the money does not depend on it.
  return uri.ok ? uri.value : getValue(buildPaymentUri({ ...request, message: undefined }, profile));
}
