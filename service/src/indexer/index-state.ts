import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';

const GET = sql<{ key: keyof IndexState; value: string }>(
  "select key, value from meta where key in ('revision', 'runs', 'identity')",
);

/** By what a snapshot tells whether what is remembered still holds: asked for together, since each question to a server is a round trip. */
export type IndexState = {
  /** See `revision.ts`. */
  readonly revision: string;
  /** See `runs/runs-version.ts`. */
  readonly runs: string;
  /** Undefined in an index that was never made. */
  readonly identity?: string;
};

/** Reads it; empty numbers where there are none yet. */
export async function readIndexState(reader: Reader): Promise<IndexState> {
  const state = { revision: '', runs: '' };
  for (const { key, value } of await reader.all(GET)) Object.assign(state, { [key]: value });
  return state;
}
