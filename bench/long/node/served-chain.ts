import type { BlockLog } from '../chain/block-log.ts';
import { createHashHeights } from './hash-heights.ts';
import type { RemadeBlock } from './remade-blocks.ts';

/** The chain as the stand-in of a node shows it: up to a tip that is moved. Hashes are display hex. */
export type ServedChain = {
  tipHeight(): number;
  /** Shows the blocks up to `height`, of the branch when there is one and it is asked for. */
  showTip(height: number, onBranch: boolean): void;
  /** Undefined above the tip. */
  hashAt(height: number): string | undefined;
  /** Height of any block that is known, whether it is shown or not. */
  heightOf(hash: string): number | undefined;
  /** Transactions up to the height of the tip, whichever branch it is on. */
  countTransactions(): number;
  /** The bytes of a block that is known, or the first `most` of them. */
  read(hash: string, most?: number): Buffer | undefined;
  /** The bytes of a block that the log has, whether it is shown or not; undefined above the last one. */
  readAt(height: number): Buffer | undefined;
  /** What a block spends; undefined for those of a branch, of which it is not known. */
  readSpent(hash: string): Buffer | undefined;
};

/**
 * Serves a log from its first block on, and another one in place of its end.
 *
 * @param spent what the blocks spend that `main` keeps; nothing is said of it without
 * @param remake gives blocks that the log does not keep
 */
export function createServedChain(
  main: BlockLog,
  {
    branch,
    spent,
    tip,
    remake,
  }: {
    branch?: BlockLog | undefined;
    spent?: BlockLog | undefined;
    tip: number;
    remake: (height: number) => RemadeBlock;
  },
): ServedChain {
  const logs = branch ? [main, branch] : [main];
  const finders = logs.map((log) => ({ log, find: createHashHeights(log) }));
  let height = tip;
  let branched = false;

  const find = (hash: string): { log: BlockLog; height: number } | undefined => {
    const internal = Buffer.from(hash, 'hex').reverse();
    for (const { log, find: findIn } of finders) {
      const found = findIn(internal);
      if (found !== undefined) return { log, height: found };
    }
    return undefined;
  };
  const readFrom = (log: BlockLog, at: number, most?: number): Buffer =>
    log.has(at) ? log.read(at, most) : remake(at).bytes.subarray(0, most);

  return {
    tipHeight: () => height,
    showTip(next, onBranch) {
      height = next;
      branched = onBranch;
    },
    hashAt(asked) {
      if (asked < 0 || asked > height) return undefined;
      const log = branched && branch && asked >= branch.firstHeight ? branch : main;
      return Buffer.from(log.hashAt(asked)).reverse().toString('hex');
    },
    heightOf: (hash) => find(hash)?.height,
    countTransactions: () => main.transactionsTo(Math.min(height, main.lastHeight)),
    read(hash, most) {
      const found = find(hash);
      return found && readFrom(found.log, found.height, most);
    },
    readAt: (at) => (at <= main.lastHeight ? readFrom(main, at) : undefined),
    readSpent(hash) {
      const found = find(hash);
      if (!spent || found?.log !== main) return undefined;
      return spent.has(found.height) ? spent.read(found.height) : remake(found.height).spent;
    },
  };
}
