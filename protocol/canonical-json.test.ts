import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, writeCanonicalJson } from './canonical-json.ts';

test('writes the example of RFC 8785, section 3.2.2', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`);
  expect(writeCanonicalJson(value)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('sorts by UTF-16 code units, as in section 3.2.3', () => {
  const value = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect(Object.values(JSON.parse(writeCanonicalJson(value))).sort()).toEqual(Object.values(value).sort());
  expect([...writeCanonicalJson(value).matchAll(/:"([^"]+)"/g)].map((match) => match[1])).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555557', '333333333.33333343'],
])('writes the number %s of appendix B', (bits, text) => {
  const number = Buffer.from(bits, 'hex').readDoubleBE();
  expect(writeCanonicalJson(number)).toBe(text);
});

test('refuses what has no canonical text', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }])
    expect(() => writeCanonicalJson(value)).toThrow();
  let deep: Json = 1;
  for (let i = 0; i < 40; i++) deep = [deep];
  expect(() => writeCanonicalJson(deep)).toThrow();
});

test('says the same whatever the order of properties, and is read as the same value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      const text = writeCanonicalJson(value as Json);
      const turned = Object.fromEntries(Object.entries(value).reverse());
      expect(writeCanonicalJson(turned as Json)).toBe(text);
      expect(writeCanonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});
