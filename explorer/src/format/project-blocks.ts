/** The blocks that the mempool would fill, from its steps by fee rate: what pays most comes first. */

import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { BLOCK_VSIZE, cutIntoBlocks } from '@coinfront/protocol/mempool-blocks.ts';

type Step = FeeReportJson['mempool']['histogram'][number];

/** A block to come, as the mempool is now. */
export type ProjectedBlock = {
  vsize: number;
  txCount: number;
  /** Rates of its dearest and of its cheapest step, base units per virtual byte. */
  highest: number;
  lowest: number;
  /** How many blocks it stands for: more than one for the last, where the mempool has more. */
  blocks: number;
};

/** Fills blocks from the steps, highest first; the last of `most` holds all the rest. */
export function projectBlocks(steps: readonly Step[], most: number): ProjectedBlock[] {
  const rated = steps.map(({ per_vb, vsize, tx_count: txs }) => ({ rate: Number(per_vb), vsize, txs }));
  return cutIntoBlocks(rated, most).map((block) => {
    const vsize = block.reduce((sum, step) => sum + step.vsize, 0);
    return {
      vsize,
      txCount: block.reduce((sum, { txs }) => sum + txs, 0),
      highest: block[0]!.rate,
      lowest: block.at(-1)!.rate,
      blocks: Math.ceil(vsize / BLOCK_VSIZE),
    };
  });
}
