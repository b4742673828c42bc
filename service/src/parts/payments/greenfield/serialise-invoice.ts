/** Payments in the shapes of BTCPay's invoices. */

import type { InvoiceJson, InvoicePaymentJson, InvoicePaymentMethodJson } from '@coinfront/api/btcpay.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { summedAt, sumOf, sumUp } from '../judging/payment-sums.ts';
import { readMetadata } from '../requests/order-data-rules.ts';
import { type PaymentState, serialisePayment } from '../requests/serialise-payment.ts';
import type { PaymentOutputTable } from '../schema/payment-tables.ts';
import { describeMoney } from './invoice-money-rules.ts';
import { describeState, listMarkable } from './invoice-state-rules.ts';
import { policyOf } from './speed-rules.ts';

/** What the shapes depend on besides the payment. */
export type InvoiceRules = {
  profile: CoinProfile;
  /** What clients call this service, without a slash at the end. */
  publicUrl: string;
  /** How long a payment that was seen in full waits past its expiry, milliseconds. */
  waitMs: number;
};

/** The one way to pay: on the chain. */
export function paymentMethodOf({ ticker }: Pick<CoinProfile, 'ticker'>): string {
  return `${ticker}-CHAIN`;
}

/** Unix seconds. */
export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** What a shop gave with the invoice, as it gave it. */
export function metadataOf({ payment }: PaymentState): Record<string, unknown> {
  return payment.metadata === null ? {} : readMetadata(payment.metadata);
}

/** An invoice; with how it is paid, where that is asked for. */
export function serialiseInvoice(
  state: PaymentState,
  rules: InvoiceRules,
  { withPaymentMethods = false } = {},
): InvoiceJson {
  const { payment } = state;
  const { profile, publicUrl, waitMs } = rules;
  const money = describeMoney(payment, profile);
  const monitored = toSeconds(payment.expires_at + waitMs);
  const method = paymentMethodOf(profile);
  return {
    id: payment.id,
    storeId: payment.merchant_id,
    amount: money.amount,
    paidAmount: money.convert(BigInt(payment.seen) + BigInt(payment.late)),
    currency: money.currency,
    type: 'Standard',
    checkoutLink: `${publicUrl}/pay/${payment.id}`,
    createdTime: toSeconds(payment.created_at),
    expirationTime: toSeconds(payment.expires_at),
    monitoringExpiration: monitored,
    monitoringTime: monitored,
    ...describeState(payment, sumArrived(state, profile)),
    availableStatusesForManualMarking: listMarkable(payment),
    archived: false,
    metadata: metadataOf(state),
    checkout: {
      speedPolicy: policyOf(payment.confirmations_required),
      paymentMethods: [method],
      defaultPaymentMethod: method,
      lazyPaymentMethods: false,
      expirationMinutes: Math.floor((payment.expires_at - payment.created_at) / 60_000),
      monitoringMinutes: Math.floor(waitMs / 60_000),
      paymentTolerance: percentOf(BigInt(payment.tolerance), BigInt(payment.amount)),
      redirectURL: payment.return_url,
      redirectAutomatically: false,
      defaultLanguage: null,
    },
    receipt: { enabled: null, showQR: null, showPayments: null },
    ...(withPaymentMethods ? { paymentMethods: [serialisePaymentMethod(state, rules)] } : {}),
  };
}

/** A part in percent, to two decimals. */
function percentOf(part: bigint, whole: bigint): number {
  return Number((part * 10_000n + whole / 2n) / whole) / 100;
}

/** How an invoice is paid, and what came. */
export function serialisePaymentMethod(
  state: PaymentState,
  { profile, publicUrl }: Pick<InvoiceRules, 'profile' | 'publicUrl'>,
): InvoicePaymentMethodJson {
  const { payment, outputs } = state;
  const coins = (units: bigint): string => formatAmount(units, profile.decimals);
  const method = paymentMethodOf(profile);
  const came = BigInt(payment.seen) + BigInt(payment.late);
  return {
    paymentMethodId: method,
    paymentMethod: method,
    currency: profile.ticker,
    cryptoCode: profile.ticker,
    destination: payment.address,
    paymentLink: serialisePayment(state, { profile, publicUrl }).payment_uri,
    rate: describeMoney(payment, profile).rate,
    paymentMethodPaid: coins(came),
    totalPaid: coins(came),
    due: coins(BigInt(payment.amount) - came),
    amount: coins(BigInt(payment.amount)),
    paymentMethodFee: coins(0n),
    networkFee: coins(0n),
    payments: outputs.filter(isThere).map((output) => serialiseOutput(output, state, profile)),
    activated: true,
    additionalData: {},
  };
}

/** What came of an invoice last; null when nothing is there. */
export function serialiseNewest(
  state: PaymentState,
  profile: CoinProfile,
  { onlySettled }: { onlySettled: boolean },
): InvoicePaymentJson | null {
  const newest = state.outputs
    .filter((output) => isThere(output) && (!onlySettled || isSettled(output, state, profile)))
    .reduce<PaymentOutputTable | undefined>(
      (latest, each) => (latest && latest.first_seen_at >= each.first_seen_at ? latest : each),
      undefined,
    );
  return newest === undefined ? null : serialiseOutput(newest, state, profile);
}

function serialiseOutput(
  output: PaymentOutputTable,
  state: PaymentState,
  profile: CoinProfile,
): InvoicePaymentJson {
  return {
    id: `${output.txid}-${output.vout}`,
    receivedDate: toSeconds(output.first_seen_at),
    value: formatAmount(BigInt(output.value), profile.decimals),
    fee: formatAmount(0n, profile.decimals),
    status: isSettled(output, state, profile) ? 'Settled' : 'Processing',
    destination: state.payment.address,
  };
}

/** Base units that are there as deep as the payment asks for, in time or late, of the outputs that are shown. */
export function sumArrived(state: PaymentState, profile: CoinProfile): bigint {
  return sumOf(state.outputs.filter((output) => isThere(output) && isSettled(output, state, profile)));
}

function isThere({ excluded, gone }: PaymentOutputTable): boolean {
  return excluded === 0 && gone === 0;
}

function isSettled(
  output: PaymentOutputTable,
  { payment, tip }: PaymentState,
  profile: CoinProfile,
): boolean {
  const at = summedAt(profile, tip?.height ?? payment.created_height);
  return sumUp(payment, [output], at).deep > 0n;
}
