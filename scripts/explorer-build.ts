/** Makes the explorer's files: what browsers load, hashed in their names, and compressed once for all visitors. */

import { glob, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { takeLatestChanges } from './latest-changes.ts';
import { readSdkFunctions } from './sdk-functions.ts';

const root = new URL('..', import.meta.url).pathname;
const explorerDir = join(root, 'explorer');
const distDir = join(explorerDir, 'dist');
/** Written last: a build that was interrupted counts as missing. */
const indexFile = join(distDir, 'index.html');

const sources = [
  'explorer/src/**/*',
  'explorer/index.html',
  'explorer/package.json',
  'service/src/http/page-tokens.css',
  'sdk/**/*.ts',
  'protocol/**/*.ts',
  'scripts/explorer-build.ts',
  'scripts/latest-changes.ts',
  'scripts/sdk-functions.ts',
  'CHANGELOG.md',
  'package-lock.json',
];

/** Modules of the first file: the frame, what many pages are made of, and what reads the API. What only some pages draw comes with them. */
const baseModules =
  /\/node_modules\/preact\/|\/sdk\/client\/|\/explorer\/src\/(frame|language\/(?!german)|format\/(amount|fee-choices|hashrate-series|number|project-blocks|shorten|time)\.|data\/(?!begin-contribution|describe-carrier|find-typed-key|open-api|part-points)|ui\/(?!csv-button|fee-legend|paged-table|pager|png-button|qr-code|moment|stacked-chart|stretch-picker|time-axis|time-chart|treemap))|\/explorer\/src\/(router|pages)\.tsx|vite\/preload-helper/;

/** Module whose default export is the text of the script that a downloaded proof checks itself with. */
const VERIFIER_MODULE = 'virtual:proof-verifier';
/** Modules that are made of other files of the repository. */
const FUNCTIONS_MODULE = 'virtual:sdk-functions';
const CHANGES_MODULE = 'virtual:latest-changes';

/** Whether `explorer/dist` is there and no source is younger. */
export async function isExplorerCurrent(): Promise<boolean> {
  const builtAtMs = (await stat(indexFile).catch(() => undefined))?.mtimeMs;
  if (builtAtMs === undefined) return false;
  for await (const file of glob(sources, { cwd: root, exclude: ['**/node_modules/**', '**/*.test.ts'] })) {
    if ((await stat(join(root, file))).mtimeMs > builtAtMs) return false;
  }
  return true;
}

/**
 * Builds it in a folder beside, and puts that in place when it is whole.
 *
 * @param options.logLevel - the least severe of what the builder prints itself
 */
export async function buildExplorer({
  logLevel = 'warn',
}: {
  logLevel?: 'warn' | 'error';
} = {}): Promise<{ milliseconds: number; entryBytes: number }> {
  const started = performance.now();
  const nextDir = `${distDir}-${process.pid}`;
  const { build } = await import('vite');
  const common = {
    configFile: false,
    root: explorerDir,
    logLevel,
    define: { 'process.env.NODE_ENV': '"production"' },
    // Under a test runner NODE_ENV is another one, and elements would be made by the larger functions for development.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  } as const;

  async function buildVerifier(): Promise<string> {
    const built = await build({
      ...common,
      build: {
        write: false,
        lib: { entry: 'src/proof-verifier/verify-page.ts', formats: ['iife'], name: 'proof' },
      },
    });
    const outputs = (Array.isArray(built) ? built : [built]) as { output: { code?: string }[] }[];
    return outputs[0]?.output[0]?.code ?? '';
  }

  const madeModules: Readonly<Record<string, () => Promise<unknown>>> = {
    [VERIFIER_MODULE]: buildVerifier,
    [FUNCTIONS_MODULE]: () => readSdkFunctions(join(root, 'sdk')),
    [CHANGES_MODULE]: async () => takeLatestChanges(await readFile(join(root, 'CHANGELOG.md'), 'utf8')),
  };

  try {
    await build({
      ...common,
      base: '/',
      build: {
        outDir: nextDir,
        emptyOutDir: true,
        // Everything is a file of this origin: the policy allows nothing inside the page.
        assetsInlineLimit: 0,
        cssCodeSplit: false,
        modulePreload: { polyfill: false },
        // What every page needs is one file; what one page needs comes with that page.
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [{ name: 'base', test: baseModules, priority: 2 }],
            },
          },
        },
      },
      worker: { format: 'es' },
      plugins: [
        {
          name: 'made-modules',
          resolveId: (id: string) => (id in madeModules ? `\0${id}` : undefined),
          load: async (id: string) => {
            const make = madeModules[id.slice(1)];
            return make === undefined ? undefined : `export default ${JSON.stringify(await make())}`;
          },
        },
      ],
    });
    const entryBytes = await compressAssets(nextDir);
    await rm(distDir, { recursive: true, force: true });
    await rename(nextDir, distDir);
    const html = await readFile(indexFile);
    await writeFile(indexFile, html);
    return { milliseconds: performance.now() - started, entryBytes };
  } finally {
    await rm(nextDir, { recursive: true, force: true });
  }
}

/** Writes `.br` and `.gz` beside each file; gives the compressed bytes of what the page itself names. */
async function compressAssets(dir: string): Promise<number> {
  const html = await readFile(join(dir, 'index.html'), 'utf8');
  let entryBytes = 0;
  for await (const name of glob('assets/*.{js,css,svg}', { cwd: dir })) {
    const bytes = await readFile(join(dir, name));
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      promisify(gzip)(bytes, { level: 9 }),
    ]);
    await Promise.all([writeFile(join(dir, `${name}.br`), br), writeFile(join(dir, `${name}.gz`), gz)]);
    if (html.includes(name)) entryBytes += br.length;
  }
  return entryBytes;
}
