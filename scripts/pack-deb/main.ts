/** `npm run pack:deb [-- --to folder] [--version 1.2.3]`: writes the Debian package for this machine's architecture, into `packages/`. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../pack/files.ts';
import { readManifest } from '../pack/manifest.ts';
import { layOutDeb, writeDeb } from './build-deb.ts';

const { values } = parseArgs({ options: { to: { type: 'string' }, version: { type: 'string' } } });
const target = resolve(values.to ?? join(root, 'packages'));
const version = values.version ?? readManifest().version;
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'coinfront-deb-'));
try {
  const folder = join(work, 'coinfront');
  mkdirSync(folder, { mode: 0o755 });
  await layOutDeb(folder, version);
  console.log(writeDeb(folder, target, version));
} finally {
  rmSync(work, { recursive: true, force: true });
}
