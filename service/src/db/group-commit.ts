/**
 * One commit for many transactions: SQLite has one writer, and its commit waits for the disk. What is asked for while
 * one transaction runs is done in the next, each in a savepoint of its own, so that as many are on the disk in one wait.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';

type Work = (trx: Transaction<unknown>) => Promise<unknown>;
type Waiting = { work: Work; resolve: (value: unknown) => void; reject: (error: unknown) => void };

/** A failed commit fails all of its group. */
const MAX_GROUP = 100;

/** Runs `work` as if in a transaction of its own; what it throws takes only its own changes back. */
export function createGroupCommit(db: Kysely<unknown>): (work: Work) => Promise<unknown> {
  const waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      // Everything here is synchronous underneath: without a turn of the event loop nobody could come to the group.
      await nextTurn();
      await runGroup(db, waiting.splice(0, MAX_GROUP));
    }
    isRunning = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (!isRunning) void run();
    });
}

async function runGroup(db: Kysely<unknown>, group: readonly Waiting[]): Promise<void> {
  const tells: (() => void)[] = [];
  try {
    await db.transaction().execute(async (trx) => {
      for (const { work, resolve, reject } of group) {
        await sql`savepoint one`.execute(trx);
        try {
          const result = await work(trx);
          tells.push(() => resolve(result));
        } catch (error) {
          // After a full disk or an I/O error SQLite has taken back all of the group by itself: that is what has happened to each.
          await sql`rollback to one`.execute(trx).catch(() => {
            throw error;
          });
          tells.push(() => reject(error));
        }
        await sql`release one`.execute(trx);
      }
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
    return;
  }
  // Nobody is told before it is on the disk.
  for (const tell of tells) tell();
}
