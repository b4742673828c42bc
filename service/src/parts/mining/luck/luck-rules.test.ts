import { describe, expect, test } from 'vitest';
import { judgeRound, meanLuck } from './luck-rules.ts';

const MINUTE_MS = 60_000;
/** Hashes a second that make a difficulty of 1 a minute. */
const RATE = BigInt(Math.round((2 ** 32 * 1_000) / 60));

const reading = (
  observedAtMs: number,
  shareDifficulty: number | undefined,
  rate: bigint | undefined = RATE,
) => ({
  observedAtMs,
  shareDifficulty,
  hashrates: [{ windowSeconds: 300, milliHashesPerSecond: rate }],
});
const block = { seenAtMs: MINUTE_MS / 2, difficulty: 10 };

describe('the effort of a block of a pool that counts shares', () => {
  test('is what was counted, and what the hashrate adds until the block', () => {
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, 0.5), [block])).toBeCloseTo(1, 6);
    expect(judgeRound(reading(0, 30), reading(MINUTE_MS, 0), [{ ...block, seenAtMs: 0 }])).toBeCloseTo(3, 6);
  });

  test('is unknown when several blocks came, or none, or the count did not begin anew', () => {
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, 0.5), [])).toBeUndefined();
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, 0.5), [block, block])).toBeUndefined();
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, 9.5), [block])).toBeUndefined();
    expect(judgeRound(reading(0, undefined), reading(MINUTE_MS, 0.5), [block])).toBeUndefined();
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, undefined), [block])).toBeUndefined();
  });

  test('is unknown when too much of the round was not counted, or the pool was silent for long', () => {
    expect(judgeRound(reading(0, 1), reading(MINUTE_MS, 0), [block])).toBeUndefined();
    expect(judgeRound(reading(0, 100), reading(6 * MINUTE_MS, 0.5), [block])).toBeUndefined();
    expect(judgeRound({ ...reading(0, 9.5), hashrates: [] }, reading(MINUTE_MS, 0), [block])).toBeUndefined();
    expect(judgeRound(reading(0, 9.5), reading(MINUTE_MS, 0), [{ ...block, difficulty: 0 }])).toBeUndefined();
  });
});

test('luck over blocks is their number by the effort that they took together, of those that are known', () => {
  expect(meanLuck([0.5, undefined, 1.5, 4])).toEqual({ known: 3, effort: 2, luck: 0.5 });
  expect(meanLuck([undefined])).toEqual({ known: 0, effort: undefined, luck: undefined });
  expect(meanLuck([])).toEqual({ known: 0, effort: undefined, luck: undefined });
});
