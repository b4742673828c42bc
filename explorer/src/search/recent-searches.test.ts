import { beforeEach, expect, test, vi } from 'vitest';
import { forgetSearches, listRecentSearches, rememberSearch } from './recent-searches.ts';

const store = new Map<string, string>();
beforeEach(() => {
  store.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
    removeItem: (key: string) => void store.delete(key),
  });
});

const paths = () => listRecentSearches().map(({ path }) => path);

test('the latest is first, each is there once, and the oldest are dropped', () => {
  for (let height = 1; height <= 9; height += 1) rememberSearch(`/block/${height}`);
  rememberSearch('/block/5');
  expect(paths()).toEqual([5, 9, 8, 7, 6, 4, 3, 2].map((height) => `/block/${height}`));
});

test('a token is known by its ticker, and everything can be forgotten', () => {
  rememberSearch(`/token/${'ab'.repeat(32)}`, 'SHOWN');
  expect(listRecentSearches()).toMatchObject([{ what: 'Token', label: 'SHOWN' }]);
  forgetSearches();
  expect(paths()).toEqual([]);
  expect(store.size).toBe(0);
});

test('what is no page of one thing is not kept, nor is a payment', () => {
  for (const path of ['/search?q=some%20words', '/charts', '//evil.example/tx/1', '/pay/VP-0123456789AB'])
    rememberSearch(path);
  expect(paths()).toEqual([]);
});

test.each([
  ['no JSON', '{'],
  ['no list', '{"path":"/block/1"}'],
  [
    'paths that are none',
    '[1,null,{"path":5},{"path":"https://evil.example/"},{"path":"/block/1","label":{}}]',
  ],
])('%s in its place is nothing', (_, text) => {
  store.set('recent-searches', text);
  expect(paths()).toEqual([]);
});

test('a browser that keeps nothing has no recent searches', () => {
  const refuse = () => {
    throw new Error('forbidden');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  rememberSearch('/block/1');
  forgetSearches();
  expect(paths()).toEqual([]);
});
