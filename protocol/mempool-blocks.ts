/** The mempool cut into the blocks that it would fill. */

/** Transactions of the mempool with about the same fee rate. */
export type MempoolStep = { vsize: number; txs: number };

/** Virtual bytes of a block (BIP-141). */
export const BLOCK_VSIZE = 1_000_000;

/** Lower bounds of the bands by which fee rates are told apart and coloured, base units per virtual byte. */
export const FEE_BANDS = [0, 2, 4, 8, 15, 30, 60, 125] as const;

/** The band of a rate, 0 for the cheapest. */
export function feeBandOf(perVb: number): number {
  return Math.max(
    0,
    FEE_BANDS.findLastIndex((bound) => perVb >= bound),
  );
}

/**
 * The block that a transaction comes into, 1 for the next one: the one in which its first byte lies. So transactions and the steps of
 * {@link cutIntoBlocks} are in the same blocks.
 *
 * @param vsizeAbove virtual bytes of all that pays more
 */
export function blockBehind(vsizeAbove: number): number {
  return Math.floor(vsizeAbove / BLOCK_VSIZE) + 1;
}

/**
 * Cuts steps, highest rate first, into blocks of {@link BLOCK_VSIZE}; the last of `most` has all the rest. A step on a border is divided, and its
 * transactions with it: their sums stay the same.
 *
 * @returns the steps of each block, in their order
 */
export function cutIntoBlocks<S extends MempoolStep>(steps: readonly S[], most: number): S[][] {
  const blocks: S[][] = [];
  let room = 0;
  for (const step of steps) {
    for (let { vsize, txs } = step; vsize > 0; ) {
      if (room === 0) {
        blocks.push([]);
        room = blocks.length === most ? Number.POSITIVE_INFINITY : BLOCK_VSIZE;
      }
      const taken = Math.min(vsize, room);
      const share = Math.round((txs * taken) / vsize);
      blocks.at(-1)!.push({ ...step, vsize: taken, txs: share });
      [vsize, txs, room] = [vsize - taken, txs - share, room - taken];
    }
  }
  return blocks;
}
