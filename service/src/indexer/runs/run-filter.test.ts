import { describe, expect, test } from 'vitest';
import { addToFilter, createFilter, filterBytes, filterKey, mayHave } from './run-filter.ts';
import { type RunKind, spendRuns, txRuns } from './run-kinds.ts';

/** A key by its number: something like a hash, or a number of an output, with gaps between them. */
function keyAt(kind: RunKind, number: number): Uint8Array {
  const bytes = Buffer.alloc(kind.keyBytes);
  if (kind === spendRuns) bytes.writeUIntBE(number * 3, 0, 6);
  else {
    bytes.writeUInt32BE(scatter(number), 0);
    bytes.writeUInt32BE(scatter(number + 0x51ed270b), 4);
  }
  return bytes;
}

function scatter(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Of a filter with so many keys: whether it says yes to all of them, and to which share of others. */
function measure(kind: RunKind, keys: number): { hasAll: boolean; wrong: number } {
  const filter = createFilter(keys);
  for (let number = 0; number < keys; number++) addToFilter(filter, kind, keyAt(kind, number), 0);
  const says = (number: number): boolean => mayHave(filter, filterKey(kind, keyAt(kind, number)));
  const asked = Array.from({ length: 20_000 }, (_, i) => i);
  return {
    hasAll: asked.every((i) => says(Math.floor((i * keys) / asked.length))),
    wrong: asked.filter((i) => says(keys + i)).length / asked.length,
  };
}

describe.each([txRuns, spendRuns])('a filter of $name', (kind) => {
  test('has all keys, and is wrong about one of a hundred others at most', () => {
    const { hasAll, wrong } = measure(kind, 100_000);
    expect(hasAll).toBe(true);
    expect(wrong).toBeLessThan(0.01);
  });

  test('of a large run takes less memory for each key, and is wrong in proportion to its size at most', () => {
    const keys = 2 ** 21;
    expect(filterBytes(keys)).toBeLessThan(2 * filterBytes(keys / 2));
    const { hasAll, wrong } = measure(kind, keys);
    expect(hasAll).toBe(true);
    expect(wrong).toBeLessThan(0.02);
  });
});

test('a filter of any size has five bits a key at least, and twelve at most', () => {
  for (const keys of [1, 1_000, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26, 2 ** 28]) {
    const bits = ((filterBytes(keys) - 64) * 8) / keys;
    expect(bits).toBeLessThanOrEqual(12);
    expect((filterBytes(keys) * 8) / keys).toBeGreaterThanOrEqual(5);
  }
});
