import { chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, forNode } from './compile.ts';
import { copyPackages } from './copy-packages.ts';
import { copyReachable } from './copy-reachable.ts';
import { root } from './files.ts';
import { findVersions, readManifest, writeManifest } from './manifest.ts';
import { stageSources } from './stage.ts';

const workspaces = ['cli', 'sdk', 'api', 'protocol'];

/**
 * `coin` as others install it. What it depends on is inside, in the versions that the suites run with: a program that holds keys
 * takes nothing that came later.
 *
 * @throws Error when it does not compile, or imports a package that no workspace names
 */
export async function buildCliPackage(folder: string): Promise<void> {
  const stage = `${folder}.stage`;
  try {
    stageSources(stage, workspaces);
    compile(stage, forNode, workspaces);
    const packages = copyReachable(stage, join(folder, 'dist'), ['cli/main.js']);
    mkdirSync(join(folder, 'bin'));
    copyFileSync(join(import.meta.dirname, 'launchers/coin.js'), join(folder, 'bin/coin.js'));
    chmodSync(join(folder, 'bin/coin.js'), 0o755);
    const dependencies = findVersions(workspaces, packages);
    const { name, version, license } = readManifest('cli');
    writeManifest(folder, {
      name,
      version,
      license,
      description: 'coin: a wallet on the command line for a Coinfront service. Keys never leave.',
      keywords: ['wallet', 'bitcoin', 'litecoin', 'dogecoin', 'psbt', 'cli'],
      type: 'module',
      engines: { node: '>=22' },
      bin: { coin: 'bin/coin.js' },
      files: ['bin', 'dist', 'README.md', 'LICENSE'],
      dependencies,
      bundleDependencies: copyPackages(folder, Object.keys(dependencies)),
    });
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    copyFileSync(join(root, 'cli/README.md'), join(folder, 'README.md'));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
