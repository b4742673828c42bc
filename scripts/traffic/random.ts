/** Repeatable choices: the same seed gives the same sequence. Not for secrets. */
export type Random = {
  /** 0 up to and without 1. */
  next(): number;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array;
};

/** Mulberry32 by Tommy Ettinger, public domain: 32 bits of state, ample for choosing traffic. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError('Nothing to pick from.');
      return items[integer(0, items.length - 1)]!;
    },
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
  };
}
