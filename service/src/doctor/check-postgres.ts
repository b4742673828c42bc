/** How the server of PostgreSQL is set, and what it lets the service do. */

import type { DatabaseLocation } from '../db/database.ts';
import { lookAt, type ReadRows } from '../db/look-at.ts';
import { PRECIOUS_SCHEMA } from '../db/precious-postgres.ts';
import { type Finding, fault, good, warning } from './finding.ts';

const OLDEST_SERVER = 130_000;
const LEAST_CONNECTIONS = 60;
const LEAST_BUFFERS_BYTES = 128 * 2 ** 20;
const CLOCK_LIMIT_S = 5;
const BLOCK_BYTES = 8_192;
const TRACKS_UTILITY_WELL = 160_000;

/** What a server says about itself. */
export type ServerFacts = {
  settings: ReadonlyMap<string, string>;
  encoding: string;
  /** Whether the role may make a schema in this database. */
  mayCreate: boolean;
  /** Seconds that its clock is ahead of this machine's. */
  clockAheadS: number;
};

/** Looks at the server's settings. */
export async function checkPostgres(location: DatabaseLocation): Promise<Finding[]> {
  if (location.kind !== 'postgres') return [];
  try {
    return (
      (await lookAt(location, PRECIOUS_SCHEMA, async (rows) => judgeServer(await readFacts(rows)))) ?? []
    );
  } catch {
    // That it does not answer is told of the precious data.
    return [];
  }
}

async function readFacts(rows: ReadRows): Promise<ServerFacts> {
  const settings = await rows('select name, setting from pg_settings');
  const [now] = await rows(
    `select extract(epoch from clock_timestamp())::float8 as at, getdatabaseencoding() as encoding,
      has_database_privilege(current_database(), 'create') as may_create`,
  );
  return {
    settings: new Map(settings.map((row) => [String(row.name), String(row.setting)])),
    encoding: String(now?.encoding),
    mayCreate: now?.may_create === true,
    clockAheadS: Number(now?.at) - Date.now() / 1_000,
  };
}

/** Judges what a server said. */
export function judgeServer({ settings, encoding, mayCreate, clockAheadS }: ServerFacts): Finding[] {
  const number = (name: string): number => Number(settings.get(name));
  const findings: Finding[] = [];
  const judge = (name: string, isFine: boolean, text: string, remedy: string, level = warning): void => {
    findings.push(isFine ? good(`postgres.${name}`, text) : level(`postgres.${name}`, text, remedy));
  };
  const set = (name: string, value: string): string =>
    `alter system set ${name} = ${value}; then reload, or restart where it says so.`;
  judge(
    'version',
    number('server_version_num') >= OLDEST_SERVER,
    `The server is version ${settings.get('server_version')}.`,
    'Upgrade it to a version that its makers still mend.',
  );
  for (const [name, lost] of [
    ['fsync', 'what was acknowledged may be lost, and the files damaged, where the machine stops'],
    ['full_page_writes', 'files may be damaged where the machine stops'],
    ['synchronous_commit', 'the last payments may be lost where the machine stops'],
  ] as const)
    judge(
      name,
      settings.get(name) !== 'off',
      settings.get(name) === 'off' ? `${name} is off: ${lost}.` : `${name} is ${settings.get(name)}.`,
      set(name, 'on'),
      fault,
    );
  judge(
    'max_connections',
    number('max_connections') >= LEAST_CONNECTIONS,
    `max_connections is ${number('max_connections')}; a process of the service uses up to ${LEAST_CONNECTIONS}.`,
    set('max_connections', '100'),
  );
  judge(
    'shared_buffers',
    number('shared_buffers') * BLOCK_BYTES >= LEAST_BUFFERS_BYTES,
    `shared_buffers is ${Math.round((number('shared_buffers') * BLOCK_BYTES) / 2 ** 20)} MB.`,
    set('shared_buffers', 'a quarter of the memory'),
  );
  judge(
    'autovacuum',
    settings.get('autovacuum') === 'on',
    `autovacuum is ${settings.get('autovacuum')}.`,
    set('autovacuum', 'on'),
  );
  judge(
    'statement_timeout',
    number('statement_timeout') === 0,
    `statement_timeout is ${number('statement_timeout')} ms.`,
    'Set none for the role of the service: merges of the index and migrations take longer.',
  );
  judge(
    'encoding',
    encoding === 'UTF8',
    `The encoding is ${encoding}.`,
    "Make the database with encoding 'UTF8'.",
    fault,
  );
  judge(
    'create',
    mayCreate,
    mayCreate ? 'The role may make its schema.' : 'The role may not make a schema in this database.',
    'grant create on database … to …',
    fault,
  );
  judge(
    'clock',
    Math.abs(clockAheadS) <= CLOCK_LIMIT_S,
    `The server's clock is ${Math.abs(clockAheadS).toFixed(1)} seconds ${clockAheadS < 0 ? 'behind' : 'ahead of'} this machine's.`,
    'Have both clocks set by the network.',
  );
  if (
    settings.get('pg_stat_statements.track_utility') === 'on' &&
    number('server_version_num') < TRACKS_UTILITY_WELL
  )
    judge(
      'track_utility',
      false,
      'pg_stat_statements keeps an entry for each text of copy, of which the index has ever new ones.',
      set('pg_stat_statements.track_utility', 'off'),
    );
  return findings;
}
