import type { Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** The number of what a snapshot has. */
export const GET_REVISION = sql<{ value: string }>("select value from meta where key = 'revision'");
const PUT = sql(
  `insert into meta (key, value) values ('revision', $1) on conflict (key) do update set value = excluded.value`,
);

/**
 * The number of the index's content: it grows with every commit that changes tip or mempool, so a reader that finds it
 * unchanged knows that everything is.
 */
export type Revision = {
  /** Within the transaction whose change it names. */
  bump(): Promise<void>;
};

/**
 * Opens the counter that the database holds.
 *
 * @param announce is told each number, before the commit that gives it to the index
 */
export function openRevision(writer: Writer, announce: (revision: number) => void = () => {}): Revision {
  // A crash of the database may take back its last commits, which others have read: their numbers are never used again.
  const least = Date.now();
  return {
    async bump() {
      const before = Number((await writer.get(GET_REVISION))?.value ?? 0);
      const next = Math.max(before + 1, least);
      await writer.run(PUT, [String(next)]);
      announce(next);
    },
  };
}
