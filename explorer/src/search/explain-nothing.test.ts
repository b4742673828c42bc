import { expect, test } from 'vitest';
import { explainNothing } from './explain-nothing.ts';

const facts = { coinName: 'Coin', tipHeight: 1_234, tlds: ['coin', 'x'] };
const digest = 'ab'.repeat(32);

test.each([
  ['#9,999,999', 'the latest block is 1,234', ['/block/1234']],
  [digest.toUpperCase(), 'it is not anchored as a digest', [`/proof/${digest}`]],
  [digest.slice(1), 'It has 63 hex digits', []],
  ['VP-0123456789AB', 'no payment with this id', []],
  ['VP-123', 'Payment ids are VP- and 12 letters or digits', []],
  ['alice.coin', 'never registered', ['/name/alice.coin']],
  ['Alice.eth', 'Names here end in .coin, .x', ['/name/alice.coin', '/name/alice.x']],
  ['rltc1qd69ad8rcvuds98jpzfp8mgg6xsxml0w5ts9nfz', 'not one of Coin', []],
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'not one of Coin', []],
  ['Nothing', 'No token has a ticker that begins with it', ['/name/nothing.coin', '/name/nothing.x']],
  ['two words', 'one identifier at a time', []],
  ['алиса', 'the form of nothing', []],
])('of %s it is said what it looks like, and the next step', (text, says, steps) => {
  const { says: said, steps: next } = explainNothing(text, facts);
  expect(said).toContain(says);
  expect(next.map(({ href }) => href)).toEqual(steps);
});

test('a coin without names offers none, and a height is none while the tip is not known', () => {
  const little = { coinName: 'Coin', tipHeight: undefined, tlds: [] };
  expect(explainNothing('alice.coin', little).steps).toEqual([]);
  expect(explainNothing('99', little).steps).toEqual([]);
});
