import { createBlockMaker } from '../chain/make-blocks.ts';
import { MIXES, type MixName } from '../chain/mixes.ts';

/** Blocks behind the last one that was made that are still there: a follower asks for several at a time. */
const HELD_BLOCKS = 256;

/**
 * Makes the blocks of a chain once more, as they are asked for. Who asks for one long gone waits until the chain was made
 * anew up to there.
 */
export function createRemadeBlocks(mix: MixName, seed: number): (height: number) => Buffer {
  const held = new Map<number, Buffer>();
  let maker = createBlockMaker(MIXES[mix], seed);
  let made = 0;
  return (height) => {
    if (height <= made - HELD_BLOCKS) {
      maker = createBlockMaker(MIXES[mix], seed);
      made = 0;
      held.clear();
    }
    for (; made < height; made++) {
      const block = maker.next();
      held.set(block.height, Buffer.from(block.bytes));
      held.delete(block.height - HELD_BLOCKS);
    }
    return held.get(height)!;
  };
}
