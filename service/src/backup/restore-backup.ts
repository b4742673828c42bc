/** A backup put back: checked first, whole or not at all, and what was there is kept beside it. */

import { constants, copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { checkSqliteFile, isSqliteInUse } from '../db/copy-sqlite.ts';
import {
  dropRestoring,
  loadPostgresDump,
  lookAtPostgres,
  RESTORING_SCHEMA,
  swapPostgresSchema,
} from '../db/dump-postgres.ts';
import { openPrecious, type Precious } from '../db/precious.ts';
import { keepPrivate } from '../db/private-files.ts';
import { findNewerStep } from '../db/schema-steps.ts';
import { preciousMigrations } from '../migrations.ts';
import { flushToDisk } from './flush-to-disk.ts';
import { backupFiles, nameByTime, type PreciousPlace } from './make-backup.ts';
import { findChangedFile, type Manifest, readManifest } from './manifest.ts';

/** What is done to restored data, of the schema of now, before anything serves them. */
export type FinishRestore<T> = (precious: Precious) => Promise<T>;

/** Where what was there before has gone to; undefined where nothing was there. */
export type Restored<T> = {
  manifest: Manifest;
  databaseBefore: string | undefined;
  keyBefore: string | undefined;
  finished: T;
};

const OWNER_FILE = 0o600;
const SERVED = 'The service is running on this database; stop all of its processes first.';

/** Reads a backup through; a reason says, in one line, why it cannot be restored here. */
export async function checkBackup(place: PreciousPlace, folder: string): Promise<Result<Manifest>> {
  const read = await readManifest(folder);
  if (!read.ok) return read;
  const { value: manifest } = read;
  const { database, profile } = place;
  if (manifest.genesis !== profile.genesisHash)
    return fail(
      `The backup is of another chain: ${manifest.coin} (genesis block ${manifest.genesis}), and COINFRONT_COIN is ${profile.id} (${profile.genesisHash}).`,
    );
  if (manifest.engine !== database.kind)
    return fail(
      `The backup is of ${nameOf(manifest.engine)}, and the settings name ${nameOf(database.kind)}; restore it into the engine that it is of.`,
    );
  const newer = findNewerStep('The backup', manifest.schema, Object.keys(preciousMigrations));
  if (newer !== undefined) return fail(newer);
  const changed = await findChangedFile(folder, manifest);
  return changed === undefined ? read : fail(changed);
}

/**
 * Restores a backup while no process of the service runs. Nothing has changed unless it gives a value.
 *
 * @param replace whether what is there may be put aside
 */
export async function restoreBackup<T>(
  place: PreciousPlace,
  folder: string,
  { replace, now, finish }: { replace: boolean; now: () => number; finish: FinishRestore<T> },
): Promise<Result<Restored<T>>> {
  const checked = await checkBackup(place, folder);
  if (!checked.ok) return checked;
  const { value: manifest } = checked;
  const suffix = nameByTime(now());
  const key = lookAtKey(place, folder, manifest);
  if (key === 'another' && !replace)
    return fail(
      `There is another key in ${place.keyFile}; with --replace it is put aside, and receipts are signed by that of the backup.`,
    );
  const { database } = place;
  const put =
    database.kind === 'sqlite'
      ? await restoreFile(database.file, join(folder, backupFiles.sqlite), replace, suffix, finish)
      : await restoreSchema(database.url, join(folder, backupFiles.postgres), replace, suffix, finish);
  if (!put.ok) return put;
  const keyBefore = key === 'another' ? `${place.keyFile}.before-${suffix}` : undefined;
  if (keyBefore !== undefined) renameSync(place.keyFile, keyBefore);
  if (key === 'another' || key === 'missing') {
    copyFileSync(join(folder, backupFiles.key), place.keyFile, constants.COPYFILE_EXCL);
    await chmod(place.keyFile, OWNER_FILE);
    await flushToDisk(place.keyFile);
  }
  return ok({ manifest, keyBefore, ...put.value });
}

type Put<T> = Pick<Restored<T>, 'databaseBefore' | 'finished'>;

async function restoreFile<T>(
  file: string,
  backedUp: string,
  replace: boolean,
  suffix: string,
  finish: FinishRestore<T>,
): Promise<Result<Put<T>>> {
  const isThere = existsSync(file);
  if (isThere && !replace)
    return fail(`There is a ${file} already; with --replace it is put aside, and not overwritten.`);
  if (isThere && isSqliteInUse(file)) return fail(SERVED);
  const draft = join(dirname(file), `front-restoring-${suffix}.db`);
  try {
    keepPrivate(draft);
    copyFileSync(backedUp, draft);
    const fault = checkSqliteFile(draft);
    if (fault !== undefined) return fail(`The backup is damaged: ${fault}.`);
    const precious = await openPrecious({ kind: 'sqlite', file: draft }, preciousMigrations);
    let finished: T;
    try {
      finished = await finish(precious);
    } finally {
      await precious.close();
    }
    // Closed by all, the log is written back; without it the file is moved alone.
    if (isSqliteInUse(draft)) return fail(SERVED);
    await flushToDisk(draft);
    const before = join(dirname(file), `front-before-${suffix}.db`);
    putAside(file, before);
    renameSync(draft, file);
    await flushToDisk(dirname(file));
    return ok({ databaseBefore: isThere ? before : undefined, finished });
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(draft + end, { force: true });
  }
}

async function restoreSchema<T>(
  url: string,
  dump: string,
  replace: boolean,
  suffix: string,
  finish: FinishRestore<T>,
): Promise<Result<Put<T>>> {
  const { isThere, sessions } = await lookAtPostgres(url);
  if (sessions > 0) return fail(SERVED);
  if (isThere && !replace)
    return fail('There is a schema front already; with --replace it is put aside, and not overwritten.');
  const before = isThere ? `front_before_${suffix.toLowerCase().replaceAll('-', '_')}` : undefined;
  try {
    await loadPostgresDump(url, dump, isThere);
    const precious = await openPrecious({ kind: 'postgres', url }, preciousMigrations, RESTORING_SCHEMA);
    let finished: T;
    try {
      finished = await finish(precious);
    } finally {
      await precious.close();
    }
    if ((await lookAtPostgres(url)).sessions > 0) return fail(SERVED);
    await swapPostgresSchema(url, before);
    return ok({ databaseBefore: before, finished });
  } finally {
    await dropRestoring(url);
  }
}

/** Whether the registry's key has to be put back: `same` is there, `another` would be put aside. */
function lookAtKey(
  { keyFile }: PreciousPlace,
  folder: string,
  { files }: Manifest,
): 'none' | 'missing' | 'same' | 'another' {
  if (!files.some(({ name }) => name === backupFiles.key)) return 'none';
  if (!existsSync(keyFile)) return 'missing';
  return readFileSync(keyFile).equals(readFileSync(join(folder, backupFiles.key))) ? 'same' : 'another';
}

/**
 * Gives a database a second name, so that there is one under the first at every moment: a service that found none would make an empty one.
 * Its log is moved, also where the database itself is lost: SQLite would take it for that of the one that comes.
 */
function putAside(file: string, before: string): void {
  for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, before + end);
  if (existsSync(file)) linkSync(file, before);
}

function nameOf(engine: Manifest['engine']): string {
  return engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
}
