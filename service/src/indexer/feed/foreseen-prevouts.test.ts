import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoundPrevout, SaidOutput, UnknownPrevout } from './find-prevouts.ts';
import { createForeseenMemory, type ForeseenPrevouts } from './foreseen-prevouts.ts';

/** The outpoint that has a number's output: some share a transaction. */
function outpointOf(outputId: number): Uint8Array {
  const bytes = new Uint8Array(36).fill(Math.floor(outputId / 3) % 256);
  new DataView(bytes.buffer).setUint32(0, Math.floor(outputId / 3));
  bytes[32] = outputId % 3;
  return bytes;
}

const prevoutOf = (outputId: number, value = BigInt(outputId) * 5n): FoundPrevout => ({
  outputId,
  value,
  key: new Uint8Array(16).fill(outputId % 251),
});

function pack(outputIds: readonly number[]): ForeseenPrevouts {
  const foreseen = {
    outpoints: new Uint8Array(outputIds.length * 36),
    outputIds: Float64Array.from(outputIds),
    values: BigInt64Array.from(outputIds, (id) => prevoutOf(id).value),
    keys: new Uint8Array(outputIds.length * 16),
  };
  for (const [i, id] of outputIds.entries()) {
    foreseen.outpoints.set(outpointOf(id), i * 36);
    foreseen.keys.set(prevoutOf(id).key, i * 16);
  }
  return foreseen;
}

/** Inputs whose outpoints lie somewhere in a block. */
const inputOf = (outputId: number): UnknownPrevout => {
  const raw = new Uint8Array(50);
  raw.set(outpointOf(outputId), 9);
  return { raw, offset: 9, height: 1 };
};

/** A memory over an index that has everything, and says what it was asked. */
function createMemory(capacity?: number) {
  const asked: number[] = [];
  const numbers = new Map<string, number>();
  const memory = createForeseenMemory(async (inputs) => {
    return inputs.map(({ raw, offset }) => {
      const id = numbers.get(String(raw.subarray(offset, offset + 36)))!;
      asked.push(id);
      return prevoutOf(id);
    });
  }, capacity);
  const find = (
    outputIds: readonly number[],
    { below = Number.MAX_SAFE_INTEGER, said = [] }: { below?: number; said?: readonly SaidOutput[] } = {},
  ) => {
    for (const id of outputIds) numbers.set(String(outpointOf(id)), id);
    const inputs = outputIds.map((id, i) => ({ ...inputOf(id), said: said[i] }));
    return memory.find(inputs, below);
  };
  return { memory, asked, find };
}

test('only what was not foreseen is asked of the index, and answers come in the order of the inputs', async () => {
  const { memory, asked, find } = createMemory();
  expect(await find([1, 2])).toEqual([prevoutOf(1), prevoutOf(2)]);
  memory.add(pack([10, 11, 12, 40]));
  memory.add(pack([11, 13]));
  expect(await find([13, 7, 10, 41, 12])).toEqual([13, 7, 10, 41, 12].map((id) => prevoutOf(id)));
  expect(await find([10, 40])).toEqual([prevoutOf(10), prevoutOf(40)]);
  expect(asked).toEqual([1, 2, 7, 41]);
});

test('what blocks may have made that leave the chain is asked of the index', async () => {
  const { memory, asked, find } = createMemory();
  memory.add(pack([10, 20]));
  await find([10, 20], { below: 15 });
  expect(asked).toEqual([20]);
  memory.beginAt(21);
  await find([10, 20]);
  expect(asked).toEqual([20]);
  memory.beginAt(20);
  await find([10, 20]);
  expect(asked).toEqual([20, 10, 20]);
  memory.add(pack([10]));
  await find([10, 20]);
  expect(asked).toEqual([20, 10, 20, 20]);
});

test('where the node says something else the index is asked', async () => {
  const { memory, asked, find } = createMemory();
  memory.add(pack([10, 11, 12]));
  const said = [
    prevoutOf(10),
    { ...prevoutOf(11), value: 1n },
    { ...prevoutOf(12), key: new Uint8Array(16) },
  ];
  expect(await find([10, 11, 12], { said })).toEqual([10, 11, 12].map((id) => prevoutOf(id)));
  expect(asked).toEqual([11, 12]);
});

test('however many come, the latest are here and all answers are right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 }), { maxLength: 20 }),
      async (rounds) => {
        const { memory, asked, find } = createMemory(16);
        for (const ids of rounds) {
          memory.add(pack(ids));
          const latest = [...new Set(ids)].slice(-1);
          asked.length = 0;
          expect(await find(latest)).toEqual(latest.map((id) => prevoutOf(id)));
          expect(asked).toEqual([]);
          expect(await find(ids)).toEqual(ids.map((id) => prevoutOf(id)));
        }
      },
    ),
  );
});
