import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parseJsonText, writeKeysPlainly } from './json-text.ts';

// What others have sent before, and by which the engine's own parser reads the keys of the next wrongly.
beforeAll(() => {
  for (let i = 0; i < 3; i++) {
    JSON.parse('{"x":1,"\\\\":21,"a":2}');
    JSON.parse('{"x":1,"\\\\u":21,"a":2}');
    JSON.parse('{"x":{"y":1,"\\\\\\"":2}}');
  }
});

test.each([
  ['{"x":1,"\\u0061":21,"b":2}', { x: 1, a: 21, b: 2 }],
  ['{"x":1,"\\u0061b":21,"a":2}', { x: 1, ab: 21, a: 2 }],
  ['{"x":1,"\\u0061":21,"a":2}', { x: 1, a: 2 }],
  ['{"x":1 , "\\n" :\t[{"\\"":"\\\\"}]}', { x: 1, '\n': [{ '"': '\\' }] }],
  ['{"1\\u0061":1,"10":2,"1":"k0"}', { '1a': 1, '10': 2, '1': 'k0' }],
  ['"\\u0061:"', 'a:'],
])('%s is read as it is written, whatever was read before', (text, value) => {
  expect(parseJsonText(text)).toEqual(value);
});

test('of any keys and values what was written is read', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom('\\', '\\u', '"', '\n', 'a', 'x'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  })).object;
  fc.assert(
    fc.property(value, fc.boolean(), (written, isEscaped) => {
      const plain = JSON.stringify(written);
      const text = isEscaped
        ? plain.replaceAll(/(?<!\\)[a-z](?=[^:]*":)/g, (each) => writeEscaped(each))
        : plain;
      const read = parseJsonText(text);
      expect(JSON.stringify(read)).toBe(plain);
      expect(JSON.stringify(parseJsonText(writeKeysPlainly(text)))).toBe(plain);
    }),
  );
});

test('a reviver is given keys, values and what stood in the text', () => {
  const seen: unknown[] = [];
  parseJsonText('{"\\u0061":1.0,"b":["\\n"]}', (key, value, { source }) => {
    seen.push([key, value, source]);
    return value;
  });
  expect(seen.slice(0, 1)).toEqual([['a', 1, '1.0']]);
  expect(seen.at(-1)).toEqual(['', { a: 1, b: ['\n'] }, undefined]);
});

test('a key like __proto__ is a key, and nothing else', () => {
  const read = parseJsonText('{"\\u005f_proto__":{"a":1}}') as object;
  expect(Object.keys(read)).toEqual(['__proto__']);
  expect((read as { a?: unknown }).a).toBeUndefined();
});

test.each(['{"\\u0061":', '{"\\u00zz":1}', '{"a\\":1}', '"\\'])('%s is no JSON', (text) => {
  expect(() => parseJsonText(text)).toThrow(SyntaxError);
});

test('keys are written plainly, and nothing else is changed', () => {
  expect(writeKeysPlainly('{"\\u005f_proto__" : "\\u0061", "\\n":1}')).toBe(
    '{"__proto__" : "\\u0061", "\\n":1}',
  );
});

function writeEscaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
