import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import type { BlockRecord, TxRecord } from './chain-view.ts';
import { listCoinbaseTags, type TagMemory } from './coinbase-tags.ts';

const block = (number: number) =>
  ({ hash: Uint8Array.of(number >> 8, number & 255), firstTxId: number }) as BlockRecord;
const tagOf = (number: number) => `/pool ${number}/`;

/** Coinbases whose tags have the number of their block. */
function readCoinbases(asked: number[]) {
  return async (ids: readonly number[]): Promise<TxRecord[]> => {
    asked.push(...ids);
    return ids.map((id) => ({ raw: coinbaseWith(tagOf(id)) }) as TxRecord);
  };
}

function coinbaseWith(tag: string): Uint8Array {
  const input = { prevTxid: new Uint8Array(32), prevVout: 0xffff_ffff, scriptSig: Buffer.from(tag) };
  const outputs = [{ value: 1n, script: new Uint8Array() }];
  return serializeTransaction(
    {
      ...{ version: 1, locktime: 0, hasWitness: false, mweb: undefined, outputs },
      inputs: [{ ...input, sequence: 0xffff_ffff, witness: [] }],
    },
    { witness: false },
  );
}

test('tags that were read are not read again, and are told also when the memory overflows meanwhile', async () => {
  const memory: TagMemory = new Map();
  const asked: number[] = [];
  const list = (numbers: number[]) =>
    listCoinbaseTags(memory, numbers.map(block), readCoinbases(asked), () => {});
  const all = Array.from({ length: 5_000 }, (_, i) => i);
  expect(await list(all)).toEqual(all.map(tagOf));
  expect(await list([4_998, 4_999, 5_000])).toEqual([4_998, 4_999, 5_000].map(tagOf));
  expect(asked).toHaveLength(5_001);
  expect(memory.size).toBeLessThanOrEqual(5_000);
  expect(await list([4_999])).toEqual([tagOf(4_999)]);
  expect(asked).toHaveLength(5_001);
});
