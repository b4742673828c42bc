import type { TxSummary } from './chain-view.ts';

/** What the transactions of a block pay. */
export type RatedTx = Pick<TxSummary, 'fee' | 'weight'>;

/**
 * The transactions at shares of a block's weight, from the one that pays least: 0.5 is the one up to which half of it lies. Undefined for a block that
 * has a coinbase only.
 *
 * @param shares from 0 to 1
 */
export function findRatesAt(txs: readonly TxSummary[], shares: readonly number[]): RatedTx[] | undefined {
  const paying = txs.flatMap(({ fee, weight }) =>
    fee === undefined ? [] : [{ fee, weight, rate: Number(fee) / weight }],
  );
  if (paying.length === 0) return undefined;
  paying.sort((a, b) => a.rate - b.rate);
  const total = paying.reduce((sum, { weight }) => sum + weight, 0);
  let upTo = 0;
  const ends = paying.map(({ weight }) => {
    upTo += weight;
    return upTo;
  });
  return shares.map((share) => paying[ends.findIndex((end) => end >= share * total)]!);
}
