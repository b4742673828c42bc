import type { Random } from '../../chain/random.ts';
import type { Payees } from './payees.ts';
import { writeCount, writeValue } from './write-bytes.ts';

/** Every output has as many bytes: a value, a length, a scriptPubKey of 22 bytes. */
export const OUTPUT_BYTES = 31;

/**
 * Writes `count` outputs, the count before them, that share `total` base units unevenly, and returns where they end.
 *
 * @param toHub whether the first one pays the first hub
 */
export function writeOutputs(
  { count, total, toHub }: { count: number; total: number; toHub: boolean },
  { random, payees }: { random: Random; payees: Payees },
  target: Uint8Array,
  start: number,
): number {
  let at = writeCount(target, start, count);
  let rest = total;
  for (let left = count; left > 0; left--) {
    const value = left === 1 ? rest : Math.floor((rest / left) * (0.5 + random.fraction()));
    rest -= value;
    at = writeValue(target, at, value);
    at = toHub && left === count ? payees.writeFirstHub(target, at) : payees.write(random, target, at);
  }
  return at;
}

/** The value of an output that {@link writeOutputs} wrote. */
export function readValue(bytes: Uint8Array, at: number): number {
  const low = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  const high = bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24);
  return (low >>> 0) + (high >>> 0) * 2 ** 32;
}
