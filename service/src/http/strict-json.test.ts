import fc from 'fast-check';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

const parse = parseStrictJson(fastify());

test('what JSON.stringify writes is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (!/__proto__|constructor/.test(text)) expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['{"__proto__":{"a":1}}'],
  ['{"a":[{"\\u005f_proto__" : 1}]}'],
  ['{"constructor":{"prototype":{"a":1}}}'],
  ['{"c\\u006fnstructor":{"prototype":1}}'],
])('%s could reach a prototype, and is refused', (text) => {
  expect(() => parse(text)).toThrow();
});

test.each([['{"a":'], [''], ['{"a":1}}'], ['{"\\u00zz":1}'], ["{'a':1}"]])(
  '%s is no JSON, and says so',
  (text) => {
    expect(() => parse(text)).toThrow();
  },
);

test('a byte order mark in front is passed over', () => {
  expect(parse('\ufeff{"a":"__proto__"}')).toEqual({ a: '__proto__' });
  expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
});
