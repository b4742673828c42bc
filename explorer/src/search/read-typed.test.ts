import { describe, expect, test } from 'vitest';
import { describePage, readStart, suggestTyped } from './read-typed.ts';

const txid = 'ab'.repeat(32);
const address = 'rltc1qd69ad8rcvuds98jpzfp8mgg6xsxml0w5ts9nfl';

describe('what is typed', () => {
  test.each([
    ['1234', 'Block 1,234', '/block/1234'],
    ['#1234', 'Block 1,234', '/block/1234'],
    ['1,234', 'Block 1,234', '/block/1234'],
    ['#1 234', 'Block 1,234', '/block/1234'],
    [`${txid.toUpperCase()}:7`, 'Transaction ababababab…ababababab output 7', `/tx/${txid}`],
    ['vp-0123456789ab', 'Payment VP-0123456789AB', '/pay/VP-0123456789AB'],
    [`litecoin:${address}?amount=1&label=a`, 'Address rltc1qd69a…w5ts9nfl', `/address/${address}`],
    ['https://coin.example/name/alice%2Ecoin#top', 'Name alice.coin', '/name/alice%2Ecoin'],
    ['https://coin.example/block/5', 'Block 5', '/block/5'],
  ])('%s is understood as %s', (text, said, path) => {
    const found = suggestTyped(text, 2_000);
    const words = [found?.what, found?.label, found?.note].filter((each) => each !== undefined).join(' ');
    expect(words.replace(/rltc1qd69a\S+/, 'rltc1qd69a…w5ts9nfl')).toBe(said);
    expect(found?.path).toBe(path);
  });

  test.each(['2001', '1,23', '##1', txid, 'alice', 'https://coin.example/charts', 'https://x/no/thing', ''])(
    'of %j nothing is known by its form',
    (text) => expect(suggestTyped(text, 2_000)).toBeUndefined(),
  );
});

test.each([
  '/api/v1/broadcast',
  '/block/',
  '/block/1/2',
  `/name/${'a'.repeat(121)}`,
  '//evil.example',
  '/tx/<b>',
])('%s is no page that is suggested', (path) => expect(describePage(path)).toBeUndefined());

describe('what is sent while it is typed', () => {
  test.each(['a', 'alice', 'alice.', 'alice.co', 'SHOWN', 'Shown', '123', 'x-1', 'deadbeef'])(
    '%s is',
    (text) => expect(readStart(text)).toBe(text),
  );

  test.each([
    ['a mnemonic from its second word on', 'abandon abandon'],
    ['a mnemonic behind its first word', 'abandon a'],
    ['a mnemonic with hyphens from its third word on', 'legal-winner-t'],
    ['a key of base58', 'Kx4s'],
    ['an extended private key', 'xprv9s21ZrQH'],
    ['half of a key of hex', '00112233445566'],
    ['a txid', txid],
    ['a long word', 'a'.repeat(33)],
    ['words of other scripts', 'алиса'],
  ])('%s is not', (_, text) => expect(readStart(text)).toBeUndefined());
});
