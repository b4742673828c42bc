import type { BlockRecord, TxSummary } from './chain-view.ts';

/** What is asked of the transactions of a block. */
export type BlockTxQuery = {
  sort: 'position' | 'fee_rate' | 'fee' | 'output_value' | 'vsize';
  order: 'asc' | 'desc';
  /** Only those that pay so many thousandths of a base unit per virtual byte, or more. */
  minMilliRate: bigint | undefined;
  /** Only those whose outputs have so many base units in sum, or more. */
  minOutputValue: bigint | undefined;
};

/**
 * The transactions of a block that a query asks for, in its order. What has no fee, or none that is its own, comes last in both
 * orders of fees and rates; what is alike stays in the order of the block.
 *
 * @param hasRate says whether what a transaction pays is for its own place in the block
 */
export function sortBlockTxs(
  txs: readonly TxSummary[],
  { sort, order, minMilliRate, minOutputValue }: BlockTxQuery,
  hasRate: (tx: TxSummary) => boolean,
): TxSummary[] {
  const chosen = txs.filter(
    (tx) =>
      (minOutputValue === undefined || tx.outputValue >= minOutputValue) &&
      (minMilliRate === undefined ||
        (hasRate(tx) && (tx.fee ?? 0n) * 4_000n >= minMilliRate * BigInt(tx.weight))),
  );
  if (sort === 'position') return order === 'asc' ? chosen : chosen.reverse();
  const ofFees = sort === 'fee' || sort === 'fee_rate';
  const last = ofFees ? chosen.filter((tx) => !hasRate(tx)) : [];
  const ranked = ofFees ? chosen.filter(hasRate) : chosen;
  const sign = order === 'asc' ? 1 : -1;
  return [...ranked.sort((a, b) => sign * comparisons[sort](a, b) || a.position - b.position), ...last];
}

/**
 * Says whether what a transaction of a block pays is for its own place in it: a coinbase pays nothing, and the HogEx at the end of a block
 * pays what is paid in the extension block behind it.
 */
export function ratesOf({ hasExtension, txCount }: BlockRecord): (tx: TxSummary) => boolean {
  return ({ fee, position }) => fee !== undefined && !(hasExtension && position === txCount - 1);
}

type Comparison = (a: TxSummary, b: TxSummary) => number;

const comparisons: Readonly<Record<Exclude<BlockTxQuery['sort'], 'position'>, Comparison>> = {
  fee: (a, b) => compare(a.fee ?? 0n, b.fee ?? 0n),
  // Of fractions with positive denominators, without rounding.
  fee_rate: (a, b) => compare((a.fee ?? 0n) * BigInt(b.weight), (b.fee ?? 0n) * BigInt(a.weight)),
  output_value: (a, b) => compare(a.outputValue, b.outputValue),
  vsize: (a, b) => a.weight - b.weight,
};

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
