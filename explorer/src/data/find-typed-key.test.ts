import { expect, test } from 'vitest';
import { findTypedKey } from './find-typed-key.ts';

// Published keys: BIP-32's first test vector, and a WIF key of a test network.
const rules = { wifVersion: 0xef };
const wif = 'cVjzvdHGfQDtBEq7oddDRcpzpYuvNtPbWdi8tKQLcZae65G4zGgy';
const extended =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const address = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn';

test.each([
  ['alone', wif, 'wif'],
  ['behind an address', address + wif, 'wif'],
  ['before an address', wif + address, 'wif'],
  ['between two of them', address + wif + address, 'wif'],
  ['of BIP-32, behind an address', address + extended, 'extended_private_key'],
])('a key is found %s', (_, text, kind) => {
  expect(findTypedKey(text, rules)).toBe(kind);
});

test('what holds none is not taken for one, however long it is', () => {
  expect(findTypedKey(address.repeat(60), rules)).toBeUndefined();
  expect(findTypedKey(`${address} ${'f'.repeat(64)}`, rules)).toBeUndefined();
});
