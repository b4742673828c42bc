import { sql } from 'kysely';
import type { Precious } from '../../db/precious.ts';
import type { AnchorTables } from './anchor-store.ts';

/** Any fixed number: the name of the turn among the advisory locks of the database. */
const TURN_LOCK = 0x616e7475;
/** Who would wait behind more is sent away: a wallet takes some milliseconds a transaction, or does not answer at all. */
const MAX_WAITING = 100;

/** Runs one after the other what uses the wallet; undefined when too many wait. */
export type TakeTurn = <R>(work: () => Promise<R>) => Promise<R | undefined>;

/**
 * Makes the turn of a wallet. On PostgreSQL it is one for all processes; on SQLite there is one process that signs, and
 * were there two, the table of coins keeps them apart.
 */
export function createTurn(precious: Precious): TakeTurn {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const lockAll = async <R>(work: () => Promise<R>): Promise<R> => {
    if (precious.engine !== 'postgres') return await work();
    // The work commits by connections of its own, step by step; this one only holds the lock.
    return await precious.transaction<AnchorTables, R>(async (trx) => {
      await sql`select pg_advisory_xact_lock(${TURN_LOCK})`.execute(trx);
      return await work();
    });
  };
  return async (work) => {
    if (waiting >= MAX_WAITING) return undefined;
    waiting += 1;
    const turn = last.then(() => lockAll(work));
    last = turn
      .catch(() => {})
      .finally(() => {
        waiting -= 1;
      });
    return await turn;
  };
}
