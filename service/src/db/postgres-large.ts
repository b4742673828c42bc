import type pg from 'pg';
import { DatabaseUnavailableError, type Reader } from './database.ts';
import { runQuery, throwUnavailable } from './postgres-query.ts';
import { createLargeReader } from './postgres-reader.ts';
import { BEGIN } from './postgres-snapshots.ts';
import type { ReadSnapshot } from './read-lanes.ts';

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
