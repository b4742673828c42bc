import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { adviseOnIndex, watchDamage } from '../db/damage.ts';
import type { Database, DatabaseLocation, Reader } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { sql } from '../db/statement.ts';
import { hasTables } from '../db/tables.ts';
import { identifyIndex } from '../indexer/identity.ts';
import { type Verification, verifyParts } from '../indexer/parts/verify-parts.ts';
import { listIndexerParts } from '../indexer-parts.ts';
import { loadProfile } from '../load-profile.ts';

const GET_IDENTITY = sql<{ value: string }>("select value from meta where key = 'identity'");

/** What a verification is printed as. */
export type VerifiedIndex = { isSound: boolean; lines: string[]; json: object };

/**
 * Derives all that parts derive - payouts, proofs, names, tokens - once more from the raw blocks of the index, and compares them with what is there. The
 * service may go on meanwhile; the node is not needed.
 *
 * @param onProgress called now and then with a height
 */
export async function verifyIndex(
  location: DatabaseLocation,
  coin: string | undefined,
  onProgress: (height: number) => void,
): Promise<Result<VerifiedIndex>> {
  if (coin === undefined)
    return fail('COINFRONT_COIN is not set; give the profile that the service runs with.');
  const profile = loadProfile(coin);
  if (!profile.ok) return profile;
  const parts = listIndexerParts(profile.value);
  const { database } = watchDamage(await openDatabase(location), adviseOnIndex(location));
  try {
    const verify = async (reader: Reader): Promise<Result<VerifiedIndex>> => {
      const fault = await findIndexFault(reader, database, identifyIndex(profile.value.genesisHash, parts));
      if (fault !== undefined) return fail(fault);
      const names = parts.map(({ name }) => name);
      return ok(describe(await verifyParts(reader, parts, onProgress), names));
    };
    return await database.snapshot(verify, { isLarge: true });
  } finally {
    await database.close();
  }
}

async function findIndexFault(
  reader: Reader,
  { engine }: Database,
  identity: string,
): Promise<string | undefined> {
  if (!(await hasTables(reader, engine))) return 'There is no index here yet.';
  const found = await reader.get(GET_IDENTITY);
  if (found?.value === identity) return undefined;
  return 'The index was made by another version or for another profile; start the service, which makes it anew.';
}

function describe(
  { height, blocks, rows, differences, isCut }: Verification,
  parts: readonly string[],
): VerifiedIndex {
  const isSound = differences.length === 0;
  const what = `${blocks} blocks, ${rows} rows of ${parts.join(', ')}`;
  return {
    isSound,
    lines: isSound
      ? [`The index is sound up to height ${height}: ${what}.`]
      : [
          `The index is not what its blocks say; ${isCut ? 'the first differences' : 'all differences'}:`,
          ...differences.map((each) => `  ${each}`),
          'Stop the service, delete the index (not front.db) and start it again: it is made anew from the node.',
        ],
    json: { sound: isSound, height, blocks, rows, parts, differences, more: isCut },
  };
}
