import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { misuse } from '../shell/cli-error.ts';

type Coin = Pick<Network, 'decimals' | 'ticker'>;

/** Base units as people read them: `0.50000000 RLTC`. */
export function showCoins(value: bigint, { decimals, ticker }: Coin): string {
  return `${formatAmount(value, decimals)} ${ticker}`;
}

/**
 * An amount of coins as it was typed.
 *
 * @throws CliError `misused`
 */
export function readCoins(text: string, { decimals }: Coin): bigint {
  const amount = parseAmount(text, decimals);
  if (!amount.ok) throw misuse(`${amount.reason}.`);
  return amount.value;
}

/**
 * A whole number as it was typed.
 *
 * @throws CliError `misused`
 */
export function readWhole(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw misuse(`${name} is a whole number from ${min} to ${max}; received "${text}".`);
}

/** A count with its noun: `1 period`, `2 periods`. */
export function showCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
