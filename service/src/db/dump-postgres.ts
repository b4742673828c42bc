/** The schema of the precious data out of PostgreSQL and back, by its own tools; of several servers it is the primary's. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentWith } from '../config.ts';
import type { ReadRows } from './look-at.ts';
import { withClient } from './look-at.ts';
import { PRECIOUS_SCHEMA as SCHEMA } from './precious-postgres.ts';

/** Of what a tool said: its last words are enough. */
const KEPT_CHARS = 2_000;

/**
 * Dumps the schema as it is at one moment into a file that `pg_restore` reads.
 *
 * @param look reads what has to be known of it, from the same snapshot
 * @throws Error when the server or the tool says so
 */
export async function dumpPostgres<T>(
  urls: string,
  to: string,
  look: (rows: ReadRows) => Promise<T>,
): Promise<T> {
  return await withClient(urls, async (client, url) => {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query('select pg_export_snapshot() as id');
    await run('pg_dump', url, [
      ...['--format=custom', `--schema=${SCHEMA}`, '--no-owner', '--no-privileges'],
      ...[`--snapshot=${rows[0].id}`, `--file=${to}`],
    ]);
    await client.query(`set local search_path = ${SCHEMA}`);
    return await look(async (text) => (await client.query(text)).rows);
  });
}

/** What stands in the way of a restore. */
export type PostgresGround = {
  /** Whether the schema is there. */
  isThere: boolean;
  /** Sessions of the service. */
  sessions: number;
};

/** Looks at where a dump is to be restored. */
export async function lookAtPostgres(url: string): Promise<PostgresGround> {
  return await withClient(url, async (client) => {
    const { rows: schemas } = await client.query('select 1 from pg_namespace where nspname = $1', [SCHEMA]);
    const { rows } = await client.query(
      `select count(*)::int as sessions from pg_stat_activity
        where datname = current_database() and application_name like 'coinfront%' and application_name <> 'coinfront-restore'`,
    );
    return { isThere: schemas.length > 0, sessions: rows[0].sessions };
  });
}

/** The schema that a dump is restored into before it takes the place of the other. */
export const RESTORING_SCHEMA = `${SCHEMA}_restoring`;

/**
 * Restores a dump into {@link RESTORING_SCHEMA}, all of it or nothing, in one transaction. One that is there from an earlier try is dropped.
 *
 * @throws Error when the server or a tool says so; nothing has changed then
 */
export async function loadPostgresDump(urls: string, dump: string, isThere: boolean): Promise<void> {
  const url = await withClient(urls, async (_, primary) => primary);
  const psql = start('psql', url, [
    '--no-psqlrc',
    '--quiet',
    '--single-transaction',
    '--set=ON_ERROR_STOP=1',
  ]);
  const input = psql.child.stdin!;
  // Whoever ends early says why by itself.
  input.on('error', () => {});
  const hidden = `${SCHEMA}_hidden`;
  input.write(`drop schema if exists ${RESTORING_SCHEMA} cascade;\n`);
  // A dump names its schema, so the one that is there has another name meanwhile, which nobody sees.
  if (isThere) input.write(`alter schema ${SCHEMA} rename to ${hidden};\n`);
  const script = start('pg_restore', undefined, ['--no-owner', '--no-privileges', '--file=-', dump]);
  script.child.stdout!.pipe(input, { end: false });
  try {
    await script.ended;
  } catch (error) {
    // At an end of its input psql would commit what it has.
    psql.child.kill('SIGKILL');
    await psql.ended.catch(() => {});
    throw error;
  }
  input.write(`\nalter schema ${SCHEMA} rename to ${RESTORING_SCHEMA};\n`);
  if (isThere) input.write(`alter schema ${hidden} rename to ${SCHEMA};\n`);
  input.end();
  await psql.ended;
}

/** Has {@link RESTORING_SCHEMA} take the place of the schema, which is kept under the name `putAside` where there is one. */
export async function swapPostgresSchema(url: string, putAside: string | undefined): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('begin');
    if (putAside !== undefined) await client.query(`alter schema ${SCHEMA} rename to ${putAside}`);
    await client.query(`alter schema ${RESTORING_SCHEMA} rename to ${SCHEMA}`);
    await client.query('commit');
  });
}

/** Forgets what was restored and is not to take a place. */
export async function dropRestoring(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`drop schema if exists ${RESTORING_SCHEMA} cascade`);
  });
}

async function run(tool: string, url: string, args: readonly string[]): Promise<void> {
  await start(tool, url, args).ended;
}

/** Starts a tool; `ended` throws what it said where it did not do its work. The password never is in its arguments. */
function start(
  tool: string,
  url: string | undefined,
  args: readonly string[],
): { child: ChildProcess; ended: Promise<void> } {
  const { target, password } = url === undefined ? {} : splitPassword(url);
  const child = spawn(tool, target === undefined ? [...args] : [...args, `--dbname=${target}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentWith(password ? { PGPASSWORD: password } : {}),
  });
  let said = '';
  child.stderr!.on('data', (chunk) => {
    said = (said + String(chunk)).slice(-KEPT_CHARS);
  });
  if (tool !== 'pg_restore') child.stdout!.resume();
  const ended = (async () => {
    const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new Error(
        `${tool} is not installed; install PostgreSQL's client of the server's version (on Debian: postgresql-client).`,
      );
    });
    if (code !== 0) throw new Error(`${tool} failed: ${firstError(said) ?? `it ended with ${code}`}`);
  })();
  ended.catch(() => {});
  return { child, ended };
}

function splitPassword(url: string): { target: string; password: string } {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = '';
  return { target: parsed.href, password };
}

function firstError(said: string): string | undefined {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines[0];
}
