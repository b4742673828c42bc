import type { Run } from './run-set.ts';

/** So many runs of one size class, or more, are merged into one of the next: an entry is written once for each factor of this. */
const FAN_IN = 8;

/** What decides about merging. */
export type MergeGround = {
  /** The oldest first. */
  readonly runs: readonly Pick<Run, 'firstHeight' | 'lastHeight' | 'txs'>[];
  readonly tipHeight: number;
  /** Blocks so deep are never undone. */
  readonly horizonBlocks: number;
  /** Runs that are being merged, or must stay for another reason. */
  readonly isTaken: (index: number) => boolean;
};

/** Runs `from .. to` (included) are to become one. */
export type MergeWindow = { readonly from: number; readonly to: number; readonly sizeClass: number };

/**
 * The next runs to merge: neighbours that are small for their place, as many as make one of the next size class. So there are
 * never many more than eight runs of each class, and the number of classes grows with the logarithm of the chain. They are eight
 * or more, too: two large ones of a class may make one of the next, and would be written again for little.
 *
 * Undoing blocks cuts a run, and what was below them in it has to be made anew: near the tip a run has at most a
 * quarter as many blocks as lie above it. There any number is merged, since what is read most is to be in few runs.
 */
export function chooseMerge({
  runs,
  tipHeight,
  horizonBlocks,
  isTaken,
}: MergeGround): MergeWindow | undefined {
  const classes = runs.map(({ txs }) => sizeClass(txs));
  const most = Math.max(0, ...classes);
  for (let level = 0; level <= most; level++) {
    const wanted = FAN_IN ** (level + 1);
    let from = 0;
    let txs = 0;
    for (let i = 0; i < runs.length; i++) {
      if (isTaken(i) || classes[i]! > level) {
        from = i + 1;
        txs = 0;
        continue;
      }
      txs += runs[i]!.txs;
      if (txs < wanted || i === from) continue;
      const depth = tipHeight - runs[i]!.lastHeight;
      const isDeep = depth >= horizonBlocks;
      if (isDeep && i - from + 1 < FAN_IN) continue;
      const blocks = runs[i]!.lastHeight - runs[from]!.firstHeight + 1;
      if (isDeep || blocks <= depth / 4) return { from, to: i, sizeClass: level };
      break;
    }
  }
  return undefined;
}

/** Runs of `FAN_IN ** class` transactions and more, up to the next class. */
export function sizeClass(txs: number): number {
  let found = 0;
  for (let most = FAN_IN; txs >= most; most *= FAN_IN) found++;
  return found;
}
