import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file that pages load, in the encodings that were made of it. */
export type Asset = {
  contentType: string;
  plain: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
};

/** The explorer as it was built: the document around every page, and the files that it names by their hashes. */
export type Site = { shell: string; assets: ReadonlyMap<string, Asset> };

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads what `npm run build` made, whole, into memory; undefined when it was not made. */
export function readSite(distDir: string): Site | undefined {
  const shell = tryRead(join(distDir, 'index.html'));
  if (shell === undefined) return undefined;
  const assetsDir = join(distDir, 'assets');
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(assetsDir)) {
    const contentType = contentTypes[extname(name)];
    if (contentType === undefined) continue;
    const file = join(assetsDir, name);
    assets.set(name, {
      contentType,
      plain: readFileSync(file),
      br: tryRead(`${file}.br`),
      gzip: tryRead(`${file}.gz`),
    });
  }
  return { shell: shell.toString('utf8'), assets };
}

function tryRead(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
