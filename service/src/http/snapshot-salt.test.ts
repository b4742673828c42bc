import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { expect, test } from 'vitest';
import { saltOfSnapshots } from './snapshot-salt.ts';

const profile = getShippedProfile('regtest');

test('the salt of ETags is the same for the same program and profile, and another for other rules', () => {
  const salt = saltOfSnapshots('1.0.0', profile);
  expect(saltOfSnapshots('1.0.0', getShippedProfile('regtest'))).toBe(salt);
  expect(salt).toMatch(/^[\w.-]+$/);
  const names = { ...profile.names!, graceBlocks: profile.names!.graceBlocks + 1 };
  expect(saltOfSnapshots('1.0.0', { ...profile, names })).not.toBe(salt);
  expect(saltOfSnapshots('1.0.1', profile)).not.toBe(salt);
});
