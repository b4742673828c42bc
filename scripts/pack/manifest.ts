import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.ts';

type Manifest = {
  name: string;
  version: string;
  license: string;
  dependencies?: Record<string, string>;
};

/** What is written of each package in the same words. */
export type PackageFacts = { name: string; version: string; license: string };

/** The manifest of the repository, or of one of its workspaces. */
export function readManifest(folder = '.'): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/**
 * Exact versions of packages, as the workspaces name them.
 *
 * @throws Error for a package that none of them depends on
 */
export function findVersions(
  workspaces: readonly string[],
  packages: ReadonlySet<string>,
): Record<string, string> {
  const known = Object.assign({}, ...workspaces.map((each) => readManifest(each).dependencies)) as Record<
    string,
    string
  >;
  return Object.fromEntries(
    [...packages].sort().map((name) => {
      const version = known[name];
      if (version === undefined) throw new Error(`${name} is imported, and no workspace depends on it`);
      return [name, version];
    }),
  );
}

/** Versions that are as good to whoever installs: those that promise to be compatible. */
export function toRanges(versions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, `^${version}`]));
}

export function writeManifest(folder: string, manifest: PackageFacts & Record<string, unknown>): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
