import type { Reader, Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';

const GET = sql<{ value: string }>("select value from meta where key = 'lowest_fork'");
const PUT = sql(
  `insert into meta (key, value) values ('lowest_fork', $1) on conflict (key) do update set value = excluded.value`,
);

/**
 * The lowest block that a reorg may build on: of all blocks above it, the undo rows are there. It is kept because it does
 * not follow from tip and horizon: a tip that went down, or a horizon that was raised, brings no undo rows back.
 */
export async function loadLowestFork(reader: Reader): Promise<number> {
  return Number((await reader.get(GET))?.value ?? 0);
}

/** Keeps it, within the transaction that deletes undo rows or does without them. */
export async function saveLowestFork(writer: Writer, height: number): Promise<void> {
  await writer.run(PUT, [String(height)]);
}
