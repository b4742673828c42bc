import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineReader } from './line-reader.ts';

test('lines come whole, whatever pieces they arrive in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ' ', 'ä', '{'), minLength: 1, maxLength: 20 })),
      fc.array(fc.nat({ max: 30 }), { minLength: 1 }),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const read: string[] = [];
        const reader = createLineReader(1_000, (line) => read.push(line));
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + 1 + cuts[i % cuts.length]!;
          expect(reader.read(bytes.subarray(at, end))).toBe(true);
          at = end;
        }
        expect(read).toEqual(lines.filter((line) => line.trim() !== ''));
        expect(reader.held).toBe(0);
      },
    ),
  );
});

test('a line that is too long is refused when it is, ended or not', () => {
  const read: string[] = [];
  const whole = createLineReader(4, (line) => read.push(line));
  expect(whole.read(Buffer.from('abcd\nabcde\n'))).toBe(false);
  const begun = createLineReader(4, (line) => read.push(line));
  expect(begun.read(Buffer.from('abc'))).toBe(true);
  expect(begun.held).toBe(3);
  expect(begun.read(Buffer.from('de'))).toBe(false);
  expect(read).toEqual(['abcd']);
});
