/** The databases: whether they answer, and which version made them. */

import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { DatabaseLocation } from '../db/database.ts';
import { lookAt } from '../db/look-at.ts';
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
