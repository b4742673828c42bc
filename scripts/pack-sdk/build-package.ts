/**
 * The SDK as others install it: one package of JavaScript and declarations, with what it needs of `api/` and `protocol/` inside.
 *
 * Node does not strip types inside of node_modules, so unlike the service it has to be built.
 */

import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { listImports, rewriteImports } from './imports.ts';

const root = join(import.meta.dirname, '../..');
const workspaces = ['sdk', 'api', 'protocol'] as const;

type Manifest = { name: string; version: string; license: string; dependencies?: Record<string, string> };

/**
 * Builds the package into `folder`, which must not exist.
 *
 * @throws Error when it does not compile, or imports a package that no workspace names
 */
export function buildPackage(folder: string): void {
  const stage = `${folder}.stage`;
  mkdirSync(stage, { recursive: true });
  try {
    stageSources(stage);
    compile(stage);
    const kept = copyReachable(join(stage, 'dist'), join(folder, 'dist'));
    writeManifest(folder, kept);
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Copies the sources, with the workspaces' names replaced by paths: the compiler only rewrites those. */
function stageSources(stage: string): void {
  const isSource = (path: string) => !/node_modules|\/testing$|\.test\.ts$/.test(path);
  for (const name of workspaces) {
    cpSync(join(root, name), join(stage, name), { recursive: true, filter: isSource });
    for (const file of listFiles(join(stage, name), '.ts')) {
      const here = posix.dirname(posix.join(name, file));
      const path = join(stage, name, file);
      const toPath = (specifier: string) =>
        specifier.startsWith('@coinfront/')
          ? posix.relative(here, specifier.slice('@coinfront/'.length)).replace(/^(?!\.)/, './')
          : specifier;
      writeFileSync(path, rewriteImports(readFileSync(path, 'utf8'), toPath));
    }
  }
  for (const file of ['tsconfig.json', 'tsconfig.sdk.json'])
    copyFileSync(join(root, file), join(stage, file));
  symlinkSync(join(root, 'node_modules'), join(stage, 'node_modules'));
}

function compile(stage: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.sdk.json'], { cwd: stage, encoding: 'utf8' });
  } catch (error) {
    throw new Error(`The SDK does not compile for browsers:\n${(error as { stdout: string }).stdout}`);
  }
}

/** Copies the SDK and what it imports; gives the packages that are imported from outside. */
function copyReachable(from: string, to: string): Set<string> {
  const packages = new Set<string>();
  const waiting = ['.js', '.d.ts'].flatMap((ending) =>
    listFiles(join(from, 'sdk'), ending).map((file) => posix.join('sdk', file)),
  );
  const seen = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const isDeclaration = file.endsWith('.d.ts');
    const source = rewriteImports(readFileSync(join(from, file), 'utf8'), (specifier) =>
      specifier.startsWith('.') ? specifier.replace(/\.ts$/, '.js') : specifier,
    );
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), source);
    if (file.endsWith('.json')) continue;
    for (const specifier of listImports(source)) {
      if (!specifier.startsWith('.')) {
        packages.add(nameOfPackage(specifier));
        continue;
      }
      const target = posix.join(posix.dirname(file), specifier);
      const next = isDeclaration ? target.replace(/\.js$/, '.d.ts') : target;
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return packages;
}

function nameOfPackage(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function writeManifest(folder: string, packages: ReadonlySet<string>): void {
  const manifests = workspaces.map(
    (name) => JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')) as Manifest,
  );
  const versions = Object.assign({}, ...manifests.map(({ dependencies }) => dependencies)) as Record<
    string,
    string
  >;
  const { name, version, license } = manifests[0]!;
  const entry = { types: './dist/sdk/*.d.ts', default: './dist/sdk/*.js' };
  const manifest = {
    name,
    version,
    license,
    description: 'Client and wallet of a Coinfront service: keys never leave.',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22' },
    exports: { './*.js': entry, './*.ts': entry, './*': entry },
    dependencies: Object.fromEntries(
      [...packages].sort().map((each) => {
        const exact = versions[each];
        if (exact === undefined) throw new Error(`the SDK imports ${each}, which no workspace depends on`);
        return [each, exact];
      }),
    ),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Files below a folder, with `/` in their paths. */
function listFiles(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(ending))
    .map((each) => relative(folder, join(each.parentPath, each.name)).replaceAll('\\', '/'));
}
