import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMoreParts } from '../../../json-text.ts';
import { addPiece, createLineReader } from './line-reader.ts';

function fail(): never {
  throw new Error('a line was refused');
}

test('lines come whole, whatever pieces they arrive in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '"', ' ', 'ä', '{'), minLength: 1, maxLength: 20 })),
      fc.array(fc.nat({ max: 30 }), { minLength: 1 }),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const read: string[] = [];
        let skipped = 0;
        const skip = (of: number): void => {
          skipped += of;
        };
        const reader = createLineReader(
          { bytes: 1_000, parts: 1_000 },
          { take: (line) => read.push(line), refuse: fail, skip },
        );
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + 1 + cuts[i % cuts.length]!;
          expect(reader.read(bytes.subarray(at, end))).toBe(true);
          at = end;
        }
        expect(read).toEqual(lines.filter((line) => line.trim() !== ''));
        expect(skipped).toBe(lines.length - read.length);
        expect(reader.held).toBe(0);
      },
    ),
  );
});

test('a line that is too long is refused when it is, ended or not', () => {
  const read: string[] = [];
  const taker = { take: (line: string) => read.push(line), refuse: fail, skip: fail };
  const whole = createLineReader({ bytes: 4, parts: 4 }, taker);
  expect(whole.read(Buffer.from('abcd\nabcde\n'))).toBe(false);
  const begun = createLineReader({ bytes: 4, parts: 4 }, taker);
  expect(begun.read(Buffer.from('abc'))).toBe(true);
  expect(begun.held).toBe(3);
  expect(begun.read(Buffer.from('de'))).toBe(false);
  expect(read).toEqual(['abcd']);
});

test('a line in pieces that has more parts than are taken is not kept, is counted to its end, and those around it are read', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: fc.constantFrom('a', ',', '[', '{', '}', 'ä'), minLength: 1, maxLength: 20 }),
      ),
      fc.array(fc.nat({ max: 30 }), { minLength: 1 }),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const heard: (string | number)[] = [];
        const take = (line: string): void => {
          // What came in one piece is counted by whoever parses it.
          heard.push(hasMoreParts(line, 5) ? Buffer.byteLength(line) : line);
        };
        const reader = createLineReader(
          { bytes: 1_000, parts: 5 },
          { take, refuse: (of) => heard.push(of), skip: fail },
        );
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const end = at + 1 + cuts[i % cuts.length]!;
          expect(reader.read(bytes.subarray(at, end))).toBe(true);
          const begun = bytes.subarray(0, end).lastIndexOf('\n') + 1;
          expect(reader.held).toBe(Math.min(end, bytes.length) - begun);
          at = end;
        }
        expect(heard).toEqual(lines.map((line) => (hasMoreParts(line, 5) ? Buffer.byteLength(line) : line)));
      },
    ),
  );
});

test('parts of a piece are counted the same whether they stand side by side or far apart', () => {
  const parts = 100;
  const gap = fc.constantFrom(0, 1, 3, 40).map((length) => 'a'.repeat(length));
  const marked = fc.tuple(fc.constantFrom(',', '[', '{'), gap).map((both) => both.join(''));
  fc.assert(
    fc.property(fc.array(marked, { minLength: 60, maxLength: 140 }), (pieces) => {
      const line = pieces.join('');
      const heard: string[] = [];
      const reader = createLineReader(
        { bytes: 10_000, parts },
        { take: () => heard.push('taken'), refuse: () => heard.push('refused'), skip: fail },
      );
      reader.read(Buffer.from(line));
      reader.read(Buffer.from('\n'));
      expect(heard).toEqual([hasMoreParts(line, parts) ? 'refused' : 'taken']);
    }),
  );
});

test('lines without more than spaces are counted with their bytes, and no text is made of them', () => {
  const read: string[] = [];
  const skipped: [number, number][] = [];
  const reader = createLineReader(
    { bytes: 1_000, parts: 5 },
    { take: (line) => read.push(line), refuse: fail, skip: (...of) => skipped.push(of) },
  );
  reader.read(Buffer.from('\n\r\n \t\n  a\r\n\n b\n  '));
  expect(reader.held).toBe(2);
  reader.read(Buffer.from('  '));
  reader.read(Buffer.from(' \n\nc\n'));
  expect(read).toEqual(['  a\r', ' b', 'c']);
  expect(skipped).toEqual([
    [3, 6],
    [1, 1],
    [1, 5],
    [1, 1],
  ]);
});

test('of a line that is refused nothing is kept while it comes, and it is still no longer than lines may be', () => {
  const refused: number[] = [];
  const take = (): void => fail();
  const reader = createLineReader(
    { bytes: 100, parts: 3 },
    { take, refuse: (bytes) => refused.push(bytes), skip: fail },
  );
  for (let i = 0; i < 10; i++) expect(reader.read(Buffer.from('[[[[[[[[[['))).toBe(true);
  expect(reader.held).toBe(100);
  expect(reader.read(Buffer.from('\n'))).toBe(true);
  expect(refused).toEqual([100]);
  expect(reader.read(Buffer.from('['.repeat(60)))).toBe(true);
  expect(reader.read(Buffer.from('['.repeat(60)))).toBe(false);
});

test('pieces of one byte are kept as few, and stay in order', () => {
  const pieces: Buffer[] = [];
  for (let i = 0; i < 200_000; i++) addPiece(pieces, Buffer.of(i & 0xff));
  expect(pieces.length).toBeLessThan(40);
  const all = Buffer.concat(pieces);
  expect(all.length).toBe(200_000);
  expect(all.every((byte, i) => byte === (i & 0xff))).toBe(true);
  // Those that come large are left as they are.
  const large = [Buffer.alloc(65_536), Buffer.alloc(65_536)];
  addPiece(large, Buffer.alloc(65_536));
  expect(large.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536]);
});
