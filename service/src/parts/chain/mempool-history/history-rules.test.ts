import { describe, expect, test } from 'vitest';
import { describeHistory, planHistory, sampleSteps } from './history-rules.ts';

const HOUR = 3_600;
const noon = Date.UTC(2026, 2, 1, 12) / 1_000;
const seconds = (iso: string) => Date.parse(iso) / 1_000;

describe('the mempool over time', () => {
  test('ends with the step that is under way, and begins where the oldest sample that is kept may be', () => {
    const plan = planHistory('day', noon + 65);
    expect(plan).toMatchObject({ kept: 60, step: 60, to: noon + 120 });
    expect(plan.to - plan.from).toBe(24 * HOUR);
    for (const range of ['day', 'week', 'year'] as const) {
      const { kept, from, to } = planHistory(range, noon + 4_321);
      const most = sampleSteps.find(({ seconds: step }) => step === kept)!.kept;
      expect((to - from) / kept).toBeLessThanOrEqual(most);
    }
  });

  test('has virtual bytes by fee band, and a rate on a bound is in the band that begins there', () => {
    const { points, per_vb: bounds } = describeHistory(planHistory('day', noon), [
      {
        at: noon,
        txs: 4,
        rates: [
          [200_000, 1],
          [2_000, 20],
          [1_500, 300],
          [0, 4_000],
        ],
      },
    ]);
    expect(bounds.slice(0, 3)).toEqual(['0.000', '2.000', '4.000']);
    expect(points).toEqual([
      { time: '2026-03-01T12:00:00.000Z', tx_count: 4, vsizes: [4_300, 20, 0, 0, 0, 0, 0, 1] },
    ]);
  });

  test('of a year is means of six hours, of those that were observed, and what was not has no point', () => {
    const sample = (at: number, txs: number) => ({ at, txs, rates: [[1_000, txs * 200]] as const });
    const { points, step_seconds: step } = describeHistory(planHistory('year', noon), [
      sample(noon - 24 * HOUR, 10),
      sample(noon - 22 * HOUR, 21),
      sample(noon, 5),
    ]);
    expect(step).toBe(6 * HOUR);
    expect(points.map(({ time, tx_count, vsizes }) => [seconds(time) - noon, tx_count, vsizes[0]])).toEqual([
      [-24 * HOUR, 16, 3_100],
      [0, 5, 1_000],
    ]);
  });
});
