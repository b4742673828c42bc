import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { keepCompiled } from './keep-compiled.ts';

test('what is compiled is kept below the packages, also by threads', async () => {
  const program = `
    import { getCompileCacheDir } from 'node:module';
    import { isMainThread, Worker } from 'node:worker_threads';
    console.log(getCompileCacheDir());
    if (isMainThread) new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(
      "import { getCompileCacheDir } from 'node:module'; console.log(getCompileCacheDir());",
    )})));
  `;
  const args = [...keepCompiled, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {} });
  const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled');
  const [first, second, ...rest] = stdout.trim().split('\n');
  expect(first).toContain(folder);
  expect(second).toBe(first);
  expect(rest).toEqual([]);
});
