import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** Every turn that reads asks for these: a third key would cost it 6 µs on SQLite, where two take 9. */
const GET = sql<{ key: keyof IndexState; value: string }>(
  "select key, value from meta where key in ('revision', 'runs')",
);

/** By what a snapshot tells whether what is remembered still holds: asked for together, since each question to a server is a round trip. */
export type IndexState = {
  /** See `revision.ts`. */
  revision: string;
  /** See `runs/runs-version.ts`. */
  runs: string;
};

/** Reads it; empty where there is none yet. */
export async function readIndexState(reader: Reader): Promise<IndexState> {
  const state: IndexState = { revision: '', runs: '' };
  for (const { key, value } of await reader.all(GET)) state[key] = value;
  return state;
}
