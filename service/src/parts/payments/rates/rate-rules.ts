/**
 * Rates as exact numbers, and which rate holds when several sources say one. No number here is ever a float: a rate is
 * a bigint that counts 10^-32 of a currency for one coin.
 */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** What one coin costs, in 10^-{@link rateScale} of a currency. */
export type Rate = bigint;

/** Two more than a source may give, so that the mean of two rates is exact, too. */
export const rateScale = 32;
const MOST_DECIMALS = 30;
const MOST_WHOLE_DIGITS = 18;
const ONE = 10n ** BigInt(rateScale);
const LIMIT = 10n ** BigInt(rateScale + MOST_WHOLE_DIGITS);

/**
 * Reads the text of a number, of JSON or of a string in it: digits, a point, an exponent. It has to be above zero and below
 * 10^18, with 30 decimals at most.
 */
export function parseRate(text: string): Result<Rate> {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const match = /^([0-9]{1,30})(?:\.([0-9]{1,40}))?(?:[eE]([+-]?[0-9]{1,2}))?$/.exec(text);
  if (!match) return fail(`"${shown}" is not a positive decimal`);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/0+$/, '');
  const dropped = whole.length + fraction.length - digits.length;
  const shift = MOST_DECIMALS + Number(exponent) - fraction.length + dropped;
  if (digits === '' || /^0+$/.test(digits)) return fail('it is zero');
  if (shift < 0) return fail(`"${shown}" has more than ${MOST_DECIMALS} decimals`);
  const rate = BigInt(digits) * 10n ** BigInt(shift + rateScale - MOST_DECIMALS);
  if (rate >= LIMIT) return fail(`"${shown}" has more than ${MOST_WHOLE_DIGITS} whole digits`);
  return ok(rate);
}

/** A rate as decimal text, without zeros that say nothing. */
export function formatRate(rate: Rate): string {
  const digits = rate.toString().padStart(rateScale + 1, '0');
  return `${digits.slice(0, -rateScale)}.${digits.slice(-rateScale)}`.replace(/\.?0+$/, '');
}

/** Coins for one of the currency as a rate: what one coin costs, cut after 32 decimals. */
export function invertRate(coinsForOne: Rate): Result<Rate> {
  const rate = (ONE * ONE) / coinsForOne;
  if (rate === 0n || rate >= LIMIT) return fail('it has no usable inverse');
  return ok(rate);
}

/** What a source says, and of when that is. */
export type Reading = { source: string; rate: Rate; atMs: number };

/** What the operator says of sources that are late, or apart from the others. */
export type RateLimits = { maxAgeMs: number; maxDeviationPercent: number };

/** The rate of a currency; `atMs` is the age of the oldest reading in it. */
export type ChosenRate = { rate: Rate; sources: string[]; atMs: number };

/** What was made of the readings of one currency. */
export type Choice = {
  /** Undefined when nothing is fresh, or the fresh ones do not agree. */
  chosen: ChosenRate | undefined;
  stale: readonly string[];
  /** Of a time that has not come: its clock, or this one, is wrong. */
  early: readonly string[];
  apart: readonly string[];
  /** There is a rate, but it changed too much at once to be used yet. */
  isSudden?: boolean;
};

/** Clocks of one network are never quite the same. */
const CLOCK_SKEW_MS = 60_000;

/** Whether two rates differ by more than a part of the lower one. */
export function differ(a: Rate, b: Rate, percent: number): boolean {
  const [lower, higher] = a < b ? [a, b] : [b, a];
  return (higher - lower) * 100n > lower * BigInt(percent);
}

/**
 * The rate that several sources make: the median of the readings that are fresh and no further from the median of all fresh
 * ones than allowed. Where none is left there is no rate.
 *
 * Two have no median that one of them could not move, so they are compared with each other: when they differ by more than
 * allowed there is no rate, else the lower one holds, which gives the shop at least its price by both.
 */
export function chooseRate(readings: readonly Reading[], limits: RateLimits, nowMs: number): Choice {
  const early = readings.filter(({ atMs }) => atMs > nowMs + CLOCK_SKEW_MS);
  const stale = readings.filter(({ atMs }) => nowMs - atMs > limits.maxAgeMs);
  const fresh = readings.filter((reading) => !early.includes(reading) && !stale.includes(reading));
  const apart = findApart(fresh, limits.maxDeviationPercent);
  const kept = fresh.filter((reading) => !apart.includes(reading));
  const names = (list: readonly Reading[]) => list.map(({ source }) => source);
  const rate = fresh.length === 2 ? findLowest : findMedian;
  return {
    chosen:
      kept.length === 0
        ? undefined
        : { rate: rate(kept), sources: names(kept), atMs: Math.min(...kept.map(({ atMs }) => atMs)) },
    stale: names(stale),
    early: names(early),
    apart: names(apart),
  };
}

/** The readings that are too far from the others: of two that contradict each other, both. */
function findApart(fresh: readonly Reading[], percent: number): readonly Reading[] {
  const [first, second] = fresh;
  if (first === undefined || second === undefined) return [];
  if (fresh.length === 2) return differ(first.rate, second.rate, percent) ? fresh : [];
  const middle = findMedian(fresh);
  return fresh.filter(({ rate }) => {
    const distance = rate > middle ? rate - middle : middle - rate;
    return distance * 100n > middle * BigInt(percent);
  });
}

function findLowest(readings: readonly Reading[]): Rate {
  return readings.map(({ rate }) => rate).reduce((lowest, rate) => (rate < lowest ? rate : lowest));
}

/** The one in the middle, or the mean of the two there. */
function findMedian(readings: readonly Reading[]): Rate {
  const sorted = readings.map(({ rate }) => rate).sort((a, b) => (a < b ? -1 : 1));
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2n;
}
