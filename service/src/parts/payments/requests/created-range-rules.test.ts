import { expect, test } from 'vitest';
import { readCreatedRange } from './created-range-rules.ts';

const at = (text: string) => Date.parse(text);

test.each([
  [undefined, undefined, undefined, undefined],
  ['2026-03-01', '2026-03-31', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'],
  ['2026-03-01', '2026-03-01', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['2028-02-29', undefined, '2028-02-29T00:00:00Z', undefined],
  [undefined, '2026-03-01T12:00:00Z', undefined, '2026-03-01T12:00:01Z'],
  [undefined, '2026-03-01T12:00:00.5Z', undefined, '2026-03-01T12:00:00.501Z'],
  [
    '2026-03-01T12:00:00.123Z',
    '2026-03-01T12:00:00.123Z',
    '2026-03-01T12:00:00.123Z',
    '2026-03-01T12:00:00.124Z',
  ],
])('from %s to %s both ends belong to it', (from, to, first, below) => {
  expect(readCreatedRange(from, to)).toEqual({
    fromMs: first && at(first),
    belowMs: below && at(below),
  });
});

test.each([
  ['2026-02-30', undefined],
  ['2026-02-29', undefined],
  ['2026-13-01', undefined],
  ['2026-00-01', undefined],
  ['2026-03-00', undefined],
  [undefined, '2026-03-01T24:00:00Z'],
  [undefined, '2026-03-01T23:59:60Z'],
  [undefined, '2026-03-01T23:60:00Z'],
  ['2026-03-02', '2026-03-01'],
  ['2026-03-01T12:00:01Z', '2026-03-01T12:00:00Z'],
])('from %s to %s is refused', (from, to) => {
  expect(() => readCreatedRange(from, to)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
});
