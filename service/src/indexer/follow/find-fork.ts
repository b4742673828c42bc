import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { RPC_CODE } from '../../node/node-error.ts';
import { readFieldsOfEach, readHash } from '../../node/read-answer.ts';
import type { NodeClient } from '../../node/rpc-client.ts';
import type { Tip } from '../../node/tip-watcher.ts';

const FIND_HASH = sql<{ hash: Uint8Array }>('select hash from block where height = $1');

/** How the index stands to the node's best chain. */
export type Relation =
  /** The node's tip is ours. */
  | { kind: 'equal' }
  /** Ours is an ancestor, or shares one: blocks above `forkHeight` are to be replaced by the node's. */
  | { kind: 'follow'; forkHeight: number; forkHash: Uint8Array }
  /** The node has a part of our chain only, and has not refused the rest: it is catching up itself. */
  | { kind: 'node_behind' }
  /** Blocks at least so deep would have to be undone, which cannot be. */
  | { kind: 'too_deep'; depth: number }
  | { kind: 'other_chain'; genesisHash: string };

/** What the profile and the operator fix. */
export type ChainRules = {
  /** Display hex. */
  genesisHash: string;
  /** More blocks than this are not undone. */
  horizonBlocks: number;
};

/** Where the index ends. */
export type IndexEnd = {
  /** -1 when it is empty. */
  height: number;
  /** Height of the lowest block that a reorg may build on. */
  lowestFork: number;
};

const HASHES_AT_ONCE = 32;

/**
 * Compares the index with the node's best chain: where they part, and whether to follow.
 *
 * @throws NodeError
 */
export async function compareWithNode(
  node: NodeClient,
  reader: Reader,
  { height: ourHeight, lowestFork }: IndexEnd,
  tip: Tip,
  { genesisHash, horizonBlocks }: ChainRules,
): Promise<Relation> {
  if (ourHeight < 0) {
    const found = await fetchGenesisHash(node);
    if (found !== genesisHash) return { kind: 'other_chain', genesisHash: found };
    return { kind: 'follow', forkHeight: -1, forkHash: new Uint8Array(32) };
  }
  const ours = await reader.get(FIND_HASH, [ourHeight]);
  const ourHash = ours && toDisplayHash(ours.hash);
  if (ourHeight === tip.height && ourHash === tip.hash) return { kind: 'equal' };
  if (ours && ourHeight === tip.height - 1 && ourHash === tip.previousHash)
    return { kind: 'follow', forkHeight: ourHeight, forkHash: ours.hash };

  // The node's tip is looked at however far below ours it is: a node that starts anew is behind, and no deep reorg.
  const top = Math.min(ourHeight, tip.height);
  const lowest = Math.max(0, lowestFork, ourHeight - horizonBlocks);
  const forkHeight = await findForkHeight(node, reader, top, Math.min(lowest, top));
  if (forkHeight === undefined) {
    const found = await fetchGenesisHash(node);
    if (found !== genesisHash) return { kind: 'other_chain', genesisHash: found };
    return { kind: 'too_deep', depth: ourHeight - lowest };
  }
  // A tip below ours on our own chain: either blocks were invalidated, or the node has yet to come back to them.
  if (forkHeight === tip.height && forkHeight < ourHeight && !(await isInvalidated(node, forkHeight))) {
    return { kind: 'node_behind' };
  }
  if (forkHeight < lowest) return { kind: 'too_deep', depth: ourHeight - forkHeight };
  const fork = await reader.get(FIND_HASH, [forkHeight]);
  return { kind: 'follow', forkHeight, forkHash: fork!.hash };
}

async function fetchGenesisHash(node: NodeClient): Promise<string> {
  return readHash(node, 'hash of its genesis block', await node.call<unknown>('getblockhash', [0]));
}

/** Highest height from `from` down to `lowest` at which both have the same block. */
async function findForkHeight(
  node: NodeClient,
  reader: Reader,
  from: number,
  lowest: number,
): Promise<number | undefined> {
  for (let top = from; top >= lowest; top -= HASHES_AT_ONCE) {
    const heights: number[] = [];
    for (let height = top; height > top - HASHES_AT_ONCE && height >= lowest; height--) heights.push(height);
    const answers = await node.batch(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
    for (const [i, answer] of answers.entries()) {
      // The node's tip may have gone down meanwhile: such a height is not shared.
      if (!answer.ok && answer.error.rpcCode === RPC_CODE.invalidParameter) continue;
      if (!answer.ok) throw answer.error;
      const ours = await reader.get(FIND_HASH, [heights[i]!]);
      if (ours && toDisplayHash(ours.hash) === answer.value) return heights[i];
    }
  }
  return undefined;
}

/** Whether the node holds a branch above this height that it was told, or found, to be invalid. */
async function isInvalidated(node: NodeClient, forkHeight: number): Promise<boolean> {
  const tips = readFieldsOfEach(node, 'list of chain tips', await node.call<unknown>('getchaintips'));
  return tips.some(
    ({ height, branchlen, status }) =>
      status === 'invalid' && Number(height) - Number(branchlen) === forkHeight,
  );
}
