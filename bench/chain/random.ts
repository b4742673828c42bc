/** A small seeded generator: the same seed gives the same chain on every machine. */
export type Random = {
  /** A number in [0, 1). */
  fraction(): number;
  /** A whole number in [0, below). */
  below(limit: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
};

/** Makes a generator (sfc32) from a 32-bit seed. Not for secrets. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const nextUint32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round++) nextUint32();
  const fraction = (): number => nextUint32() / 2 ** 32;
  return {
    fraction,
    below: (limit) => Math.floor(fraction() * limit),
    chance: (probability) => fraction() < probability,
  };
}
