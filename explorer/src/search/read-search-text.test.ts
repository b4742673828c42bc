import { mostSearched as mostTaken } from '@coinfront/api/chain-search.ts';
import { expect, test } from 'vitest';
import { mostSearched, readSearchText } from './read-search-text.ts';

const address = 'rltc1qd69ad8rcvuds98jpzfp8mgg6xsxml0w5ts9nfl';

test.each([
  [`litecoin:${address}?amount=1`, address],
  [`https://coin.example/address/${address}?page=2`, address],
  ['http://127.0.0.1:8080/name/alice%2Ecoin#top', 'alice.coin'],
  ['812,345', '812,345'],
])('of %s is looked for %s', (given, text) => {
  expect(readSearchText(given)).toBe(text);
});

test('an address of a page that is not well encoded is looked for as it stands', () => {
  expect(readSearchText('https://coin.example/name/100%')).toBe('100%');
});

test('what is looked for can be part of a URL, also where half a character was pasted or is left by cutting', () => {
  for (const given of ['\ud83d', `${'a'.repeat(mostSearched - 1)}🙂`]) {
    expect(() => encodeURIComponent(readSearchText(given))).not.toThrow();
  }
});

test('as much is looked for as the API takes', () => {
  expect(mostTaken).toBe(mostSearched);
});
