import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeHeads } from '../cache/log-heads.ts';
import type { Context } from '../shell/context.ts';
import { pinTreasuryKey } from './treasury-key.ts';

const [KEY, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];
const connection = { service: 'https://front.test', config: { genesis_hash: 'aa'.repeat(32) } };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinfront-pin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pin = (key: string | undefined, given?: string, service = connection.service) =>
  pinTreasuryKey(
    { options: { wallet: join(folder, 'wallet.json') } } as unknown as Context,
    { ...connection, service } as Parameters<typeof pinTreasuryKey>[1],
    given,
    { head: key === undefined ? null : { service_key: key } } as TreasuryStatusJson,
  );

test('the key that a service says first is kept, and another one is refused from then on', async () => {
  expect(await pin(KEY)).toBe(KEY);
  expect(await pin(KEY)).toBe(KEY);
  await expect(pin(OTHER)).rejects.toMatchObject({ code: 'treasury_other_key' });
  expect(await pin(KEY)).toBe(KEY);
  expect(await pin(OTHER, undefined, 'https://other.test')).toBe(OTHER);
});

test('what is kept of logs stays beside it', async () => {
  const path = join(folder, 'wallet.json');
  const log = { note: 'origin/key\n', seen_at: '2026-01-10T10:00:00.000Z' };
  await writeHeads(path, { [`${connection.service} ${connection.config.genesis_hash}`]: log });
  expect(await pin(KEY)).toBe(KEY);
  await expect(pin(OTHER)).rejects.toMatchObject({ code: 'treasury_other_key' });
});

test('a key that is given counts, whatever the service says; where there is no ledger there is none', async () => {
  await pin(KEY);
  expect(await pin(KEY, OTHER)).toBe(OTHER);
  await expect(pin(undefined)).rejects.toMatchObject({ code: 'treasury_empty' });
});
