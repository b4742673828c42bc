import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { CONNECT_TIMEOUT_MS } from './postgres-pool.ts';
import { createServers } from './postgres-servers.ts';

/** Messages between processes; what is sent while there is no way is lost. */
export type Channel = {
  /** At most 7,999 bytes. */
  send(message: string): void;
  close(): Promise<void>;
};

const RETRY_MS = 1_000;

/**
 * Opens a channel of a PostgreSQL database, on a connection of its own that is made anew when it breaks.
 *
 * @param onMessage is told one's own, too
 */
export function openPostgresChannel(
  urls: string,
  name: string,
  onMessage: (message: string) => void,
): Channel {
  const closing = new AbortController();
  let client: pg.Client | undefined;

  const hold = async (): Promise<void> => {
    const opened = await createServers(urls).connect({
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'coinfront',
    });
    const ended = Promise.withResolvers<void>();
    opened.on('end', ended.resolve);
    opened.on('notification', ({ payload = '' }) => onMessage(payload));
    await opened.query(`listen ${opened.escapeIdentifier(name)}`);
    client = opened;
    if (closing.signal.aborted) await opened.end();
    await ended.promise;
    client = undefined;
  };

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await hold().catch(() => {});
      await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const ended = run();

  return {
    send(message) {
      client?.query('select pg_notify($1, $2)', [name, message]).catch(() => {});
    },
    async close() {
      closing.abort();
      await client?.end().catch(() => {});
      await ended;
    },
  };
}
