import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from './database.ts';
import { createLargeSnapshots } from './postgres-large.ts';
import { CONNECT_TIMEOUT_MS, measurePool, openPool, type PoolOptions } from './postgres-pool.ts';
import { queryRows, runQuery, throwUnavailable } from './postgres-query.ts';
import { createPostgresReader } from './postgres-reader.ts';
import { createServers } from './postgres-servers.ts';
import { checkSessions } from './postgres-sessions.ts';
import { createSnapshots } from './postgres-snapshots.ts';
import { createPostgresWriter } from './postgres-writer.ts';
import { createLanes } from './read-lanes.ts';
import type { Statement } from './statement.ts';
import { hasTables } from './tables.ts';
import { TAKEOVER_WAIT_MS } from './takeover-wait.ts';

const MAX_READERS = 16;
/** Each keeps one of the server's processes busy for as long as there is something large to read. */
const MAX_LARGE_READERS = 2;
/** No read takes this long on a server that is well. */
const READ_TIMEOUT_MS = 15_000;
/** Any fixed number: the name of the one-indexer lock among the advisory locks of the database. */
const WRITER_LOCK = 0x636f696e;
const STANDBY_POLL_MS = 1_000;

/**
 * Opens a PostgreSQL database; nothing is connected before the first use.
 *
 * @param urls one address, or several with commas between them, of which the one that takes writes is used
 * @param options.check looks at each new connection of a reader; what it throws ends that
 */
export async function openPostgres(
  urls: string,
  { check }: Pick<PoolOptions, 'check'> = {},
): Promise<Database> {
  const open = (max: number, pipeline: boolean): pg.Pool =>
    openPool(urls, { max, pipeline, queryTimeoutMs: READ_TIMEOUT_MS, check });
  const pool = open(MAX_READERS, true);
  // Of its own, so that what takes long does not hold up what is there already.
  const latestPool = open(1, false);
  const largePool = open(MAX_LARGE_READERS, true);

  return {
    engine: 'postgres',
    listPools: () =>
      new Map([
        ['index', measurePool(pool)],
        ['index_tip', measurePool(latestPool)],
        ['index_large', measurePool(largePool)],
      ]),
    snapshot: createLanes(createSnapshots(pool), createLargeSnapshots(largePool)),
    latest: createLatest(latestPool),
    async notify(channel, message) {
      await runQuery(pool, { text: 'select pg_notify($1, $2)', values: [channel, message] });
    },
    async openWriter(options = {}) {
      await checkSessions(urls);
      const client = await createServers(urls)
        .connect({
          connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
          keepAlive: true,
          application_name: 'coinfront indexer',
        })
        .catch(throwUnavailable);
      let waitForOthers: () => Promise<void>;
      try {
        for (let tries = 0; !(await tryLock(client)); tries++) {
          if (tries === 0) options.onWait?.();
          await delay(STANDBY_POLL_MS, undefined, options.signal ? { signal: options.signal } : {});
        }
        waitForOthers = options.isUntold ? async () => {} : await planTakeover(client);
        await runQuery(client, { text: 'set synchronous_commit = off' });
        // It reads by keys, thousands at once. A plan made while a table was small, and kept, would compare each of its rows
        // with each of the keys.
        await runQuery(client, { text: 'set enable_seqscan = off' });
        // A transaction may wait for the node in a first sync; a limit of the server's would end the session.
        await runQuery(client, { text: 'set idle_in_transaction_session_timeout = 0' });
      } catch (error) {
        await client.end();
        throw error;
      }
      return createPostgresWriter(client, waitForOthers);
    },
    async close() {
      await Promise.all([pool.end(), latestPool.end(), largePool.end()]);
    },
  };
}

/** Asks one question at a time, for all who came before it was sent: what is answered was never true before they asked. */
function createLatest(pool: pg.Pool): NonNullable<Database['latest']> {
  const states = new Map<Statement<unknown>, { next?: Promise<unknown>; running?: Promise<void> }>();

  return <Row>(statement: Statement<Row>) => {
    const state = states.get(statement) ?? {};
    states.set(statement, state);
    const ended = (): void => {
      delete state.running;
    };
    const ask = async (): Promise<unknown> => {
      await (state.running ?? nextTurn());
      delete state.next;
      const answer = queryRows(pool, statement, []).catch(throwUnavailable);
      // How this one ends is no matter of those who wait for the next.
      state.running = answer.then(ended, ended);
      return (await answer)[0];
    };
    state.next ??= ask();
    return state.next as Promise<Row | undefined>;
  };
}

/** What waits until nobody relies on the holder of the lock before this one: {@link TAKEOVER_WAIT_MS}. */
async function planTakeover(client: pg.Client): Promise<() => Promise<void>> {
  const untilMs = performance.now() + TAKEOVER_WAIT_MS;
  // Nobody can be told of an index that was never there.
  if (!(await hasTables(createPostgresReader(client), 'postgres'))) return async () => {};
  return async () => {
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) await delay(Math.ceil(leftMs) + 1);
  };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1) as locked';
  const { rows } = await runQuery(client, { text, values: [WRITER_LOCK] });
  return rows[0]?.locked === true;
}
