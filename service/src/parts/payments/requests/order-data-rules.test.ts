import { describe, expect, test } from 'vitest';
import { checkOrderData, parseExactly, readMetadata, writeMetadata } from './order-data-rules.ts';

const given = (text: string) => parseExactly(text) as Record<string, unknown>;
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
const refused = expect.objectContaining({ code: 'invalid_body' });

describe('metadata', () => {
  test.each([
    '{}',
    '{"a":1,"b":[true,false,null,"x"],"":{}}',
    '{"price":1.0,"big":12345678901234567890,"small":1e-400,"huge":1E+400,"zero":-0}',
    '{"text":"Äpfel 💥 \\u0000 \\n \\" \\u2028"}',
    '{"like a number":"007","rawJSON":"1","constructor":{"prototype":1}}',
    '{"list":[[[[[[[1.50]]]]]]]}',
  ])('are kept as they stood: %s', (text) => {
    const written = writeMetadata(given(text));
    expect(JSON.stringify(readMetadata(written))).toBe(written);
    // In their meaning, to the last digit: what a reader of any number format takes from them.
    expect(numbersOf(written)).toEqual(numbersOf(text));
    expect(JSON.parse(written)).toEqual(JSON.parse(text));
  });

  test('have 4,096 bytes of UTF-8 at most, white space not counted', () => {
    const least = '{"a":""}'.length;
    const fits = { a: 'é'.repeat((4_096 - least) / 2) };
    expect(writeMetadata(given(JSON.stringify(fits, null, 4)))).toHaveLength((4_096 - least) / 2 + least);
    expect(() => writeMetadata({ a: `${fits.a}b` })).toThrow(refused);
  });

  test('are 8 deep at most', () => {
    expect(writeMetadata(given(nested(8)))).toBe(nested(8));
    for (const text of [nested(9), `{"a":${'['.repeat(8)}${']'.repeat(8)}}`])
      expect(() => writeMetadata(given(text)), text).toThrow(refused);
    expect(() => writeMetadata(JSON.parse(nested(3_000)))).toThrow(refused);
  });

  test.each(['{"a":"\\ud800"}', '{"\\udc00":1}', '{"a":[{"b":"x\\ud800y"}]}'])(
    'are Unicode: %s is refused',
    (text) => {
      expect(() => writeMetadata(given(text))).toThrow(refused);
    },
  );
});

describe('an order', () => {
  test('of 100 characters is one, whatever the alphabet', () => {
    const orderId = '💥'.repeat(100);
    expect(checkOrderData({ order_id: orderId })).toEqual({ orderId, isOrderUnique: false, metadata: null });
  });

  test.each([
    ['too long', { order_id: '💥'.repeat(101) }],
    ['half a character', { order_id: 'a\ud800' }],
    ['none that could be unique', { unique_order_id: true }],
  ])('is refused: %s', (_, body) => {
    expect(() => checkOrderData(body)).toThrow(refused);
  });
});

function numbersOf(json: string): string[] {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?[0-9][0-9.eE+-]*/g) ?? [];
}
