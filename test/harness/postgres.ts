import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../scripts/free-ports.ts';

/** A PostgreSQL cluster of our own, in a temporary folder, on loopback only. */
export type TestPostgres = {
  /** `postgres://` address of the maintenance database. */
  readonly url: string;
  createDatabase(): Promise<string>;
  isRunning(): boolean;
  /** The server's first process; undefined while it does not run. */
  pid(): number | undefined;
  /** Ends the server as an administrator would; every session is cut, the data stay. */
  halt(): Promise<void>;
  /** Ends all of its processes at once, as a crash does; nothing is written that was not written before. */
  kill(): Promise<void>;
  /** Starts it again when it has ended, on the same port, and waits until it answers. */
  resume(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
};

const READY_TIMEOUT_MS = 60_000;

const TEST_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
};

/**
 * Makes and starts a cluster. For tests it is one without durability, since it lives as long as they do.
 *
 * @param options.settings of the server, instead of those
 * @param options.within the folder for its own; the user that runs it must be able to pass through
 * @throws Error when no PostgreSQL is installed or it does not come up.
 */
export async function startPostgres({
  settings = TEST_SETTINGS,
  within = tmpdir(),
} = {}): Promise<TestPostgres> {
  return await startCluster(within, settings, (dataDir) => [
    'initdb',
    ...[`--pgdata=${dataDir}`, '--username=postgres', '--auth=trust'],
    ...['--encoding=UTF8', '--locale=C', '--no-sync'],
  ]);
}

/** A standby of another cluster: it follows by streaming replication, and answers reads. */
export type TestStandby = TestPostgres & {
  /** The address of a database of the primary, here. */
  urlOf(databaseUrl: string): string;
  /** Stops replaying what comes from the primary, or goes on. */
  setReplaying(isReplaying: boolean): Promise<void>;
  /** Makes it a primary. */
  promote(): Promise<void>;
};

/** Makes and starts a standby of a running cluster. */
export async function startStandby(
  primary: Pick<TestPostgres, 'url'>,
  { settings = TEST_SETTINGS, within = tmpdir() } = {},
): Promise<TestStandby> {
  const standby = await startCluster(within, settings, (dataDir) => [
    'pg_basebackup',
    ...[`--pgdata=${dataDir}`, `--dbname=${primary.url}`, '--write-recovery-conf', '--checkpoint=fast'],
    ...['--wal-method=stream', '--no-sync'],
  ]);
  return {
    ...standby,
    urlOf: (databaseUrl) => replaceDatabase(standby.url, new URL(databaseUrl).pathname.slice(1)),
    setReplaying: (isReplaying) =>
      runSql(standby.url, `select pg_wal_replay_${isReplaying ? 'resume' : 'pause'}()`),
    promote: () => runSql(standby.url, 'select pg_promote()'),
  };
}

/** @param listMaking the command that makes the data of a cluster in a folder */
async function startCluster(
  within: string,
  settings: Readonly<Record<string, string>>,
  listMaking: (dataDir: string) => string[],
): Promise<TestPostgres> {
  const bin = findBinaries();
  const owner = findOwner();
  const dir = mkdtempSync(join(within, 'coinfront-pg-'));
  if (owner) chownSync(dir, owner.uid, owner.gid);
  const dataDir = join(dir, 'data');

  const [maker = '', ...making] = listMaking(dataDir);
  const made = spawnSync(join(bin, maker), making, { cwd: dir, encoding: 'utf8', ...owner });
  if (made.status !== 0) throw new Error(`${maker} failed: ${made.stderr || made.error?.message}`);

  const port = await findFreePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const args = [
    ...['-D', dataDir, '-p', String(port), '-k', dir, '-h', '127.0.0.1'],
    ...listSettings(settings),
  ];
  let server = startServer(join(bin, 'postgres'), owner, dir, args);
  await waitForServer(url, server);
  return {
    url,
    createDatabase: () => createDatabase(url),
    isRunning: () => server.isRunning(),
    pid: () => server.pid(),
    halt: () => server.stop(),
    kill: () => server.stop('SIGQUIT'),
    async resume() {
      if (server.isRunning()) return;
      server = startServer(join(bin, 'postgres'), owner, dir, args);
      await waitForServer(url, server);
    },
    async stop() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** Makes an empty database in the cluster at `url` and gives its address. */
export async function createDatabase(url: string): Promise<string> {
  databases += 1;
  const name = `test_${process.pid}_${databases}`;
  await runSql(url, `create database ${name} template template0`);
  return replaceDatabase(url, name);
}

/** Removes a database made by {@link createDatabase}, whoever is still connected. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runSql(replaceDatabase(url, 'postgres'), `drop database if exists ${name} with (force)`);
}

function replaceDatabase(url: string, name: string): string {
  const replaced = new URL(url);
  replaced.pathname = `/${name}`;
  return replaced.href;
}

/** Runs one statement on a connection of its own. */
export async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Bytes that a database takes on the disk, without the server's log. */
export async function readDatabaseSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes');
    return Number(rows[0].bytes);
  } finally {
    await client.end();
  }
}

function listSettings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export type Owner = { readonly uid: number; readonly gid: number };

/** PostgreSQL refuses to run as root, so root hands it to the `postgres` user that its package makes. */
export function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

function findBinaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  for (const version of versions) {
    const bin = join(root, version, 'bin');
    if (existsSync(join(bin, 'initdb'))) return bin;
  }
  throw new Error('PostgreSQL is not installed: apt-get install postgresql');
}

type Server = {
  isRunning(): boolean;
  pid(): number | undefined;
  printed(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

function startServer(binary: string, owner: Owner | undefined, cwd: string, args: readonly string[]): Server {
  const options = { cwd, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'], ...owner };
  const child: ChildProcess = spawn(binary, args, options);
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed = (printed + String(chunk)).slice(-2000);
  });
  const killAtExit = () => child.kill('SIGQUIT');
  process.once('exit', killAtExit);
  child.once('exit', () => process.off('exit', killAtExit));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    pid: () => (isRunning() ? child.pid : undefined),
    printed: () => printed,
    // Fast shutdown unless another signal is given: sessions are ended, nothing is waited for.
    async stop(signal = 'SIGINT') {
      if (!isRunning()) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

async function waitForServer(url: string, server: Server): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (!server.isRunning()) throw new Error(`PostgreSQL stopped while starting: ${server.printed()}`);
    try {
      await runSql(url, 'select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL is not ready: ${server.printed()}`, { cause: error });
    }
    await delay(50);
  }
}
