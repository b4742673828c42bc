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
  /** Writes the keys to their pages. */
  writeKeys(): Promise<void>;
  /** Begins with nothing added to the tables, which are of this state. */
  load(state: ChainState): Promise<void>;
  /** Forgets all that is not written; {@link Additions.load} has to follow. */
  forget(): void;
};

/** Of which each may change another leaf: up to 1 GB of a log. */
const MOST_PAGES = 1 << 17;

/** Nothing is known of the tables before {@link Additions.load}. */
export function createAdditions(writer: Writer): Additions {
  const txs = createKeyAdditions(writer, txKeys);
  const scripts = createKeyAdditions(writer, scriptKeys);
  const spends = openSpendAdditions(writer);

  const keepKeys = async (): Promise<void> => {
    await txs.keep();
    await scripts.keep();
  };

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
    async writeKeys() {
      await txs.write();
      await scripts.write();
    },
    async load({ totals }) {
      spends.reset();
      await txs.load(totals.txs);
      await scripts.load(totals.scripts);
    },
    forget() {
      txs.forget();
      scripts.forget();
      spends.reset();
    },
  };
}
