import { expect, test } from 'vitest';
import { HIGH_VALUE, payeeCounts } from '../../chain/payout-counts.ts';
import { createMemoryPartStore } from '../../indexer/parts/memory-part-store.ts';
import type { ConnectedBlock } from '../../indexer/parts/part.ts';
import { coinbasePayouts, payeeCountTable, payeeTable, payoutTable } from './coinbase-payouts.ts';

const [POOL, MINER] = [Uint8Array.of(0x51), Uint8Array.of(0x52)];

/** A block whose coinbase pays so much, in this order. */
function blockAt(height: number, pays: readonly (readonly [Uint8Array, bigint])[]): ConnectedBlock {
  const outputs = pays.map(([script, value]) => ({ script, value }));
  return {
    height,
    getTransaction: () => ({ outputs }),
    getTxId: () => height * 10,
  } as unknown as ConnectedBlock;
}

test('a payee is counted once a block, and what it was paid is exact beyond 63 bits', async () => {
  const store = createMemoryPartStore();
  const most = 2n ** 63n - 1n;
  const blocks = [
    [
      [POOL, 5n],
      [MINER, 0n],
      [POOL, 7n],
    ],
    [
      [MINER, 1n],
      [POOL, most],
    ],
    [[POOL, most]],
    [[POOL, most]],
  ] as const;
  for (const [height, pays] of blocks.entries())
    await coinbasePayouts.connectBlock(blockAt(height, pays), store.forBlock(height));

  const ids = [...store.takeState(payeeTable.table).values()].map(({ script_id: id }) => id);
  expect(ids).toEqual([0, 10]);
  const counts = [...store.takeState(payeeCountTable.table).values()];
  const countOf = (id: number, what: number) =>
    (counts.find((row) => row.script_id === id && row.what === what)?.amount as bigint | undefined) ?? 0n;
  expect(countOf(0, payeeCounts.blocks)).toBe(4n);
  expect(countOf(0, payeeCounts.highValue) * HIGH_VALUE + countOf(0, payeeCounts.value)).toBe(
    12n + 3n * most,
  );
  expect(countOf(0, payeeCounts.value)).toBeLessThan(HIGH_VALUE);
  expect([countOf(10, payeeCounts.blocks), countOf(10, payeeCounts.value)]).toEqual([1n, 1n]);
  expect(store.takeAppended(payoutTable.table).map(({ height, vout }) => [height, vout])).toEqual([
    [0, 0],
    [0, 2],
    [1, 0],
    [1, 1],
    [2, 0],
    [3, 0],
  ]);
});
