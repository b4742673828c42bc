import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Claim, claimFolder } from './claim-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'coinfront-claim-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Claims it, which must succeed. */
async function claim(dir: string): Promise<Extract<Claim, { isOurs: true }>> {
  const claimed = await claimFolder(dir);
  if (!claimed.isOurs) throw new Error(`The folder is that of ${claimed.address}.`);
  return claimed;
}

test.each([
  ['a folder', 'one'],
  ['a folder with a path that is too long for a socket', 'deep'.repeat(40)],
])('%s has one owner, who tells where it is, until it is released', async (_, name) => {
  const dir = join(parent, name);
  const first = await claim(dir);
  expect(await claimFolder(dir)).toEqual({ isOurs: false, address: undefined });
  first.tell('http://127.0.0.1:8080');
  expect(await claimFolder(dir)).toEqual({ isOurs: false, address: 'http://127.0.0.1:8080' });
  first.release();
  (await claim(dir)).release();
});

test('a folder whose owner was killed is free again', async () => {
  const dir = join(parent, 'killed');
  const module = JSON.stringify(new URL('./claim-folder.ts', import.meta.url).href);
  const code = `const { claimFolder } = await import(${module});
await claimFolder(${JSON.stringify(dir)}); console.log('mine'); setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  expect((await claimFolder(dir)).isOurs).toBe(false);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  (await claim(dir)).release();
});
