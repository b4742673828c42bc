/** Keeps the balances of blocks in memory: the ledger is read once, and from then on only what was added to it. */

import type { Precious } from '../../../db/precious.ts';
import type { CursorTable, TreasuryTables } from '../schema/treasury-tables.ts';
import { addSteps, type BalanceStep } from './balance-steps.ts';
import { findCursor, listSteppingEntries } from './ledger-store.ts';

/** What the ledger has come to, block by block. */
export type Balances = { cursor: CursorTable; steps: readonly BalanceStep[] };

export type BalanceReader = {
  /** The balances up to the cursor of the ledger; undefined before its first block. */
  read(): Promise<Balances | undefined>;
};

const PAGE = 5_000;

/** Opens the reader of one process. */
export function createBalanceReader(precious: Precious): BalanceReader {
  let steps: readonly BalanceStep[] = [];
  let sequence = 0;

  const readOn = async (): Promise<Balances | undefined> => {
    const cursor = await findCursor(precious.query<TreasuryTables>());
    if (cursor === undefined || cursor.height < 0) return undefined;
    // The data were replaced by older ones.
    if (cursor.sequence < sequence) [steps, sequence] = [[], 0];
    if (cursor.sequence > sequence) steps = await follow([...steps], sequence, cursor.sequence);
    sequence = cursor.sequence;
    return { cursor, steps };
  };

  const follow = async (grown: BalanceStep[], from: number, to: number): Promise<BalanceStep[]> => {
    const db = precious.query<TreasuryTables>();
    for (let above = from; above < to; ) {
      const most = Math.min(PAGE, to - above);
      // One more: an assignment is two entries. Both are written at once, so the cursor parts none.
      const page = await listSteppingEntries(db, above, most + 1);
      const entries = page.slice(0, most);
      if (entries.length < most) throw new Error(`the ledger has no entry ${above + entries.length + 1}`);
      addSteps(grown, entries, page[most]);
      above += most;
    }
    return grown;
  };

  let last: Promise<unknown> = Promise.resolve();
  return {
    read() {
      const mine = last.then(readOn);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
