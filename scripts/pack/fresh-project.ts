/** For suites: an empty folder in which somebody installs our packages. */

import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './files.ts';

const run = promisify(execFile);
const installed = join(root, 'node_modules');
/** Where `node` of this repository keeps the one for this machine. */
const ownNode = join(installed, 'node/node_modules');

/**
 * Packs and installs, offline: what the packages depend on is taken from this repository, in the versions that they ask for, so that no
 * registry is needed.
 *
 * @param names - as `npm run pack` has them
 * @returns the project's folder; the caller removes it
 */
export async function installPackages(names: readonly string[]): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'coinfront-fresh-'));
  const args = [join(import.meta.dirname, 'main.ts'), ...names, '--to', project];
  const { stdout } = await run(process.execPath, args);
  const archives = stdout.trim().split('\n');
  const dependencies: Record<string, string> = {};
  for (const archive of archives) {
    const text = execFileSync('tar', ['xzOf', archive, 'package/package.json'], { encoding: 'utf8' });
    const manifest = JSON.parse(text) as Manifest;
    dependencies[manifest.name] = `file:${archive}`;
    const needed = manifest.bundleDependencies === undefined ? Object.keys(manifest.dependencies ?? {}) : [];
    Object.assign(
      dependencies,
      linkPackages([...needed, ...Object.keys(manifest.optionalDependencies ?? {})]),
    );
  }
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ type: 'module', private: true, dependencies }),
  );
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project });
  return project;
}

type Manifest = {
  name: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  bundleDependencies?: string[];
};

/** These packages and what they depend on, as folders of this repository. */
function linkPackages(names: readonly string[]): Record<string, string> {
  const links: Record<string, string> = {};
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in links) continue;
    const folder = [installed, ownNode].map((each) => join(each, name!)).find((each) => existsSync(each));
    // One for another kind of machine.
    if (folder === undefined) continue;
    links[name] = `file:${folder}`;
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    waiting.push(...Object.keys(dependencies));
  }
  return links;
}
