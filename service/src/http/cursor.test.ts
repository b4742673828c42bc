import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

const numbers = fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { minLength: 1, maxLength: 2 });

test('a cursor gives back its numbers in the list that it was made for', () => {
  fc.assert(
    fc.property(numbers, fc.string(), (list, subject) => {
      expect(decodeCursor('kind', subject, encodeCursor('kind', subject, list), list.length)).toEqual(list);
    }),
  );
});

test('it is refused in a list of another kind, of another subject, or with another shape', () => {
  fc.assert(
    fc.property(numbers, (list) => {
      const cursor = encodeCursor('kind', 'subject', list);
      expect(() => decodeCursor('other', 'subject', cursor, list.length)).toThrow(AppError);
      expect(() => decodeCursor('kind', 'other', cursor, list.length)).toThrow(AppError);
      expect(() => decodeCursor('kind', 'subject', cursor, list.length + 1)).toThrow(AppError);
    }),
  );
});

test('changing any one character is noticed', () => {
  const cursor = encodeCursor('kind', 'subject', [812_345, 7]);
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    const altered = cursor.slice(0, at) + other + cursor.slice(at + 1);
    expect(() => decodeCursor('kind', 'subject', altered, 2)).toThrow('not made for this list');
  }
});

test('arbitrary text is refused, never anything else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      expect(() => decodeCursor('kind', 'subject', text, 1)).toThrow(AppError);
    }),
  );
});
