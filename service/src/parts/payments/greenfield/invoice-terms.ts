/** What a shop asks for in an invoice, as the request of a payment: pure, before anything is looked up. */

import type { InvoiceRequestJson } from '@coinfront/api/btcpay.ts';
import { type PaymentRequestJson, paymentLimits } from '@coinfront/api/payments.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { isPlainText } from '../check-text.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import { decimalsOf } from '../rates/price-rules.ts';
import { FieldFaults } from './greenfield-errors.ts';
import { readShopAmount } from './invoice-money-rules.ts';
import { paymentMethodOf } from './serialise-invoice.ts';
import { confirmationsOf } from './speed-rules.ts';

/** What a merchant's payments are unless they say otherwise. */
export function defaultsOf({
  default_expires_in,
  default_confirmations,
}: Pick<Merchant, 'default_expires_in' | 'default_confirmations'>): {
  expiresIn: number;
  confirmations: number;
} {
  return {
    expiresIn: default_expires_in ?? paymentLimits.expiresIn.default,
    confirmations: default_confirmations ?? paymentLimits.confirmations.default,
  };
}

/**
 * The request of a payment that an invoice asks for: to an address of the pool.
 *
 * @throws FieldFaults
 */
export function readInvoiceRequest(
  { amount, currency, metadata, checkout }: InvoiceRequestJson,
  profile: CoinProfile,
): PaymentRequestJson {
  if (amount === undefined || amount === null) {
    throw fault('amount', 'An invoice without an amount (a top-up invoice) is not served here; give one.');
  }
  const { speedPolicy, paymentMethods, expirationMinutes, paymentTolerance, redirectURL } = checkout ?? {};
  checkMethods(paymentMethods ?? [], profile);
  const seconds =
    expirationMinutes === undefined || expirationMinutes === null
      ? undefined
      : readMinutes(expirationMinutes);
  const orderId = readOrderId(metadata?.orderId);
  const description = readDescription(metadata?.itemDesc);
  return {
    use_address_pool: true,
    ...askFor(amount, currency, profile),
    ...(speedPolicy ? { confirmations_required: confirmationsOf(speedPolicy) } : {}),
    ...(seconds === undefined ? {} : { expires_in: seconds }),
    ...(typeof paymentTolerance === 'number' ? { tolerance: readTolerance(paymentTolerance) } : {}),
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...(description === undefined ? {} : { description }),
    ...(metadata ? { metadata } : {}),
    ...(redirectURL ? { return_url: redirectURL } : {}),
  };
}

/** Where the buyer goes afterwards, with what BTCPay fills into it: also as it stands in a URL. */
export function fillPlaceholders(request: PaymentRequestJson, id: string): PaymentRequestJson {
  const { return_url: template, order_id: orderId = '' } = request;
  if (template === undefined) return request;
  const filled = template.replace(/(?:\{|%7B)(InvoiceId|OrderId)(?:\}|%7D)/gi, (_, name: string) =>
    encodeURIComponent(name.toLowerCase() === 'invoiceid' ? id : orderId),
  );
  return { ...request, return_url: filled };
}

/** Coins where the currency is the coin, or none; else a price. */
function askFor(
  given: string | number,
  currency: string | null | undefined,
  { ticker, decimals }: CoinProfile,
): Pick<PaymentRequestJson, 'amount' | 'price'> {
  const name = (currency || ticker).toUpperCase();
  const isCoin = name === ticker.toUpperCase();
  const amount = readShopAmount(given, isCoin ? decimals : decimalsOf(name));
  if (!amount.ok) throw fault('amount', `The amount ${amount.reason}.`);
  return isCoin ? { amount: amount.value } : { price: { currency: name, amount: amount.value } };
}

function checkMethods(given: readonly string[], profile: CoinProfile): void {
  const { ticker } = profile;
  const method = paymentMethodOf(profile);
  const accepted = new Set([ticker, method, method.replaceAll('-', '_'), `${ticker}-ONCHAIN`]);
  const faults = given.flatMap((name, i) =>
    accepted.has(name.toUpperCase())
      ? []
      : [{ path: `checkout.paymentMethods[${i}]`, message: `Invalid payment method; here it is ${method}.` }],
  );
  if (faults.length > 0) throw new FieldFaults(...faults);
}

function readMinutes(minutes: number): number {
  const { min, max } = paymentLimits.expiresIn;
  const seconds = Math.floor(minutes * 60);
  if (seconds >= min && seconds <= max) return seconds;
  throw fault(
    'checkout.expirationMinutes',
    `The expiration must be from ${min / 60} to ${max / 60} minutes.`,
  );
}

function readTolerance(percent: number): { percent: number } {
  const most = paymentLimits.tolerancePercent;
  const isKept = percent <= most && Number.isInteger(Math.round(percent * 1e6) / 1e4);
  if (isKept) return { percent };
  throw fault(
    'checkout.paymentTolerance',
    `The tolerance is at most ${most} percent, with two decimals at most.`,
  );
}

/** Shops give it as text or as a number. */
function readOrderId(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const text = typeof given === 'number' ? String(given) : given;
  const isText = typeof text === 'string' && text.length <= paymentLimits.orderIdLength;
  if (isText && isPlainText(text)) return text;
  const most = `of at most ${paymentLimits.orderIdLength} characters, valid Unicode without control characters`;
  throw fault('metadata.orderId', `The order id must be a text ${most}.`);
}

/** What is bought, for the page of the payer; what is too long for that stays in the metadata alone. */
function readDescription(given: unknown): string | undefined {
  if (typeof given !== 'string' || given === '' || given.includes('\0') || !given.isWellFormed())
    return undefined;
  return given.length <= paymentLimits.descriptionLength ? given : undefined;
}

function fault(path: string, message: string): FieldFaults {
  return new FieldFaults({ path, message });
}
