import type { Random } from '../../chain/random.ts';

/** The witnesses of inputs: nobody checks them here, so they are random bytes of the usual lengths. */
export type Witnesses = {
  /** Goes to another place among the random bytes: a block takes them as they follow each other. */
  beginBlock(random: Random): void;
  /** Writes the witness of one input to `target`, a signature and a public key, and returns where it ends. */
  write(target: Uint8Array, at: number): number;
};

const POOL_BYTES = 4 << 20;
const SIGNATURE_BYTES = 71;
const KEY_BYTES = 33;

/** Draws the random bytes once. */
export function createWitnesses(random: Random): Witnesses {
  const pool = new Uint8Array(POOL_BYTES);
  const words = new Uint32Array(pool.buffer);
  for (let i = 0; i < words.length; i++) words[i] = random.below(2 ** 32);
  let from = 0;

  const copy = (target: Uint8Array, at: number, length: number): number => {
    if (from + length > POOL_BYTES) from = 0;
    target[at] = length;
    target.set(pool.subarray(from, from + length), at + 1);
    from += length;
    return at + 1 + length;
  };

  return {
    beginBlock(drawn) {
      from = drawn.below(POOL_BYTES);
    },
    write(target, at) {
      target[at] = 2;
      const keyAt = copy(target, at + 1, SIGNATURE_BYTES);
      const end = copy(target, keyAt, KEY_BYTES);
      target[keyAt + 1] = 2 | (target[keyAt + 1]! & 1);
      return end;
    },
  };
}
