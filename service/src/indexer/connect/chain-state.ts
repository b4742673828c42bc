import { emptyRateTotals, encodeRateTotals } from '../../chain/block-fee-rates.ts';
import type { ChainTotals } from '../../chain/chain-view.ts';

/** The end of the index: what the next block is connected to. */
export type ChainState = {
  /** -1 when nothing is indexed. */
  height: number;
  /** Internal byte order; 32 zero bytes when nothing is indexed. */
  hash: Uint8Array;
  chainwork: bigint;
  /** Times of the last eleven blocks, oldest first, for median time past. */
  times: number[];
  /** `outputs` is also the number that the next output gets. */
  totals: Omit<ChainTotals, 'utxoValue'>;
};

/** The state before genesis. */
export function emptyChainState(): ChainState {
  return {
    height: -1,
    hash: new Uint8Array(32),
    chainwork: 0n,
    times: [],
    totals: {
      size: 0,
      weight: 0,
      txs: 0,
      inputs: 0,
      outputs: 0,
      issued: 0n,
      burned: 0n,
      coinbasePaid: 0n,
      utxos: 0,
      fees: 0n,
      rates: encodeRateTotals(emptyRateTotals),
    },
  };
}
