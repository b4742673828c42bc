import type { Writer } from '../../db/database.ts';
import { type SqlValue, sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import type { PartRow } from './part.ts';
import { keyOfRow, normalizeRow } from './part-rows.ts';

const SCANNED_AT_ONCE = 2_000;

/** Prepares to read all rows of a table in the order of its key, a page at a time. */
export function createTableScan(writer: Writer, table: Table): () => AsyncGenerator<PartRow> {
  const bigints = table.columns.some(({ type }) => type === 'amount');
  const key = table.primaryKey.join(', ');
  const places = table.primaryKey.map((_, i) => `$${i + 1}`).join(', ');
  const select = `select ${table.columns.map(({ name }) => name).join(', ')} from ${table.name}`;
  const first = sql<PartRow>(`${select} order by ${key} limit $1`, { bigints });
  const next = sql<PartRow>(
    `${select} where (${key}) > (${places}) order by ${key} limit $${table.primaryKey.length + 1}`,
    { bigints },
  );
  return async function* scan() {
    for (let after: SqlValue[] | undefined; ; ) {
      const rows = after
        ? await writer.all(next, [...after, SCANNED_AT_ONCE])
        : await writer.all(first, [SCANNED_AT_ONCE]);
      for (const row of rows) yield normalizeRow(table, row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < SCANNED_AT_ONCE) return;
      after = keyOfRow(table, last);
    }
  };
}
