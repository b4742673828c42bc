/** Prices in other money: currencies, and how many coins a price is. */

import { parseAmount } from '@coinfront/protocol/amount.ts';
import { fail, type Result } from '@coinfront/protocol/result.ts';
import { type Rate, rateScale } from './rate-rules.ts';

/**
 * Decimals of the currencies of ISO 4217 that have not two. Not those of Intl: its figures are for showing amounts, leave out
 * decimals that a currency has (the Iraqi dinar's three), and change with the version of Node.
 */
const minorUnits: ReadonlyMap<string, number> = new Map([
  ...listOf('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...listOf('BHD IQD JOD KWD LYD OMR TND', 3),
  ...listOf('CLF UYW', 4),
]);
/** Codes of ISO 4217 without a minor unit: metals, units of account, and no currency at all. */
const unpriced: ReadonlySet<string> = new Set(
  'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '),
);

function listOf(codes: string, decimals: number): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals]);
}

/** Whether prices can be in this: the form of an ISO 4217 code, and none of those that are no money. */
export function isCurrency(code: string): boolean {
  return /^[A-Z]{3}$/.test(code) && !unpriced.has(code);
}

/** Decimals that an amount of a currency has at most. */
export function decimalsOf(currency: string): number {
  return minorUnits.get(currency) ?? 2;
}

/** Reads a price into the smallest units of its currency: above zero, with no more decimals than the currency has. */
export function parsePrice(amount: string, currency: string): Result<bigint> {
  const decimals = decimalsOf(currency);
  const parsed = parseAmount(amount, decimals);
  if (!parsed.ok) return fail(`is not an amount of ${currency}, which has ${decimals} decimals`);
  return parsed.value > 0n ? parsed : fail('must be above zero');
}

/**
 * What a price is in base units of the coin, rounded up to a whole one: what is asked for is never worth less than the price,
 * and with one base unit less it would be.
 *
 * @param price - in the smallest units of its currency
 */
export function convertPrice(price: bigint, currency: string, rate: Rate, coinDecimals: number): bigint {
  const above = price * 10n ** BigInt(coinDecimals + rateScale);
  const below = rate * 10n ** BigInt(decimalsOf(currency));
  return (above + below - 1n) / below;
}
