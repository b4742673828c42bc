/**
 * `npm run pack [-- names] [--to folder]`: writes packages as `npm publish` would send them, into `packages/` unless another folder is
 * named. Names are sdk, cli and service; all of them unless some are given. Nothing is published.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCliPackage } from './cli-package.ts';
import { root } from './files.ts';
import { buildSdkPackage } from './sdk-package.ts';
import { buildServicePackage } from './service-package.ts';

const builders: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  sdk: buildSdkPackage,
  cli: buildCliPackage,
  service: buildServicePackage,
};

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } });
const target = resolve(values.to ?? join(root, 'packages'));
const names = positionals.length === 0 ? Object.keys(builders) : positionals;
const unknown = names.filter((name) => !(name in builders));
if (unknown.length > 0) {
  console.error(`"${unknown[0]}" is no package; there are ${Object.keys(builders).join(', ')}.`);
  process.exit(2);
}

mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'coinfront-pack-'));
try {
  for (const name of names) {
    const folder = join(work, name);
    await builders[name]!(folder);
    console.log(join(target, packFolder(folder)));
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function packFolder(folder: string): string {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', target];
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
}
