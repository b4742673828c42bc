/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** From 0 to `limit` - 1. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
};

/** A generator of 32 bits of state (mulberry32): quick, and good enough to choose bytes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number): number => Math.floor((next() / 2 ** 32) * limit);
  return { below, pick: (items) => items[below(items.length)]! };
}
