import type { MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';
import { expect, test } from 'vitest';
import { findPoint, stackHistory, writeHistoryCsv } from './mempool-history.ts';

const history: MempoolHistoryJson = {
  range: 'day',
  step_seconds: 60,
  from: '1970-01-01T00:00:00.000Z',
  to: '1970-01-01T00:10:00.000Z',
  per_vb: ['0.000', '2.000'],
  points: [60, 120, 300].map((at) => ({
    time: new Date(at * 1_000).toISOString(),
    tx_count: at / 60,
    vsizes: [at, 10],
  })),
};

test('bands lie on each other, and what was not observed is a gap and no line', () => {
  const { times, tops } = stackHistory(history);
  expect(times).toEqual([60, 120, 179, 179.5, 300, 359, 359.5]);
  expect(tops).toEqual([
    [60, 120, 120, null, 300, 300, null],
    [70, 130, 130, null, 310, 310, null],
  ]);
  expect(stackHistory({ ...history, points: [] })).toEqual({ times: [], tops: [[], []] });
});

test('a moment is told by the step that it lies in, and by nothing where there is none', () => {
  expect([59, 60, 119, 179, 180, 299, 300].map((at) => findPoint(history, at)?.tx_count)).toEqual([
    undefined,
    1,
    1,
    2,
    undefined,
    undefined,
    5,
  ]);
});

test('as CSV it has one line a point', () => {
  expect(writeHistoryCsv(history).split('\r\n').slice(0, 2)).toEqual([
    'time,tx_count,vsize_from_0.000_per_vb,vsize_from_2.000_per_vb',
    '1970-01-01T00:01:00.000Z,1,60,10',
  ]);
});
