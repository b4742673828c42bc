/** Amounts of invoices: in coins, or in the money of the price that a payment was made for. */

import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/** What an invoice is in. */
export type InvoiceMoney = {
  currency: string;
  /** What is asked for. */
  amount: string;
  /** Price of one coin. */
  rate: string;
  /** What so many base units are, rounded down: more than came is never told. */
  convert(units: bigint): string;
};

type Priced = Pick<PaymentTable, 'amount' | 'price_currency' | 'price_amount' | 'price_rate'>;

/** The money of a payment's invoice. */
export function describeMoney(
  { amount, price_currency, price_amount, price_rate }: Priced,
  { ticker, decimals }: Pick<CoinProfile, 'ticker' | 'decimals'>,
): InvoiceMoney {
  if (price_currency === null || price_amount === null || price_rate === null) {
    const convert = (units: bigint) => formatAmount(units, decimals);
    return { currency: ticker, amount: convert(BigInt(amount)), rate: '1', convert };
  }
  const [whole = '', fraction = ''] = price_rate.split('.');
  const rate = BigInt(whole + fraction);
  const shown = price_amount.split('.')[1]?.length ?? 0;
  return {
    currency: price_currency,
    amount: price_amount,
    rate: price_rate,
    convert: (units) =>
      formatAmount((units * rate * 10n ** BigInt(shown)) / 10n ** BigInt(decimals + fraction.length), shown),
  };
}

/**
 * An amount as a shop writes it: text or a number, with zeros at its end that say nothing. What its decimals say beyond those
 * of the currency is refused, not rounded.
 */
export function readShopAmount(given: string | number, decimals: number): Result<string> {
  const text = typeof given === 'number' ? writeNumber(given, decimals) : given;
  const match = text === undefined ? undefined : /^0*([0-9]+)(?:\.([0-9]*))?$/.exec(text);
  if (!match) return fail('must be a decimal number that is not negative, such as "12.50"');
  const [, whole = '', fraction = ''] = match;
  const said = fraction.replace(/0+$/, '');
  if (said.length > decimals) return fail(`has more than the ${decimals} decimals of its currency`);
  return ok(said === '' ? whole : `${whole}.${said}`);
}

/** A number without an exponent; undefined when it has more digits than it can be written with exactly. */
function writeNumber(value: number, decimals: number): string | undefined {
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) return undefined;
  const text = value.toFixed(Math.min(decimals, 20));
  return Number(text) === value ? text : String(value);
}
