import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { defineTable } from '../../db/table.ts';

/**
 * The files of the log of transactions, by number. Their names were never used before: those of an index that was deleted are not
 * taken for those of the one that is built in its place.
 */
export const txSegmentTable = defineTable({
  name: 'tx_segment',
  columns: { number: 'int', name: 'text' },
  primaryKey: ['number'],
});

const LIST = sql<{ number: number; name: string }>('select number, name from tx_segment order by number');

/** The names of the segments, by their numbers. */
export async function listSegments(reader: Reader): Promise<string[]> {
  return (await reader.all(LIST)).map(({ name }) => name);
}

/** Notes a segment that follows those that there are. */
export async function insertSegment(writer: Writer, number: number, name: string): Promise<void> {
  await writer.insert(txSegmentTable, 1, [[number], [name]]);
}
