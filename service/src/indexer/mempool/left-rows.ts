import type { Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

/**
 * Rows by script and by output of transactions that are gone. Nobody sees them without the transaction, so those of what a block mines stay
 * until there is time: of 2,500 transactions they are 20,000 rows, all over their tables.
 */
export type LeftRows = {
  readonly isEmpty: boolean;
  /** Within the caller's transaction: deletes those of transactions, by their ids. */
  deleteOf(ids: readonly number[]): Promise<void>;
  /** Leaves those of transactions for later. */
  leave(ids: readonly number[]): void;
  /** Within the caller's transaction: deletes some of what was left, or all of it. */
  deleteSome(): Promise<void>;
  deleteAll(): Promise<void>;
  /** Finds anew what was left, at the start and after the caller's rollback. */
  reload(): Promise<void>;
};

/** Each transaction spends something, so this finds all of which there are rows. */
const LIST_LEFT = sql<{ tx_id: number }>(
  `select distinct s.tx_id from mempool_spend s
   where not exists (select 1 from mempool_tx m where m.id = s.tx_id)`,
);
const DELETE_SCRIPTS = sql('delete from mempool_script where tx_id = any($1)');
const DELETE_SPENDS = sql('delete from mempool_spend where tx_id = any($1)');
/** About 8 ms. */
const TXS_AT_ONCE = 250;

/** Begins with none. */
export function createLeftRows(writer: Writer): LeftRows {
  let left: number[] = [];
  const deleteOf = async (ids: readonly number[]): Promise<void> => {
    if (ids.length === 0) return;
    await writer.lookup(DELETE_SCRIPTS, ids);
    await writer.lookup(DELETE_SPENDS, ids);
  };
  return {
    get isEmpty() {
      return left.length === 0;
    },
    deleteOf,
    leave(ids) {
      left = left.concat(ids);
    },
    deleteSome: () => deleteOf(left.splice(-TXS_AT_ONCE)),
    deleteAll: () => deleteOf(left.splice(0)),
    async reload() {
      left = (await writer.all(LIST_LEFT)).map((row) => row.tx_id);
    },
  };
}
