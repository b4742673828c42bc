import { Count, OneOf, Strict } from '@coinfront/api/common.ts';
import { LimitParameter } from '@coinfront/api/paging.ts';
import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { compileParameters } from './parameters.ts';
import { parseQuery } from './query-string.ts';

const schema = Strict({
  limit: Type.Optional(LimitParameter),
  height: Type.Optional(Count('A height.')),
  name: Type.Optional(Type.String({ pattern: '^[a-z]+$', minLength: 2, maxLength: 4 })),
  kind: Type.Optional(OneOf(['a', 'b'] as const)),
});
const readQuery = compileParameters(schema, 'query');
const read = (text: string) => readQuery(parseQuery(text));

describe('integers', () => {
  test('every whole number in range is read as itself', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(read(`height=${value}`)).toEqual({ height: value, limit: 25 });
      }),
    );
  });

  test.each(['', '-1', '+1', '01', '1.0', '1e2', '0x1', ' 1', '1 ', '１', '9007199254740992', 'NaN', 'null'])(
    '%j is refused',
    (text) => {
      expect(() => read(`height=${encodeURIComponent(text)}`)).toThrow(AppError);
    },
  );

  test('bounds are inclusive', () => {
    expect(read('limit=1')).toEqual({ limit: 1 });
    expect(read('limit=100')).toEqual({ limit: 100 });
    expect(() => read('limit=0')).toThrow('1 to 100');
    expect(() => read('limit=101')).toThrow('1 to 100');
  });
});

test('the default applies where nothing is given', () => {
  expect(read('')).toEqual({ limit: 25 });
});

test('texts are held to their pattern, length and list', () => {
  expect(read('name=abc&kind=b')).toMatchObject({ name: 'abc', kind: 'b' });
  for (const text of ['name=a', 'name=abcde', 'name=AB', 'kind=c', 'kind='])
    expect(() => read(text)).toThrow(AppError);
});

test('unknown and repeated names are refused, whatever they are', () => {
  for (const text of ['x=1', '__proto__=1', 'constructor=1', 'toString=1', 'limit=1&limit=1', '%=1']) {
    expect(() => read(text)).toThrow(AppError);
  }
});

test('a query never throws in parsing, and every pair that was encoded is read back', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseQuery(text)));
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), { maxKeys: 20 }),
      (pairs) => {
        const wellFormed = Object.entries(pairs).filter(
          ([name, value]) => (name + value).isWellFormed() && name !== '',
        );
        fc.pre(wellFormed.length > 0);
        const text = wellFormed.map(
          ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
        );
        expect(Object.entries(parseQuery(text.join('&'))).sort()).toEqual(wellFormed.sort());
      },
    ),
  );
});
