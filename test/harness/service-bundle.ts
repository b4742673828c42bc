import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..', '..');
/** Below the packages: what is not bundled is found from there. */
const bundles = join(root, 'node_modules', '.cache', 'test-service');
const input = { main: join(root, 'service/src/main.ts'), admin: join(root, 'service/src/admin/main.ts') };
const sources = [
  '{service,api,protocol}/**/*.{ts,js,json}',
  'package-lock.json',
  'test/harness/service-bundle.ts',
];
const DAY_MS = 24 * 60 * 60 * 1_000;
const ownPlaces = /(new Worker\(\s*)new URL\('(\.[^']+)', import\.meta\.url\)|import\.meta\.(url|dirname)/g;

/**
 * The service and the operator's commands in some dozens of files instead of 1,900 modules.
 *
 * A run of all suites starts them more than a thousand times, and most of what a start takes is Node resolving, checking,
 * reading and linking each module, once a thread. That is not what the suites prove. The program is the same: nothing is left out or
 * made shorter, and every module finds the files beside its source. `npm start` and the packages run the modules one by one, and have
 * suites of their own.
 *
 * Its folder is named by the hash of its sources, so what a suite starts is never stale, and what Node keeps compiled is found again while
 * nothing changes.
 *
 * @returns the folder with `main.js` and `admin.js`
 */
export async function bundleService(): Promise<string> {
  const folder = join(bundles, await hashSources());
  if (existsSync(folder)) {
    const now = new Date();
    await utimes(folder, now, now);
    return folder;
  }
  const files = await bundle();
  const next = `${folder}-${process.pid}`;
  await mkdir(next, { recursive: true });
  for (const { name, text } of files) await writeFile(join(next, name), text);
  // Another run may have been faster, with the same.
  await rename(next, folder).catch(() => rm(next, { recursive: true }));
  await removeOld();
  return folder;
}

async function bundle(): Promise<{ name: string; text: string | Uint8Array }[]> {
  const { build } = await import('vite');
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [keepPlaces],
    // What Node would choose of each package. One with a binary beside it stays where it is.
    ssr: {
      noExternal: true,
      external: ['sharp', 'pg-native'],
      resolve: { conditions: ['node'], mainFields: ['main'] },
    },
    build: {
      ssr: true,
      write: false,
      target: 'esnext',
      minify: false,
      sourcemap: true,
      rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
  });
  if (!('output' in built)) throw new Error('The service was bundled into nothing.');
  const files = built.output.map((file) => ({
    name: file.fileName,
    text: file.type === 'chunk' ? file.code : file.source,
  }));
  // Else Node compiles each file once more, to see what it is.
  return [...files, { name: 'package.json', text: '{"type":"module"}\n' }];
}

/** A module's own place is that of its source; a worker is a file of the bundle. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('node_modules') || !code.includes('import.meta.')) return;
    return code.replace(ownPlaces, (_, starts: string | undefined, path: string, what: string) => {
      if (starts === undefined) return JSON.stringify(what === 'url' ? pathToFileURL(id).href : dirname(id));
      const fileName = basename(path).replace('.ts', '.js');
      this.emitFile({ type: 'chunk', id: join(dirname(id), path), fileName });
      return `${starts}new URL('./${fileName}', import.meta.url)`;
    });
  },
};

/** A hash of all that the program is made of, and of where it is. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256').update(root);
  const names: string[] = [];
  for await (const name of glob(sources, { cwd: root, exclude: ['**/node_modules/**', '**/*.test.ts'] }))
    names.push(name);
  for (const name of names.sort()) hash.update(`\0${name}\0`).update(await readFile(join(root, name)));
  return hash.digest('hex').slice(0, 32);
}

/** Removes those that no run can be using any more. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(bundles)) {
    const folder = join(bundles, name);
    if (Date.now() - (await stat(folder)).mtimeMs > DAY_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
