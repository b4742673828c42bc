import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where `scripts/unpack-debian.sh` puts what is not installed. */
const UNPACKED = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'coinfront', 'debian');

/**
 * Finds a program that is installed, or was unpacked from its package.
 *
 * @throws Error saying how to get it
 */
export function findDebianProgram(name: string, debianPackage: string, path: string): string {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const found = [...folders.map((folder) => join(folder, name)), join(UNPACKED, debianPackage, path)].find(
    existsSync,
  );
  if (found === undefined) throw new Error(`${name} is missing: bash scripts/ensure-installed.sh ${name}`);
  return found;
}
