import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The repository. */
export const root = join(import.meta.dirname, '../..');

/** Files below a folder, with `/` in their paths. */
export function listFiles(folder: string, ending = ''): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(ending))
    .map((each) => relative(folder, join(each.parentPath, each.name)).replaceAll('\\', '/'));
}
