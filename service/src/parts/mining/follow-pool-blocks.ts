/** Remembers the blocks of the pool while they are in the chain, so that those that leave it can be told. */

import { getHexBytes, reverseBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, ReadChain } from '../../chain/chain-reads.ts';
import type { Precious } from '../../db/precious.ts';
import { pause } from '../../pause.ts';
import { listPoolBlocks, type PoolBlock } from './pool-block-store.ts';
import {
  insertSeenBlocks,
  listSeenBlocks,
  type MiningTables,
  markSeenBlocks,
  pruneSeenBlocks,
  type SeenBlock,
} from './seen-block-store.ts';

export type PoolBlockFollower = { stop(): Promise<void> };

export type PoolBlockFollowerOptions = {
  precious: Precious;
  readChain: ReadChain;
  now: () => number;
  /** The deepest reorganisation that is followed, in blocks. */
  horizonBlocks: number;
  /** A round failed; it is tried again. */
  onError: (error: unknown) => void;
};

const POLL_MS = 500;
const RETRY_MS = 5_000;
const BLOCKS_AT_ONCE = 500;

/** What has changed since the last round. */
type Changes = { tip: string; height: number; come: PoolBlock[]; left: string[]; back: string[] };

/**
 * Starts following. A round reads one snapshot and writes what it says; any number of processes may do it, and doing it
 * twice changes nothing.
 */
export function startPoolBlockFollower(options: PoolBlockFollowerOptions): PoolBlockFollower {
  const { precious, readChain, now, horizonBlocks, onError } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let followed: string | undefined;

  const findTip = (): Promise<{ hash: string; height: number } | undefined> =>
    readChain(async ({ tip }) => tip && { hash: toDisplayHash(tip.hash), height: tip.height });

  const follow = async (): Promise<void> => {
    const before = await findTip();
    if (before === undefined || before.hash === followed) return;
    // A little deeper than the view that is read next may be.
    const seen = await listSeenBlocks(precious.query<MiningTables>(), before.height - horizonBlocks);
    const changes = await readChain((view) => findChanges(view, seen, horizonBlocks));
    if (changes === undefined) return;
    for (let start = 0; start < changes.come.length; start += BLOCKS_AT_ONCE) {
      const chunk = changes.come.slice(start, start + BLOCKS_AT_ONCE);
      await precious.transaction<MiningTables, void>((trx) => insertSeenBlocks(trx, chunk, now()));
    }
    await precious.transaction<MiningTables, void>(async (trx) => {
      await markSeenBlocks(trx, changes.left, now());
      await markSeenBlocks(trx, changes.back, null);
      await pruneSeenBlocks(trx, changes.height - horizonBlocks);
    });
    followed = changes.tip;
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      let pauseMs = POLL_MS;
      try {
        await follow();
      } catch (error) {
        onError(error);
        pauseMs = RETRY_MS;
      }
      await pause(pauseMs, signal);
    }
  };

  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** A block has left when another one stands at its height: an index that is being rebuilt says nothing of it. */
async function findChanges(
  view: ChainView,
  seen: readonly SeenBlock[],
  horizonBlocks: number,
): Promise<Changes | undefined> {
  const { tip } = view;
  if (tip === undefined) return undefined;
  const lowest = tip.height - horizonBlocks;
  const rows = (await listPoolBlocks(view.reader, tip.height + 1, horizonBlocks)).filter(
    ({ height }) => height > lowest,
  );
  const present = new Set(rows.map(({ hash }) => hash));
  const known = new Set(seen.map(({ hash }) => hash));
  const left: string[] = [];
  const back: string[] = [];
  for (const { hash, height, hasLeft } of seen) {
    if (height > tip.height || (!hasLeft && present.has(hash))) continue;
    const isThere = (await view.findBlock(reverseBytes(getHexBytes(hash)))) !== undefined;
    if (isThere === hasLeft) (isThere ? back : left).push(hash);
  }
  return {
    tip: toDisplayHash(tip.hash),
    height: tip.height,
    come: rows.filter(({ hash }) => !known.has(hash)),
    left,
    back,
  };
}
