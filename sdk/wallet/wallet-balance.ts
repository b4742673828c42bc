import type { WalletCoin } from './wallet-coin.ts';

/** What a wallet has, base units. */
export type WalletBalance = {
  /** In blocks. */
  confirmed: bigint;
  /** What the mempool will change about it; negative when more goes than comes. */
  pending: bigint;
  /** Both. */
  total: bigint;
  /** In blocks, mature, and not spent in the mempool: what pays now. */
  spendable: bigint;
  /** The rest of `confirmed`: coinbases that are not mature yet, and what transactions in the mempool spend. */
  locked: bigint;
};

/**
 * Adds up what a scan found.
 *
 * @example
 * const { spendable, pending } = getBalance(scan);
 */
export function getBalance({
  coins,
  confirmed,
  pending,
}: {
  readonly coins: readonly Pick<WalletCoin, 'value' | 'height' | 'spendable'>[];
  readonly confirmed: bigint;
  readonly pending: bigint;
}): WalletBalance {
  let spendable = 0n;
  for (const coin of coins) if (coin.spendable && coin.height !== undefined) spendable += coin.value;
  return { confirmed, pending, total: confirmed + pending, spendable, locked: confirmed - spendable };
}
