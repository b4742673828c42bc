import { differ, type Rate } from './rate-rules.ts';

/** What the operator says of rates that change at once; `maxChangePercent` is undefined where they may. */
export type ChangeLimits = { maxAgeMs: number; maxChangePercent: number | undefined };

type Used = {
  /** What others are compared with, and from when: a rate that moves in small steps gets no further than one that jumps. */
  base: Rate;
  baseAtMs: number;
  last: Rate;
  lastAtMs: number;
};

/**
 * Holds back rates that change by more than allowed within the maximum age. A rate that is held back is used once nothing
 * else was used for that long: then it was no slip.
 */
export function createChangeGuard() {
  const usedOf = new Map<string, Used>();
  return {
    /** Whether a rate may be used now; remembers it when it may. */
    admits(
      currency: string,
      rate: Rate,
      { maxAgeMs, maxChangePercent }: ChangeLimits,
      nowMs: number,
    ): boolean {
      const before = usedOf.get(currency);
      // A clock that was set back must not hold back every rate until it has caught up.
      const isFollowed =
        before !== undefined && nowMs >= before.lastAtMs && nowMs - before.lastAtMs < maxAgeMs;
      const first = { base: rate, baseAtMs: nowMs };
      const since = isFollowed ? moveBase(before, maxAgeMs, nowMs) : first;
      if (maxChangePercent !== undefined && differ(since.base, rate, maxChangePercent)) return false;
      usedOf.set(currency, { ...since, last: rate, lastAtMs: nowMs });
      return true;
    },
  };
}

/** After the maximum age the rate that was used last is the one to compare with. */
function moveBase(
  { base, baseAtMs, last }: Used,
  maxAgeMs: number,
  nowMs: number,
): Pick<Used, 'base' | 'baseAtMs'> {
  return nowMs - baseAtMs < maxAgeMs ? { base, baseAtMs } : { base: last, baseAtMs: nowMs };
}
