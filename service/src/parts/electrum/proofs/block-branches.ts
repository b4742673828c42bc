import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { branchOf, buildLevels, type HashLevels } from './hash-tree-rules.ts';

/** Merkle branches of transactions; a wallet that is restored asks for many of neighbouring blocks. */
export type BlockBranches = {
  find(view: ChainView, block: BlockRecord, position: number): Promise<Uint8Array[]>;
};

/** Bytes of trees that are kept: of a hundred full blocks. */
const KEPT_BYTES = 16 * 2 ** 20;

/** Creates branches that keep the trees of the blocks that were asked for last. */
export function createBlockBranches(): BlockBranches {
  /** By hash of the block, the one used last at the end. */
  const kept = new Map<string, HashLevels>();
  let bytes = 0;
  return {
    async find(view, block, position) {
      const name = bytesToHex(block.hash);
      let levels = kept.get(name);
      kept.delete(name);
      if (levels) bytes -= sizeOf(levels);
      levels ??= buildLevels(await view.listBlockTxids(block));
      kept.set(name, levels);
      bytes += sizeOf(levels);
      for (const [other, its] of kept) {
        if (bytes <= KEPT_BYTES || other === name) break;
        kept.delete(other);
        bytes -= sizeOf(its);
      }
      return branchOf(levels, position);
    },
  };
}

function sizeOf(levels: HashLevels): number {
  return levels.reduce((sum, level) => sum + level.length, 0);
}
