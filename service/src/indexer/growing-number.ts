import type { Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';

/** One question for both reading and writing: PostgreSQL is asked within each step of the tip, and a question is a round trip. */
const RAISE = sql<{ value: string }>(
  `insert into meta (key, value) values ($1, $2)
   on conflict (key) do update set value = case
     when cast(meta.value as bigint) < cast(excluded.value as bigint) then excluded.value
     else cast(cast(meta.value as bigint) + 1 as text)
   end
   returning value`,
);

/** A number in the table `meta` by which readers tell whether what they remember still holds. */
export type GrowingNumber = {
  /** Raises it within the transaction under way, and returns what it is then. */
  raise(): Promise<number>;
};

/** Opens the number that the database holds under a key. */
export function openGrowingNumber(writer: Writer, key: 'revision' | 'runs'): GrowingNumber {
  // A crash of the database may take back its last commits, which others have read: their numbers are never used again.
  const least = Date.now();
  return {
    raise: async () => Number((await writer.get(RAISE, [key, String(least)]))!.value),
  };
}
