import type pg from 'pg';
import { type Database, DatabaseUnavailableError, type Reader } from './database.ts';
import { LargeReadError } from './large-read.ts';
import { runQuery, throwUnavailable } from './postgres-query.ts';
import { createLargeReader } from './postgres-reader.ts';
import { BEGIN, type ReadSnapshot } from './postgres-snapshots.ts';

/** Snapshots of which each has a connection of the pool by itself; who finds none free waits, and holds nothing meanwhile. */
export function createLargeSnapshots(pool: pg.Pool): ReadSnapshot {
  return async <T>(read: (reader: Reader) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch(throwUnavailable);
    let isBroken = false;
    try {
      await runQuery(client, { text: BEGIN });
      return await read(createLargeReader(client));
    } catch (error) {
      isBroken = error instanceof DatabaseUnavailableError;
      throw error;
    } finally {
      void endSnapshot(client, isBroken);
    }
  };
}

/** All that was read has been handed out: how this ends decides about the connection only. */
async function endSnapshot(client: pg.PoolClient, isBroken: boolean): Promise<void> {
  const ended =
    !isBroken &&
    (await runQuery(client, { text: 'commit' }).then(
      () => true,
      () => false,
    ));
  client.release(!ended);
}

/**
 * Two lanes: reads are made together with others, where they cost a share of a query. One that meets something large there gives way,
 * and is made once more in the lane of the large, so that these wait for each other and nobody else waits for them.
 */
export function createLanes(shared: ReadSnapshot, large: ReadSnapshot): Database['snapshot'] {
  return async (read, { isLarge = false, enterLarge } = {}) => {
    try {
      if (!isLarge) return await shared(read);
    } catch (error) {
      if (!(error instanceof LargeReadError)) throw error;
    }
    const leave = await enterLarge?.();
    try {
      return await large(read);
    } finally {
      leave?.();
    }
  };
}
