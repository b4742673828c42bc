import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
/** Compiling and bundling take seconds, and longer where others use the machine. */
const patience = { timeout: 120_000 };
const root = join(import.meta.dirname, '../..');
const packages = join(root, 'node_modules');

/** A project of somebody else, outside of this repository, with nothing but the package in it. */
let project = '';
let installed = '';

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'coinfront-fresh-'));
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'main.ts'), project]);
  const archive = stdout.trim();
  const manifest = JSON.parse(
    execFileSync('tar', ['xzOf', archive, 'package/package.json'], { encoding: 'utf8' }),
  ) as { dependencies: Record<string, string> };
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({
      type: 'module',
      private: true,
      // What the package depends on is taken from here, in the versions that it asks for: this test needs no registry.
      dependencies: {
        '@coinfront/sdk': `file:${archive}`,
        ...linkPackages(Object.keys(manifest.dependencies)),
      },
    }),
  );
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project });
  installed = join(project, 'node_modules/@coinfront/sdk');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** These packages and what they depend on, as folders of this repository. */
function linkPackages(names: readonly string[]): Record<string, string> {
  const links: Record<string, string> = {};
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in links) continue;
    const folder = join(packages, name);
    links[name] = `file:${folder}`;
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    waiting.push(...Object.keys(dependencies));
  }
  return links;
}

/** Specifiers of all modules of the SDK, as a user of the package writes them. */
function listModules(): string[] {
  return readdirSync(join(installed, 'dist/sdk'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => `@coinfront/sdk/${path.slice(0, -'.js'.length)}`)
    .sort();
}

/** Bytes of a bundle for browsers after gzip, and its code. */
async function bundle(source: string): Promise<{ size: number; code: string }> {
  const entry = join(project, `entry-${Math.random()}.js`);
  writeFileSync(entry, source);
  const result = await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: true, target: 'es2022', rolldownOptions: { input: entry } },
  });
  const { output } = (Array.isArray(result) ? result[0] : result) as { output: { code?: string }[] };
  const code = output.map((each) => each.code ?? '').join('\n');

  return { size: gzipSync(code).length, code };
}

test('the package holds what it imports, no sources and no tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /\.test\.|testing|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(files).toContain('LICENSE');
  const text = files
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(installed, path), 'utf8'))
    .join('\n');
  expect(text).not.toMatch(/from ['"]node:|@coinfront\//);
  expect(existsSync(join(project, 'node_modules/typescript'))).toBe(false);
});

test.each(['nodenext', 'bundler'])(
  'it type-checks in a fresh project, resolved as by %s',
  patience,
  async (moduleResolution) => {
    const folder = join(project, `src-${moduleResolution}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'all.ts'),
      listModules()
        .map((name, index) => `import * as module${index} from '${name}';\nvoid module${index};`)
        .join('\n'),
    );
    writeFileSync(
      join(folder, 'use.ts'),
      `import { getBlock, type GetBlockError } from '@coinfront/sdk/chain/get-block';
import { createClient } from '@coinfront/sdk/client/create-client.js';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { iterateItems } from '@coinfront/sdk/client/iterate-pages';
import { listUtxos } from '@coinfront/sdk/chain/list-utxos';

const client = createClient({ baseUrl: 'https://coin.example' });
const block = await getBlock(client, { id: 5, cursor: undefined });
export const height: number = block.height;
// @ts-expect-error a block has no such field
export const none = block.no_such_field;
// @ts-expect-error a block is asked for by its id
await getBlock(client, {});
for await (const coin of iterateItems((cursor) => listUtxos(client, { address: 'a', cursor }))) {
  const amount: string = coin.value;
  void amount;
}
export const code = (error: GetBlockError): 'block_not_found' | undefined =>
  error.code === 'block_not_found' ? error.code : undefined;
export const isGone = (error: unknown): boolean => isCoinfrontError(error, 'block_not_found');
`,
    );
    const config = {
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.iterable'],
        module: moduleResolution === 'bundler' ? 'preserve' : 'nodenext',
        moduleResolution,
        types: [],
      },
      include: [folder],
    };
    const file = join(project, `tsconfig.${moduleResolution}.json`);
    writeFileSync(file, JSON.stringify(config));
    const checked = run(process.execPath, [join(packages, 'typescript/bin/tsc'), '-p', file]);
    await expect(
      checked.catch((error: { stdout: string }) => Promise.reject(error.stdout)),
    ).resolves.toBeDefined();
  },
);

test('every module of it runs where no types are stripped', async () => {
  const script = join(project, 'run.js');
  writeFileSync(
    script,
    `${listModules()
      .map((name) => `await import('${name}');`)
      .join('\n')}
import { getBlock } from '@coinfront/sdk/chain/get-block';
import { createClient } from '@coinfront/sdk/client/create-client';
const fetch = async (url) => Response.json({ url });
const client = createClient({ baseUrl: 'https://coin.example', fetch });
console.log((await getBlock(client, { id: 5 })).url);
`,
  );
  const { stdout } = await run(process.execPath, ['--no-experimental-strip-types', script]);
  expect(stdout).toBe('https://coin.example/api/v1/block/5\n');
});

/** A page that uses everything that these modules export. */
function useAll(names: readonly string[]): string {
  return names
    .map((name, index) => `import * as m${index} from '${name}';\nglobalThis.m${index} = { ...m${index} };`)
    .join('\n');
}

test('a page that reads takes less than 10 KB of it', patience, async () => {
  const names = ['client/create-client', 'client/iterate-pages', 'chain/get-address', 'chain/list-utxos'];
  const { size, code } = await bundle(useAll(names.map((name) => `@coinfront/sdk/${name}`)));
  expect(code).toContain('/api/v1/utxos/');
  // What is not imported is not there.
  expect(code).not.toContain('/api/v1/broadcast');
  expect(size).toBeLessThan(10_000);
});

test('all of it takes less than 120 KB of a page', patience, async () => {
  const { size, code } = await bundle(useAll(listModules()));
  expect(code).toContain('/api/v1/broadcast');
  expect(size).toBeLessThan(120_000);
});
