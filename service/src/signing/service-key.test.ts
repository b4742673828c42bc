import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import { afterAll, expect, test } from 'vitest';
import { findServicePublicKey, openServiceKey } from './service-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinfront-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a key is made once, for its owner only, and found again', () => {
  const file = join(folder, 'deep', 'registry.key');
  expect(findServicePublicKey(file)).toBeUndefined();
  const made = openServiceKey(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['registry.key']);
  expect(openServiceKey(file).publicKey).toBe(made.publicKey);
  expect(findServicePublicKey(file)).toBe(made.publicKey);
  expect(verifyEd25519(made.publicKey, 'text', made.sign('text'))).toBe(true);
});

test('a file that others may read is refused, as is one that holds no key, and neither is shown', () => {
  const file = join(folder, 'open.key');
  openServiceKey(file);
  const seed = readFileSync(file, 'utf8').trim();
  chmodSync(file, 0o644);
  expect(() => openServiceKey(file)).toThrow(/can be read by others/);
  writeFileSync(file, `${seed}00`, { mode: 0o600 });
  chmodSync(file, 0o600);
  expect(() => openServiceKey(file)).toThrow(/no key of a service/);
  expect(() => openServiceKey(file)).not.toThrow(seed);
});
