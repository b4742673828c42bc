import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesToHex, getHexBytes, reverseBytes } from '@coinfront/protocol/bytes.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import { NodeError } from '../../node/node-error.ts';
import type { NodeClient } from '../../node/rpc-client.ts';
import { fetchRaws } from './fetch-raws.ts';
import type { Mempool } from './mempool.ts';

/** Transactions fetched and stored at once: bounds memory and the length of a write. */
const TXS_AT_ONCE = 500;
/** Txids compared without a new block being heard of meanwhile: 5 ms of them, where a large mempool has hundreds of thousands. */
const COMPARED_AT_ONCE = 5_000;
/** More transactions than this are not held; the others come as these are mined. */
export const MAX_MEMPOOL_TXS = 500_000;
const TXID = /^[0-9a-f]{64}$/;

/**
 * How the mempool stands to the node's: all of it is known; as much as may be held; or something is still to come, and it may
 * be half of a change.
 */
export type MempoolView = 'whole' | 'bounded' | 'partial';

/**
 * Brings the mempool to the node's: what left it goes, what is new is fetched. Transactions that appear or vanish while
 * this runs are found by the next look. Nothing is done when the node is at another block than the index: what that
 * block mined has left the node's mempool, and would be nowhere until the index has the block, too.
 *
 * @param tipHash display hex of the block that the index ends with
 * @param isStale asked now and then; true stops early, since the tip is more urgent
 * @param between called between chunks: filling a large mempool takes long
 * @throws NodeError
 */
export type LookAtMempool = (
  tipHash: string,
  isStale: () => boolean,
  between?: () => Promise<void>,
) => Promise<MempoolView>;

/** @param mostTxs from how many on nothing is fetched */
export function openMempoolLook(
  node: NodeClient,
  mempool: Mempool,
  mostTxs = MAX_MEMPOOL_TXS,
): LookAtMempool {
  /** Those that only an extension block has: they cannot be held, and are not fetched again while the node lists them. */
  let hidden: ReadonlySet<string> = new Set();

  return async (tipHash, isStale, between) => {
    const listed = await listMempool(node);
    // Asked after the list: a node changes its mempool first and its tip then, and answers about the tip when both are done.
    if ((await node.call<unknown>('getbestblockhash')) !== tipHash) return 'partial';
    const present = new Set<string>();
    const missing: string[] = [];
    const stillHidden = new Set<string>();
    const isCompared = await visitInTurns(listed, isStale, (item) => {
      const txid = requireTxid(node, item);
      const internal = toInternal(txid);
      present.add(internal);
      if (hidden.has(txid)) stillHidden.add(txid);
      else if (!mempool.has(internal)) missing.push(txid);
    });
    if (!isCompared) return 'partial';
    const gone: string[] = [];
    const isLookedThrough = await visitInTurns(mempool.txids(), isStale, (txid) => {
      if (!present.has(txid)) gone.push(txid);
    });
    if (!isLookedThrough) return 'partial';
    const held = mempool.size;
    // A node that was started anew reads its old mempool little by little: what it lacks yet is not gone.
    const isLoading = gone.length > 0 && (await isMempoolLoading(node));
    if (gone.length > 0 && !isLoading) await mempool.update([], gone, Date.now());

    const room = Math.max(0, mostTxs - held + (isLoading ? 0 : gone.length));
    const wanted = missing.slice(0, room);
    hidden = stillHidden;
    let orphans = 0;
    let lost = 0;
    for (let start = 0; start < wanted.length && !isStale(); start += TXS_AT_ONCE) {
      if (start > 0) await between?.();
      const chunk = wanted.slice(start, start + TXS_AT_ONCE);
      const raws = await fetchRaws(node, chunk);
      lost += chunk.length - raws.size;
      orphans += await addParentsFirst(mempool, [...raws.values()]);
      for (const [txid, raw] of raws)
        if (!mempool.has(toInternal(txid)) && !parseTransaction(raw).ok) stillHidden.add(txid);
    }
    // With one lost, what replaced or mined it is not known yet: half of a change.
    if (lost > 0 || isLoading || isStale()) return 'partial';
    if (wanted.length < missing.length) return 'bounded';
    return orphans === 0 ? 'whole' : 'partial';
  };
}

async function listMempool(node: NodeClient): Promise<unknown[]> {
  const listed = await node.call<unknown>('getrawmempool');
  if (Array.isArray(listed)) return listed;
  throw new NodeError('invalid_answer', `The node at ${node.origin} gave no mempool.`);
}

function requireTxid(node: NodeClient, listed: unknown): string {
  if (typeof listed === 'string' && TXID.test(listed)) return listed;
  throw new NodeError('invalid_answer', `The node at ${node.origin} listed a mempool entry that is no txid.`);
}

/** Visits all, with turns of the event loop between some thousands of them; false where it was stopped. */
async function visitInTurns<T>(
  items: Iterable<T>,
  isStale: () => boolean,
  visit: (item: T) => void,
): Promise<boolean> {
  let visited = 0;
  for (const item of items) {
    visit(item);
    if (++visited % COMPARED_AT_ONCE > 0) continue;
    await nextTurn();
    if (isStale()) return false;
  }
  return true;
}

function toInternal(txid: string): string {
  return bytesToHex(reverseBytes(getHexBytes(txid)));
}

async function isMempoolLoading(node: NodeClient): Promise<boolean> {
  const info = await node.call<{ loaded?: unknown } | null>('getmempoolinfo');
  return info?.loaded === false;
}

/** The node lists children and parents in any order: those that could not be added are offered again. */
async function addParentsFirst(mempool: Mempool, raws: readonly Uint8Array[]): Promise<number> {
  let orphans = await mempool.update(raws, [], Date.now());
  for (let before = raws.length; orphans > 0 && orphans < before; ) {
    before = orphans;
    orphans = await mempool.update(raws, [], Date.now());
  }
  return orphans;
}
