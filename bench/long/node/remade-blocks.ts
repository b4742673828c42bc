import { createBlockMaker } from '../chain/make-blocks.ts';
import { MIXES, type MixName } from '../chain/mixes.ts';

/** What is served of a block that was made again. */
export type RemadeBlock = { bytes: Buffer; spent: Buffer };

/** Blocks behind the last one that was made that are still there: a follower asks for several at a time. */
const HELD_BLOCKS = 256;
/** One who fetches headers is far ahead of one who fetches blocks, and each goes forward only. */
const MAKERS = 2;

/**
 * Makes the blocks of a chain once more, as they are asked for. Whoever asks for one that is long gone, of every maker, waits until the
 * chain was made anew up to there.
 */
export function createRemadeBlocks(mix: MixName, seed: number): (height: number) => RemadeBlock {
  /** The one that was asked last comes last. */
  const makers: Remaker[] = [];
  return (height) => {
    const able = makers.filter(({ reaches }) => reaches(height));
    let chosen = able.reduce<Remaker | undefined>(
      (most, each) => (most && most.made() >= each.made() ? most : each),
      undefined,
    );
    if (chosen) makers.splice(makers.indexOf(chosen), 1);
    else {
      if (makers.length === MAKERS) makers.shift();
      chosen = createRemaker(mix, seed);
    }
    makers.push(chosen);
    return chosen.make(height);
  };
}

/** Makes blocks in their order. */
type Remaker = { made(): number; reaches(height: number): boolean; make(height: number): RemadeBlock };

function createRemaker(mix: MixName, seed: number): Remaker {
  const held = new Map<number, RemadeBlock>();
  const maker = createBlockMaker(MIXES[mix], seed);
  let made = 0;
  return {
    made: () => made,
    reaches: (height) => height > made || held.has(height),
    make(height) {
      for (; made < height; made++) {
        const block = maker.next();
        held.set(block.height, { bytes: Buffer.from(block.bytes), spent: Buffer.from(block.spent) });
        held.delete(block.height - HELD_BLOCKS);
      }
      return held.get(height)!;
    },
  };
}
