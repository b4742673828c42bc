import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import type { ChainView } from '../../../chain/chain-view.ts';
import { readWalletScripts } from '../../../wallets/wallet-scripts.ts';
import { createFindOwnScripts } from './own-scripts.ts';

const profile = getShippedProfile('regtest');
const versions = { public: profile.extendedPublicVersion, private: profile.extendedPrivateVersion };
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(4), versions);
const branches = getValue(readWalletScripts(account.publicExtendedKey, undefined, profile)).branches;
const treasuryOf = (key: string, gapLimit = 3): TreasuryProfile => ({
  ...profile.treasury!,
  account: { key, gapLimit },
});

/** A chain that has paid these scripts. */
function chainOf(...paid: Uint8Array[]) {
  const asked: string[] = [];
  const view = {
    async getScriptStats(script: Uint8Array) {
      asked.push(bytesToHex(script));
      return { txCount: paid.some((each) => bytesToHex(each) === bytesToHex(script)) ? 1 : 0 };
    },
  } as unknown as ChainView;
  return { view, asked };
}

test('an account is followed past each address that was used, and no further than the gap limit', async () => {
  const find = getValue(createFindOwnScripts(profile, treasuryOf(account.publicExtendedKey)));
  const at = (branch: number, index: number) => branches[branch]!.scriptAt(index);
  const { view, asked } = chainOf(at(0, 2), at(0, 5), at(1, 3));
  const found = await find(view, []);
  // On the second branch 3 lies behind a gap of three.
  expect(found.used).toEqual([bytesToHex(at(0, 2)), bytesToHex(at(0, 5))]);
  expect([found.has(at(0, 8)), found.has(at(0, 9)), found.has(at(1, 2)), found.has(at(1, 3))]).toEqual([
    ...[true, false, true, false],
  ]);
  const { length } = asked;
  await find(view, []);
  // What was used is not derived again, and the window is looked at once a turn.
  expect(asked.length - length).toBeLessThan(length);
});

test("what the ledger covers stays the treasury's, and its own address is told apart", async () => {
  const find = getValue(createFindOwnScripts(profile, { ...profile.treasury!, account: undefined }));
  const known = Uint8Array.of(0x51);
  const found = await find(chainOf(known).view, [bytesToHex(known)]);
  expect([found.has(known), found.isMain(known), found.isMain(profile.treasury!.script)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(found.used).toEqual([bytesToHex(known)]);
});

test('a private key, and what is no key, are refused without being shown', () => {
  for (const key of [account.privateExtendedKey, 'xpub-of-nobody']) {
    const refused = createFindOwnScripts(profile, treasuryOf(key));
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).not.toContain(key);
  }
});
