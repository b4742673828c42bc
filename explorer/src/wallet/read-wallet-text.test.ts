import { expect, test } from 'vitest';
import { readWalletText } from './read-wallet-text.ts';

const key =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

test('extended keys and descriptors are known by their form, also wrapped', () => {
  const descriptor = `wsh(sortedmulti(2,[01020304/48h/1h/0h/2h]${key}/<0;1>/*,${key}/<0;1>/*))#qqqqqqqq`;
  for (const text of [key, `wpkh(${key}/0/*)`, `sh(wpkh(${key}/<0;1>/*))`, `tr(${key}/0/*)`, descriptor])
    expect(readWalletText(` ${text.slice(0, 50)}\n${text.slice(50)} `)).toBe(text);
});

test('what else is searched for is no wallet', () => {
  for (const text of [
    '',
    'shop.coin',
    'ab'.repeat(32),
    `${'ab'.repeat(32)}:1`,
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    key.slice(1, -3),
    `${key}${key}`,
    'wpkh()',
    `wpkh(${key.repeat(10)})`,
    'abandon '.repeat(24),
  ])
    expect([text, readWalletText(text)]).toEqual([text, undefined]);
});
