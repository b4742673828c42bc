import type { Writer } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { openGrowingNumber } from './growing-number.ts';

/** The number of what a snapshot has. */
export const GET_REVISION = sql<{ value: string }>("select value from meta where key = 'revision'");

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
  const revision = openGrowingNumber(writer, 'revision');
  return {
    bump: async () => announce(await revision.raise()),
  };
}
