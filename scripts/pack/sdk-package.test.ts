import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPackages } from './fresh-project.ts';

const run = promisify(execFile);
/** Compiling and bundling take seconds, and longer where others use the machine. */
const patience = { timeout: 120_000 };
const root = join(import.meta.dirname, '../..');
const packages = join(root, 'node_modules');

/** A project of somebody else, outside of this repository, with nothing but the package in it. */
let project = '';
let installed = '';

beforeAll(async () => {
  project = await installPackages(['sdk']);
  installed = join(project, 'node_modules/@coinfront/sdk');
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

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

test('the package holds what it imports, sources for its maps, and no tests', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /\.test\.|testing|^dist.*(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  const maps = files.filter((path) => path.endsWith('.map'));
  expect(maps).toContain('dist/sdk/chain/get-block.d.ts.map');
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(installed, map), 'utf8')) as { sources: string[] };
    expect(existsSync(join(installed, map, '..', sources[0]!)), map).toBe(true);
  }
  const text = files
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(installed, path), 'utf8'))
    .join('\n');
  expect(text).not.toMatch(/from ['"](node:|@coinfront\/)/);
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

test(
  'what it exports by one name is each operation, and a page takes only what it uses of it',
  patience,
  async () => {
    const all = (await import(join(installed, 'dist/sdk/all.js'))) as Record<string, unknown>;
    const names = Object.keys(all);
    expect(names).toEqual(expect.arrayContaining(['createClient', 'prepareTransaction', 'parseAmount']));
    const others = /sdk\/(all$|client|wallet|verify|webhooks\/signatures)/;
    const operations = listModules().filter((name) => !others.test(name));
    expect(operations.length).toBeGreaterThan(100);
    for (const name of operations) {
      const file = join(installed, 'dist', `${name.slice('@coinfront/'.length)}.js`);
      expect(names, name).toEqual(expect.arrayContaining(Object.keys((await import(file)) as object)));
    }
    const { size } = await bundle(
      `import { createClient, getStatus } from '@coinfront/sdk';\nglobalThis.sdk = { createClient, getStatus };`,
    );
    expect(size).toBeLessThan(10_000);
  },
);

test('a field of an answer shows its description where an editor looks', () => {
  const types = readFileSync(join(installed, 'dist/api/chain-blocks.d.ts'), 'utf8');
  const detail = types.slice(types.indexOf('export type BlockDetailJson'));
  expect(detail).toMatch(/\/\*\* Height; genesis is 0\. \*\/\s+"height": number;/);
  expect(detail).toMatch(
    /\/\*\* The block below; null for genesis\. \*\/\s+"previous_hash": string \| null;/,
  );
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

test('all of it takes less than 130 KB of a page', patience, async () => {
  const { size, code } = await bundle(useAll(listModules()));
  expect(code).toContain('/api/v1/broadcast');
  expect(size).toBeLessThan(130_000);
});
