import type { Random } from '../../chain/random.ts';
import type { Coin } from './coin-records.ts';
import type { Payees } from './payees.ts';
import { readUint32, writeCount, writeValue } from './write-bytes.ts';

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

/** Writes an output as one of {@link writeOutputs}, and returns where it ends. */
export function writeOutput(coin: Coin, payees: Payees, target: Uint8Array, at: number): number {
  return payees.writeNumbered(coin.payee, target, writeValue(target, at, coin.value));
}

/** An output that was written here. */
export function readOutput(bytes: Uint8Array, at: number, payees: Payees): Coin {
  const value = readUint32(bytes, at) + readUint32(bytes, at + 4) * 2 ** 32;
  return { value, payee: payees.numberOf(bytes, at + 8) };
}
