import type { ChainSource } from './chain-source.ts';
import { verifyProof } from './verify-proof.ts';

/**
 * What the chain says of an epoch. `in_time`: it could not be changed since. `waiting`: it may still be anchored in time. `late`: only since
 * then. `missing`: nothing in the chain speaks for it. `impossible`: it ends above the tip, or was anchored before it began.
 */
export const epochStands = ['in_time', 'waiting', 'late', 'missing', 'impossible'] as const;
export type EpochStand = (typeof epochStands)[number];

/** Blocks that the source of the chain may be behind the service that is checked. */
const SOURCE_BEHIND = 6;

/** Heights that an epoch is judged by. */
export type StandHeights = {
  /** The block with the digest of the checkpoint that the epoch was the newest of. */
  own: number | undefined;
  /** The lowest block with a checkpoint that holds the epoch. */
  lowest: number | undefined;
  tip: number;
  epochBlocks: number;
};

/** Judges an epoch by the blocks that speak for it. */
export function judgeEpoch(epoch: number, { own, lowest, tip, epochBlocks }: StandHeights): EpochStand {
  const last = (epoch + 1) * epochBlocks - 1;
  if (last >= tip + SOURCE_BEHIND || (own !== undefined && own < last + 1 - epochBlocks)) return 'impossible';
  const deadline = last + epochBlocks;
  if (lowest !== undefined) return lowest <= deadline ? 'in_time' : 'late';
  return tip <= deadline ? 'waiting' : 'missing';
}

/** The height of the block that has a digest, in the chain of the source. */
export async function findAnchorHeight(
  digest: string,
  { chain, marker }: { chain: ChainSource; marker?: Uint8Array | undefined },
): Promise<number | undefined> {
  const proof = await chain.lookUpProof(digest);
  const height = proof.primary?.height;
  if (!Number.isSafeInteger(height)) return undefined;
  const trustedBlock = await chain.getBlockHash(height!);
  const verdict = verifyProof(digest, proof, { trustedBlock, ...(marker === undefined ? {} : { marker }) });
  return verdict.ok ? height : undefined;
}

/** Judges what a log says of a block: it is to be anchored as the epoch of the block is. */
export function judgeBlock(
  height: number,
  { lowest, tip, epochBlocks }: Omit<StandHeights, 'own'>,
): EpochStand {
  if (height > tip + SOURCE_BEHIND || (lowest !== undefined && lowest < height - SOURCE_BEHIND))
    return 'impossible';
  const deadline = (Math.floor(height / epochBlocks) + 2) * epochBlocks - 1;
  if (lowest !== undefined) return lowest <= deadline ? 'in_time' : 'late';
  return tip <= deadline ? 'waiting' : 'missing';
}
