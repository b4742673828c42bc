/** Files that hold secrets are for the user of the service alone: made so, mended where they were not, refused where they cannot be. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;
const OTHERS = 0o077;
const WRITABLE_BY_ALL = 0o002;
const ROOT = 0;
/** What SQLite keeps beside a database. It gives what it makes the rights of the database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];
/** What a folder of the service's own holds: its files, copies of its databases, and what a volume comes with. */
const OWN_FILES = /^registry\.key|\.db(-wal|-shm|-journal|-runs|\.lock)?$|^lost\+found$/;

/** Makes a folder for the service's files, for its own user alone; one that is there stays as it is. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
}

/**
 * Makes the file of a database before SQLite does, so that nobody else could read it at any moment, or takes the rights of
 * others from one that is there, from its companions, and from its folder if that holds nothing else.
 *
 * @throws Error saying what to do when others keep a way to the file
 */
export function keepPrivate(file: string): void {
  if (process.platform === 'win32') return;
  makePrivateFolder(dirname(file));
  makePrivateFile(file);
  keepFilePrivate(file);
  // SQLite, too, works where a link leads.
  const real = realpathSync(file);
  for (const companion of COMPANIONS) keepFilePrivate(real + companion);
  keepFolderPrivate(dirname(real));
}

/**
 * Makes an empty file where there is none. One that is there is not opened: closing it would free the locks that another
 * connection of this process holds on it.
 */
function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_FILE));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new Error(`${file} cannot be made (${codeOf(error)}).`);
  }
}

function keepFilePrivate(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new Error(
      `${file} cannot be read and written (${codeOf(error)}): it has to belong to the user that the service runs as.`,
    );
  }
  const { mode, uid } = statSync(file);
  if (takeRights(file, mode, OWNER_FILE)) return;
  throw new Error(
    `${file} holds secrets and can be read by others (mode ${showMode(mode)}, of the user ${uid}), which the service ` +
      'cannot change: chmod 600 it, and give it to the user that the service runs as.',
  );
}

function keepFolderPrivate(folder: string): void {
  const stats = statSync(folder);
  const ownUid = process.geteuid?.() ?? ROOT;
  const isOurs = stats.uid === ownUid && readdirSync(folder).every((name) => OWN_FILES.test(name));
  if (isOurs && takeRights(folder, stats.mode, OWNER_FOLDER)) return;
  const problem = findFolderProblem(stats, ownUid);
  if (problem === undefined) return;
  throw new Error(
    `${folder} holds secrets and ${problem}: choose a folder of the service's own as COINFRONT_DATA_DIR, with the mode 0700.`,
  );
}

/**
 * What is wrong with a folder that is not made private, because other things are in it or it is not ours: somebody in it
 * could exchange files. That others may look into it is not, since the files are private by themselves.
 */
export function findFolderProblem(
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  ownUid: number,
): string | undefined {
  if ((mode & WRITABLE_BY_ALL) !== 0)
    return `every user of this machine may write in it (mode ${showMode(mode)})`;
  if (uid !== ownUid && uid !== ROOT && ownUid !== ROOT)
    return `belongs to the user ${uid}, not to the service's`;
  return undefined;
}

/** Takes their rights from others; false where the thing is another user's, or its file system keeps no rights. */
function takeRights(path: string, mode: number, ownerOnly: number): boolean {
  if ((mode & OTHERS) === 0) return true;
  try {
    chmodSync(path, ownerOnly);
  } catch {
    return false;
  }
  return (statSync(path).mode & OTHERS) === 0;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function showMode(mode: number): string {
  return `0${(mode & 0o777).toString(8)}`;
}
