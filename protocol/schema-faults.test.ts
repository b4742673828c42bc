import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { describeFaults, describeFirstFault } from './schema-faults.ts';

const strict = { additionalProperties: false };
const Price = Type.Object(
  { amount: Type.String(), currency: Type.String({ pattern: '^[A-Z]{3}$' }) },
  strict,
);
const Body = Type.Object(
  {
    raw_tx: Type.Optional(Type.String({ minLength: 20, maxLength: 40 })),
    secret: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    expires_in: Type.Optional(Type.Integer({ minimum: 300, maximum: 900 })),
    percent: Type.Optional(Type.Number({ minimum: 0 })),
    is_public: Type.Optional(Type.Boolean()),
    scope: Type.Optional(Type.Unsafe({ type: 'string', enum: ['read', 'all'] })),
    kind: Type.Optional(Type.Literal('a')),
    events: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
    note: Type.Optional(Type.Unsafe({ anyOf: [{ type: 'string' }, { type: 'null' }] })),
    price: Type.Optional(Price),
    links: Type.Optional(Type.Array(Type.Object({ url: Type.String() }, strict))),
    metadata: Type.Optional(Type.Unsafe({ type: 'object', maxProperties: 1 })),
  },
  strict,
);
const validator = Compile(Body);
const describe = (value: unknown, telling = {}) =>
  describeFirstFault(Body, value, validator.Errors(value), 'The body', telling);

test.each<[unknown, string]>([
  [[], 'The body must be an object, received a list of 0'],
  ['x', 'The body must be an object, received "x"'],
  [null, 'The body must be an object, received null'],
  [{ rawTx: '00' }, '"rawTx" is not a known field; it is called "raw_tx"'],
  [
    { price: { amount: '1', currency: 'EUR', to: 1 } },
    '"price.to" is not a known field; known here: amount, currency',
  ],
  [{ price: { amount: '1' } }, '"price.currency" is missing'],
  [{ price: {} }, '"price.amount" and "price.currency" are missing'],
  [{ links: [{ url: 'a' }, {}] }, '"links[1].url" is missing'],
  [{ raw_tx: 'abc' }, '"raw_tx" must have 20 to 40 characters, received 3'],
  [
    { price: { amount: 5, currency: 'EUR' } },
    '"price.amount" must be text, received the number 5; put it in quotes',
  ],
  [
    { price: { amount: '5', currency: 'eur' } },
    '"price.currency" must be three capital letters, received "eur"',
  ],
  [
    { expires_in: '600' },
    '"expires_in" must be a whole number from 300 to 900, received "600"; leave out the quotes',
  ],
  [{ expires_in: 1.5 }, '"expires_in" must be a whole number from 300 to 900, received the number 1.5'],
  [{ expires_in: 5 }, '"expires_in" must be a whole number from 300 to 900, received the number 5'],
  [{ percent: -1 }, '"percent" must be a number of at least 0, received the number -1'],
  [{ is_public: 'true' }, '"is_public" must be true or false, received "true"; leave out the quotes'],
  [{ scope: 'write' }, '"scope" must be one of read, all, received "write"'],
  [{ kind: 'b' }, '"kind" must be "a", received "b"'],
  [{ events: [] }, '"events" must have 1 to 2 entries, received 0'],
  [{ events: ['a', 'b', 'c'] }, '"events" must have 1 to 2 entries, received 3'],
  [{ events: ['a', 'a'] }, '"events" has an entry twice; give each once'],
  [{ events: ['a', 1] }, '"events[1]" must be text, received the number 1; put it in quotes'],
  [{ note: 4 }, '"note" must be text or null, received the number 4; put it in quotes'],
  [{ metadata: { a: 1, b: 2 } }, '"metadata" must have at most 1 fields, received 2'],
])('%j: %s', (value, sentence) => {
  expect(describe(value)).toBe(sentence);
});

test('what may be a secret is not repeated, nor what is long or cannot be shown', () => {
  expect(describe({ secret: 'my cat' })).toBe(
    '"secret" must be 64 hexadecimal digits in small letters, received a text of 6 characters',
  );
  expect(describe({ scope: 'x'.repeat(41) })).toMatch(/received a text of 41 characters$/);
  expect(describe({ kind: '\u202e' })).toMatch(/received "\?"$/);
  expect(describe({ 'a b': 1 })).toMatch(/^"…" is not a known field/);
  expect(describe({ kind: 'b' }, { quote: false })).toBe(
    '"kind" must be "a", received a text of 1 characters',
  );
});

test('a part of something larger is named by its place there', () => {
  const value = { scope: 'x' };
  expect(describe(value, { at: '/sources/0' })).toMatch(/^"sources\[0\]\.scope" must be/);
});

test('a schema without words is no reason to say nothing', () => {
  const Odd: TSchema = Type.String({ pattern: '^[q]+$' });
  expect(describeFirstFault(Odd, 'x', Compile(Odd).Errors('x'), 'It')).toBe(
    'It must be in the form ^[q]+$, received "x"',
  );
});

test('of a file that is mended by hand all faults are told, each once', () => {
  const value = { kind: 'b', note: 4, price: { amount: '1', currency: 'e', x: 1 } };
  expect(describeFaults(Body, value, validator.Errors(value), 'it')).toEqual([
    '"kind" must be "a", received "b"',
    '"note" must be text or null, received the number 4; put it in quotes',
    '"price.x" is not a known field; known here: amount, currency',
    '"price.currency" must be three capital letters, received "e"',
  ]);
});
