import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findViolations } from './import-rules.ts';

const root = new URL('..', import.meta.url).pathname;
const folders = [
  'protocol',
  'api',
  'sdk',
  'cli',
  'service',
  'explorer',
  'examples',
  'bench',
  'campaign',
  'fuzz',
  'replay',
  'scripts',
  'test',
];

test('every source file keeps the import rules', () => {
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ['**/node_modules/**'] }),
  );
  expect(files).toContain('test/import-rules.ts');
  expect(files.flatMap((file) => findViolations(file, readFileSync(root + file, 'utf8')))).toEqual([]);
});

test.each([
  ['protocol/a.ts', "import { x } from '@coinfront/api/x.ts';", 'protocol imports'],
  ['protocol/a.ts', "import { readFileSync } from 'node:fs';", 'browsers lack'],
  ['api/a.ts', "import type { X } from '@coinfront/service/src/errors.ts';", 'api imports'],
  ['api/a.ts', "export { x } from '../protocol/x.ts';", 'not by workspace name'],
  ['sdk/a.ts', "import { x } from '@coinfront/api/x.ts';", 'more than types'],
  ['explorer/src/a.tsx', "import { x } from '@coinfront/api/x.ts';", 'more than types'],
  ['explorer/src/a.tsx', "import { x } from '../../service/src/errors.ts';", 'explorer imports'],
  ['explorer/src/a.tsx', "import { join } from 'node:path';", 'browsers lack'],
  ['service/src/main.ts', "import {\n  x,\n  y,\n} from '@coinfront/sdk/x.ts';", 'service imports'],
  ['service/src/main.ts', "const x = await import('../../test/x.ts');", 'service imports'],
  ['service/src/parts/a/routes.ts', "import { x } from '../b/store.ts';", 'part a imports part b'],
  ['service/src/parts/a/store.ts', "import { x } from '../../http/problem.ts';", 'a store imports'],
  ['service/src/parts/a/rules.ts', "import { readFile } from 'node:fs/promises';", 'rules import'],
  ['service/src/parts/a/rules.ts', "import { open } from '../../db/open.ts';", 'rules import'],
  ['service/src/parts/a/store.ts', "import pg from 'pg';", 'only service/src/db/'],
  ['service/src/http/a.ts', "import { DatabaseSync } from 'node:sqlite';", 'only service/src/db/'],
  ['service/src/http/a.ts', "import { Pool } from 'undici';", 'only service/src/node/'],
  ['sdk/a.ts', "import { createHmac } from 'node:crypto';", 'browsers lack'],
  ['service/src/http/a.ts', 'const port = process.env.PORT;', 'process.env'],
  ['service/src/db/index.ts', '', 'barrel'],
  ['service/src/db/a.ts', 'export default new Store();', 'singleton'],
  ['replay/a.ts', "import { x } from '@coinfront/protocol/x.ts';", 'replay imports'],
  ['replay/a.ts', "import type { X } from '../sdk/x.ts';", 'replay imports'],
  ['replay/a.ts', "import { sha256 } from '@noble/hashes/sha2.js';", 'replay imports'],
])('a breach in %s is found: %s', (path, source, message) => {
  expect(findViolations(path, source)).toEqual([expect.stringContaining(message)]);
});

test.each([
  [
    'service/src/parts/a/routes.ts',
    "import { x } from './store.ts';\nimport { y } from '../../http/problem.ts';",
  ],
  ['service/src/parts/a/routes.ts', "import { x } from '@coinfront/protocol/x.ts';"],
  ['service/src/parts/a/rules.ts', "import type { Facts } from '../../node/node-facts.ts';"],
  ['service/src/db/sqlite.ts', "import { DatabaseSync } from 'node:sqlite';"],
  ['service/src/node/node-http.ts', "import { Pool } from 'undici';"],
  ['service/src/outbound/a.ts', "import { Client } from 'undici';"],
  ['service/src/config.ts', 'export const read = (env = process.env) => env;'],
  ['service/src/http/a.test.ts', "import { startNode } from '../../../test/harness/litecoind.ts';"],
  ['sdk/a.ts', "import type { X } from '@coinfront/api/x.ts';"],
  ['replay/a.ts', "import { hash } from 'node:crypto';\nimport { x } from './x.ts';"],
])('%s may say: %s', (path, source) => {
  expect(findViolations(path, source)).toEqual([]);
});
