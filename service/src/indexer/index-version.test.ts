import { expect, test } from 'vitest';
import { findNewerIndex } from './index-version.ts';

const own = 'aa 8 payouts:1 names:2:0123';

test.each([
  ['the same', own, undefined],
  ['an older layout', 'aa 7 payouts:1 names:2:0123', undefined],
  [
    'a newer layout',
    'aa 9 payouts:1 names:2:0123',
    /^The index was made by a newer .* layout has version 9, .* knows 8\./,
  ],
  ['newer rules of a part', 'aa 8 payouts:1 names:3:4567', /its names has version 3, .* knows 2\./],
  ['other rules of a part', 'aa 8 payouts:1 names:2:4567', undefined],
  ['a part of another profile', 'aa 8 payouts:1 names:2:0123 tokens:9', undefined],
  ['a newer layout of another chain', 'bb 9 payouts:1', undefined],
  ['nothing', '', undefined],
])('an index with %s is newer only where this program has yet to learn it', (_, found, expected) => {
  if (expected === undefined) expect(findNewerIndex(found, own)).toBeUndefined();
  else expect(findNewerIndex(found, own)).toMatch(expected);
});
