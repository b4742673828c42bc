import pg from 'pg';
import { createServers } from './postgres-servers.ts';

/** How long a server may take until a connection is there. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** What differs between pools. */
export type PoolOptions = Pick<pg.PoolConfig, 'pipeline' | 'types'> & {
  readonly max: number;
  readonly queryTimeoutMs: number;
  /** By which the server's list of sessions names them. */
  readonly applicationName?: string;
  /** Settings of each session by name. Given by a statement: poolers do not pass on what a connection begins with. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Looks at each new connection; what it throws ends that. */
  readonly check?: ((client: pg.ClientBase) => Promise<void>) | undefined;
};

/** Connections of a pool: those that are open, those of them in use, and who waits for one. */
export type PoolLoad = { readonly open: number; readonly busy: number; readonly waiting: number };

/** What a pool is doing. */
export function measurePool({ totalCount, idleCount, waitingCount }: pg.Pool): PoolLoad {
  return { open: totalCount, busy: totalCount - idleCount, waiting: waitingCount };
}

/** Opens a pool of connections to the primary of a list of addresses; nothing is connected before the first use. */
export function openPool(
  urls: string,
  { queryTimeoutMs, applicationName = 'coinfront', settings = {}, check, ...options }: PoolOptions,
): pg.Pool {
  const servers = createServers(urls);
  const entries = Object.entries(settings);
  const text = entries.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`).join(', ');
  const pool = new pg.Pool({
    ...options,
    Client: servers.Client,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: applicationName,
    async onConnect(client: pg.ClientBase) {
      // A connection that breaks here reports it twice, too.
      client.on('error', ignore);
      await servers.check(client);
      await check?.(client);
      if (entries.length > 0) await client.query(`select ${text}`, entries.flat());
      client.off('error', ignore);
    },
  });
  // Connections that break are replaced by the pool. Without listeners they would end the process: the pool's own hears
  // the idle ones only, and one in use reports twice, by its query as well.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

function ignore(): void {}
