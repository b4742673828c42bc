import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseUnavailableError, type Reader } from './database.ts';
import { runQuery, throwUnavailable } from './postgres-query.ts';
import { createSharedReader } from './postgres-together.ts';
import type { ReadSnapshot } from './read-lanes.ts';

/** Requests that share one snapshot, and so its queries. */
const SHARERS = 32;
/** Snapshots that are open at once where none takes long: with more of them fewer requests would share each. */
const FEW = 4;
const PATIENCE_MS = 20;

/** Begins a snapshot on a connection. */
export const BEGIN = 'begin isolation level repeatable read read only';

/** A read-only transaction that requests share. */
type SharedSnapshot = {
  reader: Promise<Reader>;
  users: number;
  /** The connection failed: nobody may use it again. */
  broken: boolean;
  end(): Promise<void>;
};

/**
 * Snapshots are read-only repeatable-read transactions on the connections of a pool. Requests of one turn of the event loop
 * share one; while a few are open, so do all who come until one of these ends. Nobody sees what was before his request, and
 * nobody waits for what is large: who asks for that is told by a {@link LargeReadError}.
 *
 * @param pool of connections that send queries ahead
 * @param patienceMs how long the next one waits for one of the few: reads that take long must not hold up all others
 */
export function createSnapshots(pool: pg.Pool, patienceMs = PATIENCE_MS): ReadSnapshot {
  let joinable: SharedSnapshot | undefined;
  let open = 0;
  let oneEnded = Promise.withResolvers<void>();

  function beginSnapshot(): SharedSnapshot {
    let client: pg.PoolClient | undefined;
    const begin = async (): Promise<Reader> => {
      await nextTurn();
      if (open >= FEW) await Promise.race([oneEnded.promise, delay(patienceMs, undefined, { ref: false })]);
      open++;
      client = await pool.connect().catch(throwUnavailable);
      // What comes from now on would be told of the time before it.
      if (joinable === mine) joinable = undefined;
      // Sent together with what is asked first.
      const begun = runQuery(client, { text: BEGIN });
      begun.catch(() => undefined);
      return createSharedReader(client, { onlySmall: true, begun });
    };
    const end = async (): Promise<void> => {
      // All that was read has been handed out: how this ends decides about the connection only.
      const ended =
        !mine.broken &&
        (await runQuery(client!, { text: 'commit' }).then(
          () => true,
          () => false,
        ));
      client?.release(!ended);
      open--;
      oneEnded.resolve();
      oneEnded = Promise.withResolvers();
    };
    const mine: SharedSnapshot = { reader: begin(), users: 0, broken: false, end };
    return mine;
  }

  return async (read) => {
    if (!joinable || joinable.users >= SHARERS) joinable = beginSnapshot();
    const mine = joinable;
    mine.users++;
    try {
      return await read(await mine.reader);
    } catch (error) {
      // What `read` itself throws, such as "no such block", leaves the connection as good as it was.
      if (error instanceof DatabaseUnavailableError) {
        mine.broken = true;
        if (joinable === mine) joinable = undefined;
      }
      throw error;
    } finally {
      mine.users--;
      if (mine.users === 0) void mine.end();
    }
  };
}
