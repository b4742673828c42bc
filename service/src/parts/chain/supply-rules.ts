/** How much of the coin there is, from the totals of two blocks. Amounts are base units. */

import type { ChainTotals } from '../../chain/chain-view.ts';

export type SupplyFigures = {
  issued: bigint;
  immature: bigint;
  matured: bigint;
  burned: bigint;
  circulating: bigint;
};

/**
 * The highest block whose coinbase the block above the tip may spend; undefined when there is none yet.
 *
 * Core's rule: a coinbase of height h may be spent at height s when s - h >= maturity.
 */
export function highestMatureHeight(tipHeight: number, coinbaseMaturity: number): number | undefined {
  const height = tipHeight + 1 - coinbaseMaturity;
  return height >= 0 ? height : undefined;
}

/**
 * The supply at a tip.
 *
 * What immature coinbases pay is unspent by consensus, so it is the difference of two running sums; the rest of
 * the unspent outputs circulates.
 *
 * @param mature - totals at {@link highestMatureHeight}
 */
export function computeSupply(tip: ChainTotals, mature: ChainTotals | undefined): SupplyFigures {
  const immature = tip.coinbasePaid - (mature?.coinbasePaid ?? 0n);
  return {
    issued: tip.issued,
    immature,
    matured: tip.issued - immature,
    burned: tip.burned,
    circulating: tip.utxoValue - immature,
  };
}
