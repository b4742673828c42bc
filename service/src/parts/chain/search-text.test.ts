import { describe, expect, test } from 'vitest';
import { addressOf, fixtureProfile } from '../../testing/fixture-server.ts';
import { readHeight, readSearch } from './search-text.ts';

const txid = 'AB'.repeat(32);
const address = addressOf(7);
const read = (text: string) => readSearch(text, fixtureProfile);

describe('what is looked for', () => {
  test.each(['1,234', '#1234', '#1,234', '1 234', '1.234', '1_234', "1'234", '1\u202f234', ' 1234 '])(
    'by %j is the height 1234',
    (text) => expect(readHeight(read(text))).toBe(1234),
  );

  test.each(['1,23', '1,2345', '12,34', '0,123', '1,234.567', '01', '1e3', '-1', '##1', '#', '1234567890'])(
    'by %j is no height',
    (text) => expect(readHeight(read(text))).toBeUndefined(),
  );

  test('by an outpoint is its transaction', () => {
    expect(read(`${txid}:0`)).toBe(txid);
    expect(read(`${txid}:4294967295`)).toBe(txid);
    expect(read(`${txid}:x`)).toBe(`${txid}:x`);
  });

  test('by a payment URI is its address, of this coin only', () => {
    const { uriScheme } = fixtureProfile;
    expect(read(`${uriScheme}:${address}?amount=1.5&label=A%20shop`)).toBe(address);
    expect(read(`${uriScheme.toUpperCase()}:${address}`)).toBe(address);
    expect(read(`another:${address}`)).toBe(`another:${address}`);
  });
});
