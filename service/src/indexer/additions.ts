import type { Writer } from '../db/database.ts';
import type { ChainState } from './chain-state.ts';
import { createKeyAdditions, type KeyAdditions } from './key-additions.ts';
import { scriptKeys, txKeys } from './key-index.ts';
import { openSpendAdditions, type SpendAdditions } from './spend-additions.ts';

/**
 * What a transaction of the database adds to the tables whose rows are pages that any batch changes nearly all of: kept in
 * memory over many batches, so that each page is read and written once for all of them.
 */
export type Additions = {
  readonly txs: KeyAdditions;
  readonly scripts: KeyAdditions;
  readonly spends: SpendAdditions;
  /** Whether there are so many keys, or they would change so many pages that the log of the database grows large. */
  isFull(keys: number): boolean;
  /** Whether there are keys that are not in their pages. */
  hasKeys(): boolean;
  /** Writes the keys, though not to their pages where they are few: see `KeyIndex`. */
  keepKeys(): Promise<void>;
  /** Writes all that is not written yet, keys as {@link Additions.keepKeys} does. */
  keep(): Promise<void>;
  /** Writes all that is not written yet, keys to their pages. */
  write(): Promise<void>;
  /** Forgets all that is not written: the tables are of this state. */
  reset(state: ChainState): Promise<void>;
};

/** Of which each may change another leaf: up to 1 GB of a log. */
const MOST_PAGES = 1 << 17;

/** Begins with nothing added to the tables of this state. */
export async function openAdditions(writer: Writer, state: ChainState): Promise<Additions> {
  const txs = createKeyAdditions(writer, txKeys);
  const scripts = createKeyAdditions(writer, scriptKeys);
  const spends = openSpendAdditions(writer);

  const keepKeys = async (): Promise<void> => {
    await txs.keep();
    await scripts.keep();
  };
  const reset = async ({ totals }: ChainState): Promise<void> => {
    spends.reset();
    await txs.reset(totals.txs);
    await scripts.reset(totals.scripts);
  };
  await reset(state);

  return {
    txs,
    scripts,
    spends,
    isFull: (keys) => txs.size + scripts.size >= keys || txs.pages + scripts.pages >= MOST_PAGES,
    hasKeys: () => txs.size + scripts.size > 0,
    keepKeys,
    async keep() {
      await keepKeys();
      await spends.write();
    },
    async write() {
      await txs.write();
      await scripts.write();
      await spends.write();
    },
    reset,
  };
}
