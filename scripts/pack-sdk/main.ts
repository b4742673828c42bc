/** `npm run pack:sdk [-- folder]`: writes the SDK's package, as `npm publish` would send it, into a folder (default: here). */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPackage } from './build-package.ts';

const target = resolve(process.argv[2] ?? '.');
const work = mkdtempSync(join(tmpdir(), 'coinfront-sdk-'));
try {
  const folder = join(work, 'package');
  buildPackage(folder);
  const name = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', target], {
    cwd: folder,
    encoding: 'utf8',
  });
  console.log(join(target, name.trim()));
} finally {
  rmSync(work, { recursive: true, force: true });
}
