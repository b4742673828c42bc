/** Backups of what nothing can make again. The service goes on meanwhile. */

import { copyFileSync, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { copySqlite } from '../db/copy-sqlite.ts';
import type { DatabaseLocation } from '../db/database.ts';
import { dumpPostgres } from '../db/dump-postgres.ts';
import type { ReadRows } from '../db/look-at.ts';
import { LIST_STEPS } from '../db/schema-steps.ts';
import { flushToDisk } from './flush-to-disk.ts';
import { describeFile, MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts';

/** What a backup is made of, and put back into. */
export type PreciousPlace = {
  /** The database of the precious data. */
  database: DatabaseLocation;
  /** The registry's key; there is none before the registry has run. */
  keyFile: string;
  profile: CoinProfile;
};

/** Names of files in a backup. */
export const backupFiles = { sqlite: 'front.db', postgres: 'front.dump', key: 'registry.key' } as const;

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
/** One that was not finished; it has no manifest, so nothing takes it for a backup. */
const PARTIAL = '.partial';
const countedTables = ['merchant', 'payment', 'event', 'pool_address'];

/** A backup that was made; `removed` are those that had become too many. */
export type MadeBackup = { folder: string; manifest: Manifest; removed: string[] };

/**
 * Makes a backup in a new folder of `within`, named by the time. It has that name only when all of it is on the disk.
 *
 * @param keep how many there are at most in the end, the oldest go first; undefined keeps all
 * @throws Error when the database cannot be read, or the folder not be written
 */
export async function makeBackup(
  place: PreciousPlace,
  within: string,
  keep: number | undefined,
  now: () => number,
): Promise<MadeBackup> {
  const { database, keyFile, profile } = place;
  await mkdir(within, { recursive: true, mode: OWNER_FOLDER });
  const partial = join(within, `${nameByTime(now())}-${process.pid}${PARTIAL}`);
  await mkdir(partial, { mode: OWNER_FOLDER });
  try {
    const name = backupFiles[database.kind];
    // Made before it is filled, so that nobody else could read it at any moment.
    await writeFile(join(partial, name), '', { mode: OWNER_FILE });
    const facts =
      database.kind === 'sqlite'
        ? await copySqlite(requireFile(database.file), join(partial, name), readFacts)
        : await dumpPostgres(database.url, join(partial, name), readFacts);
    // The snapshot is older than this, so nothing that it lacks is taken to be in it.
    const takenAt = now();
    const names: string[] = [name];
    if (existsSync(keyFile)) {
      copyFileSync(keyFile, join(partial, backupFiles.key));
      await chmod(join(partial, backupFiles.key), OWNER_FILE);
      names.push(backupFiles.key);
    }
    for (const each of names) await flushToDisk(join(partial, each));
    const files = await Promise.all(names.map((each) => describeFile(partial, each)));
    const text = writeManifest({
      taken_at: new Date(takenAt).toISOString(),
      engine: database.kind,
      coin: profile.id,
      genesis: profile.genesisHash,
      ...facts,
      files,
    });
    await writeFile(join(partial, MANIFEST), text, { mode: OWNER_FILE, flush: true });
    const folder = join(within, nameByTime(takenAt));
    await rename(partial, folder);
    await flushToDisk(within);
    const read = await readManifest(folder);
    if (!read.ok) throw new Error(read.reason);
    return { folder, manifest: read.value, removed: keep === undefined ? [] : await removeOld(within, keep) };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** A time as a name that sorts. */
export function nameByTime(ms: number): string {
  return new Date(ms).toISOString().replace(/[:.]/g, '-');
}

function requireFile(file: string): string {
  if (!existsSync(file))
    throw new Error(`There is no ${file}: nothing to back up. Is COINFRONT_DATA_DIR right?`);
  return file;
}

async function readFacts(rows: ReadRows): Promise<Pick<Manifest, 'schema' | 'rows'>> {
  const schema = (await rows(LIST_STEPS)).map(({ name }) => String(name));
  const counts: Record<string, number> = {};
  for (const table of countedTables) {
    const [row] = await rows(`select count(*) as count from ${table}`);
    counts[table] = Number(row?.count);
  }
  return { schema, rows: counts };
}

/** Removes the oldest backups, and nothing that is none. */
async function removeOld(within: string, keep: number): Promise<string[]> {
  const names = (await readdir(within)).filter((name) => /^\d{4}-\d\d-\d\dT[\d-]+Z$/.test(name)).sort();
  const removed: string[] = [];
  for (const name of names.slice(0, Math.max(0, names.length - keep))) {
    const folder = join(within, name);
    if (!(await readManifest(folder)).ok) continue;
    await rm(folder, { recursive: true });
    removed.push(folder);
  }
  return removed;
}
