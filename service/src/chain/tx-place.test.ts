import { expect, test } from 'vitest';
import type { BlockRecord, ChainView } from './chain-view.ts';
import { createPlaceReader } from './tx-place.ts';

/** A view of blocks of two transactions that notes what is read. */
function watchView(): { view: ChainView; reads: string[] } {
  const reads: string[] = [];
  const view = {
    findBlockAt: async (height: number) => {
      reads.push(`block ${height}`);
      return height < 10 ? ({ height } as BlockRecord) : undefined;
    },
    listBlockTxs: async ({ height }: BlockRecord, position: number) => {
      reads.push(`transaction ${height}/${position}`);
      return position < 2 ? [{ txid: Uint8Array.of(height, position) }] : [];
    },
  };
  return { view: view as unknown as ChainView, reads };
}

test('a page of rows of one transaction reads it once, and its block once', async () => {
  const { view, reads } = watchView();
  const readPlace = createPlaceReader(view);
  for (let row = 0; row < 100; row++) {
    expect((await readPlace(3, 1)).txid).toEqual(Uint8Array.of(3, 1));
  }
  expect((await readPlace(3, 0)).txid).toEqual(Uint8Array.of(3, 0));
  expect(reads).toEqual(['block 3', 'transaction 3/1', 'transaction 3/0']);
});

test('a place that the chain does not have is a defect of the index, which is told', async () => {
  const readPlace = createPlaceReader(watchView().view);
  await expect(readPlace(3, 2)).rejects.toThrow('block 3 has no transaction 2');
  await expect(readPlace(11, 0)).rejects.toThrow('block 11 has no transaction 0');
});
