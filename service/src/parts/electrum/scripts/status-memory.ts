import { createHash, type Hash } from 'node:crypto';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { BlockName, ChainView } from '../../../chain/chain-view.ts';
import { type ConfirmedTx, hashConfirmed } from './status-rules.ts';

/** A confirmed transaction with the id that the index gave it: ids ascend in the order of the chain. */
export type IndexedTx = ConfirmedTx & { readonly txId: number };

/** What the status of a script has taken in of its confirmed history, up to a block. */
export type HashedHistory = {
  /** Is copied, never added to. */
  readonly hash: Hash;
  readonly txs: number;
  /** Height of the last of these transactions. */
  readonly topHeight: number;
  /** The block up to which the history is taken in, and the last of its transactions. */
  readonly block: { readonly height: number; readonly hash: Uint8Array };
  readonly lastTxId: number;
};

/** What is remembered with more of the history taken in: all that follows on it up to a block, at least one transaction. */
export function addToHashed(
  known: HashedHistory | undefined,
  confirmed: readonly IndexedTx[],
  { height, hash: blockHash }: BlockName,
): HashedHistory {
  const hash = known?.hash.copy() ?? createHash('sha256');
  hashConfirmed(hash, confirmed);
  const last = confirmed.at(-1)!;
  return {
    hash,
    txs: (known?.txs ?? 0) + confirmed.length,
    topHeight: last.height,
    block: { height, hash: blockHash },
    lastTxId: last.txId,
  };
}

/**
 * Remembers how far the statuses of scripts were computed, so that a new block costs the rows that it adds, and not the whole history of a
 * script. What is remembered follows from the chain up to a block alone: while that block is in the best chain, it holds.
 */
export type StatusMemory = {
  /** What is remembered and holds in this view. */
  find(view: ChainView, name: string): Promise<HashedHistory | undefined>;
  keep(name: string, hashed: HashedHistory): void;
};

/** Some 800 bytes each. */
const MOST_KEPT = 20_000;
/** Shorter histories are read as fast as they are remembered. */
const FEWEST_TXS = 32;

/** Creates an empty memory; what was used longest ago gives way. */
export function createStatusMemory(mostKept = MOST_KEPT): StatusMemory {
  const kept = new Map<string, HashedHistory>();
  return {
    async find(view, name) {
      const hashed = kept.get(name);
      if (hashed === undefined) return undefined;
      const present = await view.nameBlockAt(hashed.block.height);
      if (present === undefined || !equalBytes(present.hash, hashed.block.hash)) return undefined;
      kept.delete(name);
      kept.set(name, hashed);
      return hashed;
    },
    keep(name, hashed) {
      if (hashed.txs < FEWEST_TXS) return;
      kept.delete(name);
      kept.set(name, hashed);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    },
  };
}
