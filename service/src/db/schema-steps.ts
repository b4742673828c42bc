/** Which steps of the precious data's schema a database has, and whether this program knows them. */

import { serviceVersion } from '../version.ts';

/** Reads the names of the steps that were made; the table is Kysely's. */
export const LIST_STEPS = 'select name from kysely_migration order by name';

/**
 * What is wrong where a database has steps that this program does not know: a newer one made them.
 *
 * @param what names the database as a sentence begins with it
 */
export function findNewerStep(
  what: string,
  made: readonly string[],
  known: Iterable<string>,
): string | undefined {
  const ours = new Set(known);
  const newer = made.filter((name) => !ours.has(name));
  if (newer.length === 0) return undefined;
  return (
    `${what} was made by a newer version of Coinfront: it has the step ${newer.at(-1)}, which this one ` +
    `(${serviceVersion}) does not know. Run the newer version, or go back to a backup of before the upgrade: see ` +
    '"Upgrade and rollback" in docs/operations.md.'
  );
}
