/** The blocks that the mempool would fill, from its steps by fee rate: what pays most comes first. */

import type { FeeReportJson } from '@coinfront/api/chain-state.ts';

type Step = FeeReportJson['mempool']['histogram'][number];

/** A block to come, as the mempool is now. */
export type ProjectedBlock = {
  vsize: number;
  /** A step that two blocks share is divided by its size, so this is near to it only. */
  txCount: number;
  /** Rates of its dearest and of its cheapest step, base units per virtual byte. */
  highest: number;
  lowest: number;
  /** How many blocks it stands for: more than one for the last, where the mempool has more. */
  blocks: number;
};

/** Virtual bytes of a block (BIP-141). */
const BLOCK_VSIZE = 1_000_000;

/** Fills blocks from the steps, highest first; the last of `most` holds all the rest. */
export function projectBlocks(steps: readonly Step[], most: number): ProjectedBlock[] {
  const blocks: ProjectedBlock[] = [];
  let open: ProjectedBlock | undefined;
  for (const { per_vb, vsize, tx_count: count } of steps) {
    const rate = Number(per_vb);
    let left = vsize;
    while (left > 0) {
      if (open === undefined || (open.vsize >= BLOCK_VSIZE && blocks.length < most)) {
        open = { vsize: 0, txCount: 0, highest: rate, lowest: rate, blocks: 1 };
        blocks.push(open);
      }
      const room = blocks.length === most ? left : BLOCK_VSIZE - open.vsize;
      const taken = Math.min(left, room);
      open.vsize += taken;
      open.txCount += (count * taken) / vsize;
      open.lowest = rate;
      left -= taken;
    }
  }
  return blocks.map((block) => ({
    ...block,
    txCount: Math.round(block.txCount),
    blocks: Math.max(1, Math.ceil(block.vsize / BLOCK_VSIZE)),
  }));
}

/** Lower bounds of the bands by which rates are coloured, base units per virtual byte. */
const bands = [2, 4, 8, 16, 32, 64, 128] as const;

/** The band of a rate, 0 for the cheapest. */
export function feeBand(rate: number): number {
  return bands.filter((bound) => rate >= bound).length;
}
