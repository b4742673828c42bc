import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import { loadLowestFork } from '../connect/lowest-fork.ts';
import { memoryKey } from './part-rows.ts';
import { readUndoRows, type UndoRow } from './undo-rows.ts';

/** What rows of tables were behind an earlier block, of those that blocks since have changed; each once. */
export type UndoneRows = {
  /** In no order. */
  list(table: Table): UndoRow[];
  /** The row of a key; undefined where it is as it was. */
  find(table: Table, key: UndoRow['key']): UndoRow | undefined;
};

/**
 * More than this is not read, as packs and as rows: the main thread decodes them, and looks up what else belongs to each, which takes
 * 50 (SQLite) to 90 ms (PostgreSQL) for 10,000 balances.
 */
const MOST = { bytes: 2 ** 20, rows: 10_000 };

/** Why there is nothing: of blocks so old nothing is kept, or too much has changed since. */
export type NotUndone = 'too_old' | 'too_much';

const SUM_BYTES = sql<{ bytes: number | null }>(
  'select sum(length(rows)) as bytes from undo where height > $1 and table_name = $2',
);
const LIST_PACKS = sql<{ rows: Uint8Array }>(
  'select wide(rows) as rows from undo where height > $1 and table_name = $2 order by height',
);

/**
 * Reads what rows of some tables were behind the block at `height`, by what is kept for undoing the blocks above it: those that
 * `COINFRONT_REORG_HORIZON` still lets go.
 */
export async function readUndone(
  reader: Reader,
  tables: readonly Table[],
  height: number,
  most = MOST,
): Promise<UndoneRows | NotUndone> {
  if (height < (await loadLowestFork(reader))) return 'too_old';
  const byTable = new Map<string, Map<string | number, UndoRow>>();
  let bytes = 0;
  let rows = 0;
  for (const { name } of tables) {
    bytes += Number((await reader.get(SUM_BYTES, [height, name]))?.bytes ?? 0);
    if (bytes > most.bytes) return 'too_much';
  }
  for (const table of tables) {
    const undone = new Map<string | number, UndoRow>();
    // The lowest block comes first: what a row was behind the one below it is what its first change has kept.
    for (const pack of await reader.all(LIST_PACKS, [height, table.name])) {
      for (const row of readUndoRows(table, pack.rows)) {
        const key = memoryKey(row.key);
        if (!undone.has(key)) undone.set(key, row);
      }
    }
    rows += undone.size;
    if (rows > most.rows) return 'too_much';
    byTable.set(table.name, undone);
  }
  return {
    list: ({ name }) => [...byTable.get(name)!.values()],
    find: ({ name }, key) => byTable.get(name)!.get(memoryKey(key)),
  };
}
