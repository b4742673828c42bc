import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import { afterAll, expect, test } from 'vitest';
import { findRegistryPublicKey, openRegistryKey } from './registry-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'coinfront-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a key is made once, for its owner only, and found again', () => {
  const file = join(folder, 'deep', 'registry.key');
  expect(findRegistryPublicKey(file)).toBeUndefined();
  const made = openRegistryKey(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'deep'))).toEqual(['registry.key']);
  expect(openRegistryKey(file).publicKey).toBe(made.publicKey);
  expect(findRegistryPublicKey(file)).toBe(made.publicKey);
  expect(verifyEd25519(made.publicKey, 'text', made.sign('text'))).toBe(true);
});

test('a file that others may read is refused, as is one that holds no key, and neither is shown', () => {
  const file = join(folder, 'open.key');
  openRegistryKey(file);
  const seed = readFileSync(file, 'utf8').trim();
  chmodSync(file, 0o644);
  expect(() => openRegistryKey(file)).toThrow(/can be read by others/);
  writeFileSync(file, `${seed}00`, { mode: 0o600 });
  chmodSync(file, 0o600);
  expect(() => openRegistryKey(file)).toThrow(/no key of a registry/);
  expect(() => openRegistryKey(file)).not.toThrow(seed);
});
