/** What a merchant asks for, checked against the coin: pure, before anything is looked up. */

import { type PaymentRequestJson, type PriceJson, paymentLimits } from '@coinfront/api/payments.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { maxSupply } from '@coinfront/protocol/subsidy.ts';
import { AppError } from '../../../errors.ts';
import { checkReturnUrl } from '../checkout/browser-address-rules.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import type { MerchantTable } from '../schema/payment-tables.ts';
import { checkReceiver } from '../webhooks/check-receiver.ts';
import { checkDepth, checkOrderData, type OrderData, parseExactly } from './order-data-rules.ts';
import { checkTolerance, type ToleranceTerms } from './tolerance-rules.ts';

/** A request that this coin can carry. */
export type PaymentTerms = OrderData & {
  /** Address or name as given; undefined takes one from the pool. */
  recipient: string | undefined;
  asked: Asked;
  /** By how much less is enough. */
  tolerance: ToleranceTerms;
  description: string;
  confirmationsRequired: number;
  expiresInMs: number;
  webhookUrl: string | null;
  returnUrl: string | null;
};

/** What is to be paid: base units, or a price that a rate turns into them. */
export type Asked = { amount: bigint } | { price: PriceJson };

/** What a merchant has set for payments that do not say it. */
export type PaymentDefaults = Pick<MerchantTable, 'default_expires_in' | 'default_confirmations'>;

/** Where no rule limits a coin's supply: the most that one output can carry. */
const mostOfOutput = 2n ** 63n - 1n;

/**
 * A body that fits its schema with its metadata to the last digit.
 *
 * @param text what the body was parsed from
 * @throws AppError `invalid_body`
 */
export function readExactBody(body: PaymentRequestJson, text: string): PaymentRequestJson {
  if (body.metadata === undefined) return body;
  checkDepth(body.metadata);
  return { ...body, metadata: (parseExactly(text) as Required<PaymentRequestJson>).metadata };
}

/**
 * Checks a body that fits its schema.
 *
 * What a price comes to is not known here: see settle-amount.ts.
 *
 * @param merchant who asks: what is not given is as it has it
 * @throws AppError `invalid_body`, `amount_invalid`, `confirmations_too_few`, `webhook_url_refused`, `return_url_refused`
 */
export function checkPaymentRequest(
  body: PaymentRequestJson,
  merchant: PaymentDefaults & ToleranceTerms,
  {
    profile,
    checkWebhookUrl,
    isOpenedHost,
  }: Pick<PaymentRouteContext, 'profile' | 'checkWebhookUrl' | 'isOpenedHost'>,
): PaymentTerms {
  const {
    recipient,
    description = '',
    confirmations_required: confirmationsRequired = merchant.default_confirmations ??
      paymentLimits.confirmations.default,
    expires_in = merchant.default_expires_in ?? paymentLimits.expiresIn.default,
    use_address_pool: usePool = false,
  } = body;
  if ((recipient === undefined) !== usePool) {
    const found = recipient === undefined ? 'neither' : 'both';
    throw new AppError(
      'invalid_body',
      `Give a "recipient", or "use_address_pool": true without one; received ${found}.`,
    );
  }
  if (!description.isWellFormed() || description.includes('\0')) {
    throw new AppError('invalid_body', '"description" is not valid Unicode text, or holds a NUL character.');
  }
  const asked = checkAsked(body, profile);
  if ('amount' in asked) checkConfirmations(confirmationsRequired, asked.amount, profile);
  const { webhook_url: url, return_url: back } = body;
  const webhookUrl = url === undefined ? null : checkReceiver('webhook_url', url, checkWebhookUrl);
  const returnUrl = back === undefined ? null : checkReturn(back, isOpenedHost);
  const expiresInMs = expires_in * 1000;
  const order = checkOrderData(body);
  const tolerance = body.tolerance === undefined ? merchant : checkTolerance(body.tolerance, profile);
  return {
    recipient,
    asked,
    tolerance,
    description,
    confirmationsRequired,
    expiresInMs,
    webhookUrl,
    returnUrl,
    ...order,
  };
}

/** @throws AppError `return_url_refused` */
function checkReturn(url: string, isOpenedHost: PaymentRouteContext['isOpenedHost']): string {
  const checked = checkReturnUrl(url, isOpenedHost);
  if (checked.ok) return checked.value;
  throw new AppError('return_url_refused', `"return_url" ${checked.reason}.`);
}

/** @throws AppError `invalid_body`, `amount_invalid` */
function checkAsked({ amount: text, price }: PaymentRequestJson, profile: CoinProfile): Asked {
  if (text === undefined && price !== undefined) return { price };
  if (text === undefined || price !== undefined) {
    const found = text === undefined ? 'neither' : 'both';
    throw new AppError('invalid_body', `Give an "amount" in coins, or a "price"; received ${found}.`);
  }
  const amount = parseAmount(text, profile.decimals);
  if (!amount.ok) throw new AppError('amount_invalid', `"amount": ${amount.reason}.`);
  checkBounds(amount.value, profile, 'amount', `"${text}"`);
  return { amount: amount.value };
}

/** @throws AppError `amount_invalid` when nobody could pay so much, or so little */
export function checkBounds(
  amount: bigint,
  profile: CoinProfile,
  field: 'amount' | 'price',
  received: string,
): void {
  const { decimals, ticker, dustLimit } = profile;
  const most = maxSupply(profile) ?? mostOfOutput;
  // No node relays an output of less: nobody could pay it.
  const least = dustLimit > 1n ? dustLimit : 1n;
  if (amount >= least && amount <= most) return;
  const bounds = `${formatAmount(least, decimals)} to ${formatAmount(most, decimals)} ${ticker}`;
  throw new AppError('amount_invalid', `"${field}" must be from ${bounds}, received ${received}.`);
}

/** @throws AppError `confirmations_too_few` */
export function checkConfirmations(
  required: number,
  amount: bigint,
  { payments, decimals }: CoinProfile,
  field = 'confirmations_required',
): void {
  if (required > 0) return;
  const most = payments?.zeroConfMax ?? 0n;
  if (amount <= most) return;
  const allowed =
    most === 0n
      ? 'it is not allowed here'
      : `it is allowed up to an amount of ${formatAmount(most, decimals)}`;
  throw new AppError(
    'confirmations_too_few',
    `"${field}": 0 trusts what no block holds; ${allowed}. Ask for 1 or more.`,
  );
}
