/** Which program an index is of: one of another version is not read, and one of a newer version is not built over. */

import { type Database, DatabaseUnavailableError, type Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { hasTables } from '../db/tables.ts';
import { serviceVersion } from '../version.ts';

/** For reading by other means than a {@link Reader}. */
export const IDENTITY_QUERY = "select value from meta where key = 'identity'";

const GET_IDENTITY = sql<{ value: string }>(IDENTITY_QUERY);

/** The index was made by a newer version of the program. */
export class NewerIndexError extends Error {
  override readonly name = 'NewerIndexError';
}

/**
 * What is wrong where an index was made by a newer version: of the same chain, with a layout or the rules of a part that this program is
 * yet to learn. What differs in another way is built anew.
 *
 * @param own see `identity.ts`, as is `found`
 */
export function findNewerIndex(found: string, own: string): string | undefined {
  const [theirs, ours] = [readIdentity(found), readIdentity(own)];
  if (theirs.genesis !== ours.genesis) return undefined;
  const newer = [...theirs.versions].find(
    ([name, version]) => version > (ours.versions.get(name) ?? version),
  );
  if (newer === undefined) return undefined;
  const [name, version] = newer;
  return (
    `The index was made by a newer version of Coinfront: its ${name} has version ${version}, this one (${serviceVersion}) knows ` +
    `${ours.versions.get(name)}. Run the newer version, or give this one an index of its own by COINFRONT_INDEX: see ` +
    '"Upgrade and rollback" in docs/operations.md.'
  );
}

/** @throws NewerIndexError */
export async function refuseNewerIndex(
  reader: Reader,
  engine: Database['engine'],
  own: string,
): Promise<void> {
  if (!(await hasTables(reader, engine))) return;
  const newer = findNewerIndex((await reader.get(GET_IDENTITY))?.value ?? '', own);
  if (newer !== undefined) throw new NewerIndexError(newer);
}

/**
 * Keeps this program from reading rows that mean something else to another: the indexer may be one of another version, in another
 * process.
 *
 * @throws DatabaseUnavailableError until the index is of this version
 */
export async function requireIdentity(reader: Reader, own: string): Promise<void> {
  const found = await reader.get(GET_IDENTITY);
  if (found !== undefined && found.value !== own)
    throw new DatabaseUnavailableError(
      'The index is of another version of Coinfront, or of another profile, than this process.',
    );
}

function readIdentity(identity: string): { genesis: string; versions: Map<string, number> } {
  const [genesis = '', layout = '', ...parts] = identity.split(' ');
  const versions = new Map([['layout', Number(layout)]]);
  for (const part of parts) {
    const [name = '', version] = part.split(':');
    versions.set(name, Number(version));
  }
  return { genesis, versions };
}
