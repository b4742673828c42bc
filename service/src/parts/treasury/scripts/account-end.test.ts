import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { readWalletScripts } from '../../../wallets/wallet-scripts.ts';
import { createIsNearEnd, MOST_INDEXES } from './account-end.ts';

const profile = getShippedProfile('regtest');
const versions = { public: profile.extendedPublicVersion, private: profile.extendedPrivateVersion };
const { publicExtendedKey: key } = HDKey.fromMasterSeed(new Uint8Array(32).fill(4), versions);
const [, change] = getValue(readWalletScripts(key, undefined, profile)).branches;
const gapLimit = 20;
const isNearEnd = createIsNearEnd(profile, { ...profile.treasury!, account: { key, gapLimit } });
const at = (index: number) => bytesToHex(change!.scriptAt(index));
/** As many as a wallet has used that came so far. */
const others = Array.from({ length: MOST_INDEXES / gapLimit }, (_, i) => `51${i}`);

test('an account is near its end when one of the last addresses that are followed is used', () => {
  expect(isNearEnd([...others, at(MOST_INDEXES - 100)])).toBe(true);
  expect(isNearEnd([...others, at(MOST_INDEXES - 1)])).toBe(true);
  expect(isNearEnd([...others, at(MOST_INDEXES - 101)])).toBe(false);
  expect(isNearEnd(others)).toBe(false);
});

test('a treasury without an account is near no end, nor is one that used few addresses', () => {
  const plain = createIsNearEnd(profile, { ...profile.treasury!, account: undefined });
  expect(plain([...others, at(MOST_INDEXES - 1)])).toBe(false);
  expect(createIsNearEnd(profile, undefined)(others)).toBe(false);
  expect(isNearEnd([at(0)])).toBe(false);
});
