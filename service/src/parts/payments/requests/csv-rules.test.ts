import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeCsvLine } from './csv-rules.ts';

/** Cells as RFC 4180 reads them. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  for (let rest = text; rest !== ''; ) {
    const cells: string[] = [];
    for (let end = ','; end === ','; ) {
      const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest);
      if (match === null) throw new Error(`No cell: ${JSON.stringify(rest.slice(0, 100))}`);
      cells.push(match[1]?.replaceAll('""', '"') ?? match[2]!);
      end = match[3]!;
      rest = rest.slice(match[0].length);
    }
    lines.push(cells);
  }
  return lines;
}

/** Cells as a spreadsheet finds them that divides by another character, and for which a quote within a cell is only a character. */
function divideBy(separator: RegExp, line: string): string[] {
  return line.split(/\r\n|\r|\n/).flatMap((each) => each.split(separator));
}

/** What a spreadsheet would work out: it passes over white space and quotes. */
const runs = /^[\s\p{Cf}"'“”„‘’＂＇]*[=+\-@＝＋－﹦﹢﹣−＠﹫]/u;
const isDefused = (cell: string): boolean => !runs.test(cell) || /^[\s"]*'/.test(cell);

test('a line is quoted where it has to be', () => {
  expect(writeCsvLine(['VP-1', '', 'plain', 'a,b', 'say "hi"', 'two\r\nlines', 'Äpfel'])).toBe(
    'VP-1,,plain,"a,b","say ""hi""","two\r\nlines",Äpfel\r\n',
  );
});

describe('a formula is defused', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['  =1', "'  =1"],
    ['"=1', `'"=1`],
    ["'=1", "''=1"],
    ['\u00a0\u3000\u200b\ufeff=1', "'\u00a0\u3000\u200b\ufeff=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['x;=1', "x;'=1"],
    ['x\n=1', "x\n'=1"],
    ["x; \t=cmd|' /C calc'!A0;y", "x;' \t'=cmd|' /C calc'!A0;y"],
  ])('%j', (text, cell) => {
    expect(readCsv(writeCsvLine(['VP-1', text]))).toEqual([['VP-1', cell]]);
  });

  test('and other texts are left alone', () => {
    const texts = ['Tea - 2 cups', 'a=b', 'x@shop.example', '5 + 3', "it's", '50 %', '0.50000000', ''];
    expect(readCsv(writeCsvLine(texts))).toEqual([texts]);
  });
});

test('any texts come back as they were but for apostrophes, and nothing runs whatever divides the cells', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab=+-@＝"\'; ,\t\r\n\u00a0\u200b'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const line = writeCsvLine(['VP-1', ...texts]);
      const [read, ...more] = readCsv(line);
      expect(more).toEqual([]);
      const bare = (each: string) => each.replaceAll("'", '');
      expect(read!.map(bare)).toEqual(['VP-1', ...texts].map(bare));
      expect(read!.filter((cell) => !isDefused(cell))).toEqual([]);
      for (const separator of [/;/, /\t/])
        expect(divideBy(separator, line).filter((cell) => !isDefused(cell))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
