/** The databases: whether they answer, which version made them, and how PostgreSQL is set. */

import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { DatabaseLocation } from '../db/database.ts';
import { lookAt, type ReadRows } from '../db/look-at.ts';
import { PRECIOUS_SCHEMA } from '../db/precious-postgres.ts';
import { findNewerStep, LIST_STEPS } from '../db/schema-steps.ts';
import { identifyIndex } from '../indexer/identity.ts';
import { findNewerIndex, IDENTITY_QUERY } from '../indexer/index-version.ts';
import { listIndexerParts } from '../indexer-parts.ts';
import { preciousMigrations } from '../migrations.ts';
import { type Finding, fault, good, warning } from './finding.ts';

/** What the checks of the precious data found; `isCurrent`: their schema is that of this program. */
export type PreciousFindings = { findings: Finding[]; isCurrent: boolean };

const UNDEFINED_TABLE = '42P01';

/** Looks at the precious data without bringing them up to date. */
export async function checkPrecious(location: DatabaseLocation): Promise<PreciousFindings> {
  const name = 'database.precious';
  const known = Object.keys(preciousMigrations);
  try {
    const made = await lookAt(location, PRECIOUS_SCHEMA, (rows) => rows(LIST_STEPS));
    if (made === undefined)
      return { isCurrent: false, findings: [good(name, 'There are none yet; the first start makes them.')] };
    const steps = made.map((row) => String(row.name));
    const newer = findNewerStep('The precious database', steps, known);
    if (newer !== undefined)
      return { isCurrent: false, findings: [fault(name, newer, 'Run the version that made it.')] };
    const missing = known.filter((step) => !steps.includes(step));
    return missing.length === 0
      ? { isCurrent: true, findings: [good(name, `They are of this version (${steps.at(-1)}).`)] }
      : {
          isCurrent: false,
          findings: [
            warning(
              name,
              `They are of an older version; the next start makes ${missing.length} steps, up to ${missing.at(-1)}.`,
              'Make a backup first: a version before cannot read them any more.',
            ),
          ],
        };
  } catch (error) {
    if (isMissing(error))
      return { isCurrent: false, findings: [good(name, 'There are none yet; the first start makes them.')] };
    const text = `They cannot be read: ${(error as Error).message}.`;
    const remedy =
      location.kind === 'sqlite'
        ? 'See "A damaged file" in docs/operations.md.'
        : 'Start PostgreSQL, or correct COINFRONT_DATABASE_URL.';
    return { isCurrent: false, findings: [fault(name, text, remedy)] };
  }
}

/** Looks at which layout the index has. */
export async function checkIndex(location: DatabaseLocation, profile: CoinProfile): Promise<Finding> {
  const name = 'database.index';
  const identity = identifyIndex(profile.genesisHash, listIndexerParts(profile));
  try {
    const found = await lookAt(location, 'public', (rows) => rows(IDENTITY_QUERY));
    if (found === undefined || found.length === 0)
      return good(name, 'There is none yet; it is built from the node.');
    if (found[0]!.value === identity) return good(name, 'It is of this version and this profile.');
    const newer = findNewerIndex(String(found[0]!.value), identity);
    if (newer !== undefined) return fault(name, newer, 'Run the version that made it.');
    return warning(
      name,
      'It was made by another version or for another profile; the next start builds it anew.',
      'To go on answering meanwhile, build the new one beside it: "Upgrade and rollback" in docs/operations.md.',
    );
  } catch (error) {
    if (isMissing(error)) return good(name, 'There is none yet; it is built from the node.');
    return fault(
      name,
      `It cannot be read: ${(error as Error).message}.`,
      'See "A damaged file" in docs/operations.md.',
    );
  }
}

const OLDEST_SERVER = 130_000;
const LEAST_CONNECTIONS = 60;
const LEAST_BUFFERS_BYTES = 128 * 2 ** 20;
const CLOCK_LIMIT_S = 5;
const BLOCK_BYTES = 8_192;

/** Looks at the server's settings. */
export async function checkPostgres(location: DatabaseLocation): Promise<Finding[]> {
  if (location.kind !== 'postgres') return [];
  try {
    return (await lookAt(location, PRECIOUS_SCHEMA, judgeServer)) ?? [];
  } catch {
    // That it does not answer is told of the precious data.
    return [];
  }
}

async function judgeServer(rows: ReadRows): Promise<Finding[]> {
  const settings = new Map(
    (await rows('select name, setting from pg_settings')).map((row) => [
      String(row.name),
      String(row.setting),
    ]),
  );
  const number = (name: string): number => Number(settings.get(name));
  const [now] = await rows(
    `select extract(epoch from clock_timestamp())::float8 as at, getdatabaseencoding() as encoding,
      has_database_privilege(current_database(), 'create') as may_create`,
  );
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
    now?.encoding === 'UTF8',
    `The encoding is ${now?.encoding}.`,
    "Make the database with encoding 'UTF8'.",
    fault,
  );
  judge(
    'create',
    now?.may_create === true,
    now?.may_create === true
      ? 'The role may make its schema.'
      : 'The role may not make a schema in this database.',
    'grant create on database … to …',
    fault,
  );
  const offset = Number(now?.at) - Date.now() / 1_000;
  judge(
    'clock',
    Math.abs(offset) <= CLOCK_LIMIT_S,
    `The server's clock is ${Math.abs(offset).toFixed(1)} seconds ${offset < 0 ? 'behind' : 'ahead of'} this machine's.`,
    'Have both clocks set by the network.',
  );
  if (settings.get('pg_stat_statements.track_utility') === 'on' && number('server_version_num') < 160_000)
    judge(
      'track_utility',
      false,
      'pg_stat_statements keeps an entry for each text of copy, of which the index has ever new ones.',
      set('pg_stat_statements.track_utility', 'off'),
    );
  return findings;
}

/** Whether this program's Node is the one that it is made for. */
export function checkRuntime(serviceVersion: string): Finding {
  return good(
    'version',
    `Coinfront ${serviceVersion} on Node.js ${process.versions.node}, SQLite ${process.versions.sqlite ?? '-'}.`,
  );
}

/** A table, or the schema, is not there yet. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === UNDEFINED_TABLE || /no such table/.test(message ?? '');
}
