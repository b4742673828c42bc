import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeVarint } from '../encoding/varint.ts';
import {
  beginTx,
  createTxPageBuilder,
  findTxOfOutput,
  finishPage,
  listPageTxs,
  readPrevouts,
  readRaw,
  type TxPageBuilder,
  writeBytes,
  writeTxHead,
} from './tx-page.ts';

/** What the index keeps of a transaction, before it has a number. */
type Tx = {
  txid: Uint8Array;
  weight: number;
  fee: bigint | undefined;
  /** How far below the transaction each prevout's number lies. */
  prevouts: readonly number[];
  outputs: number;
  raw: Uint8Array;
};

const value = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const txArbitrary: fc.Arbitrary<Tx> = fc.record({
  txid: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  weight: fc.nat(4_000_000),
  fee: fc.option(value, { nil: undefined }),
  prevouts: fc.array(fc.integer({ min: 1, max: 2 ** 40 }), { maxLength: 5 }),
  outputs: fc.integer({ min: 1, max: 300 }),
  raw: fc.oneof(
    fc.uint8Array({ minLength: 60, maxLength: 400 }),
    // More than fits a page, and than the buffer that grows.
    fc.integer({ min: 3_000, max: 90_000 }).map((length) => new Uint8Array(length).fill(length % 251)),
  ),
});

const blocksArbitrary = fc.array(fc.array(txArbitrary, { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 3,
});

/** Writes as connecting a block does. */
function writeTx(builder: TxPageBuilder, id: number, position: number, tx: Tx): void {
  beginTx(builder, id, position, tx.raw.length);
  writeBytes(builder, tx.txid, 0, 32);
  writeTxHead(builder, tx.weight, tx.fee, tx.outputs);
  writeVarint(builder.writer, tx.prevouts.length);
  for (const distance of tx.prevouts) writeVarint(builder.writer, distance);
  writeBytes(builder, tx.raw, 0, tx.raw.length);
}

test('every transaction of a block is read back whole, by the number of any of its outputs', () => {
  fc.assert(
    fc.property(blocksArbitrary, fc.integer({ min: 2 ** 41, max: 2 ** 42 }), (blocks, firstId) => {
      const builder = createTxPageBuilder();
      let id = firstId;
      for (const txs of blocks) {
        const ids: number[] = [];
        for (const [position, tx] of txs.entries()) {
          writeTx(builder, id, position, tx);
          ids.push(id);
          id += tx.outputs;
        }
        finishPage(builder);
        const pages = builder.pages;
        builder.pages = [];

        const read = pages.flatMap((page) =>
          listPageTxs(page.data, page.firstId).map((tx) => ({
            page,
            position: page.position + tx.index,
            tx,
          })),
        );
        expect(read.map(({ position }) => position)).toEqual(txs.map((_, i) => i));
        for (const [i, { page, tx: found }] of read.entries()) {
          const tx = txs[i]!;
          expect(found).toMatchObject({
            id: ids[i],
            txid: tx.txid,
            weight: tx.weight,
            fee: tx.fee,
            outputCount: tx.outputs,
          });
          expect(readPrevouts(found)).toEqual(tx.prevouts.map((distance) => ids[i]! - distance));
          expect(Buffer.compare(readRaw(found), tx.raw)).toBe(0);
          for (let vout = 0; vout < tx.outputs; vout++) {
            const { id: idOfOutput, index } = findTxOfOutput(page.data, page.firstId, ids[i]! + vout);
            expect([idOfOutput, index]).toEqual([found.id, found.index]);
          }
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('a page of several transactions has hardly more than 4 KB', () => {
  fc.assert(
    fc.property(fc.array(txArbitrary, { minLength: 2, maxLength: 40 }), (txs) => {
      const builder = createTxPageBuilder();
      for (const [position, tx] of txs.entries()) writeTx(builder, position * 10, position, tx);
      finishPage(builder);
      for (const page of builder.pages) {
        // What is written beside the raw bytes of the last transaction may overrun by a little.
        if (listPageTxs(page.data, page.firstId).length > 1)
          expect(page.data.length).toBeLessThan(4_096 + 100);
      }
    }),
    { numRuns: 50 },
  );
});
