import type { Writer } from '../db/database.ts';
import type { ChainState } from './chain-state.ts';
import { type KeyAdditions, openKeyAdditions } from './key-additions.ts';
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
  writeKeys(): Promise<void>;
  /** Writes all that is not written yet. */
  write(): Promise<void>;
  /** Forgets all that is not written: the tables are of this state. */
  reset(state: ChainState): void;
};

/** Of which each may change another leaf: up to 1 GB of a log. */
const MOST_PAGES = 1 << 17;

/** Begins with nothing added to the tables of this state. */
export function openAdditions(writer: Writer, { totals }: ChainState): Additions {
  const txs = openKeyAdditions(writer, txKeys, totals.txs);
  const scripts = openKeyAdditions(writer, scriptKeys, totals.scripts);
  const spends = openSpendAdditions(writer);

  const writeKeys = async (): Promise<void> => {
    await txs.write();
    await scripts.write();
  };

  return {
    txs,
    scripts,
    spends,
    isFull: (keys) => txs.size + scripts.size >= keys || txs.pages + scripts.pages >= MOST_PAGES,
    writeKeys,
    async write() {
      await writeKeys();
      await spends.write();
    },
    reset(state) {
      txs.reset(state.totals.txs);
      scripts.reset(state.totals.scripts);
      spends.reset();
    },
  };
}
