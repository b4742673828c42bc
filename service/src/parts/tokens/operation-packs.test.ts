import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOperationPack, packFurther, unpackOperations, unpackTxIds } from './operation-packs.ts';

/** As far along the chain as any number of an output can be. */
const txIds = fc
  .uniqueArray(fc.integer({ min: 0, max: 2 ** 47 }), { minLength: 1, maxLength: 600 })
  .map((ids) => ids.sort((a, b) => a - b));

test('operations of a block come out of their pack as they went in', () => {
  fc.assert(
    fc.property(txIds, fc.infiniteStream(fc.nat()), (ids, numbers) => {
      const operations = ids.map((txId) => ({ txId, tokenNumber: numbers.next().value }));
      const pack = createOperationPack();
      for (const { txId, tokenNumber } of operations) pack.add(txId, tokenNumber);
      expect(pack.firstTxId).toBe(ids[0]);
      expect(unpackOperations(ids[0]!, pack.finish())).toEqual(operations);
    }),
  );
});

test('a pack without operations has no first one', () => {
  expect(createOperationPack().firstTxId).toBeUndefined();
});

test('transactions of a token come out of their pack as they went in', () => {
  fc.assert(
    fc.property(txIds, (ids) => {
      expect(unpackTxIds(ids[0]!, packFurther(ids))).toEqual(ids);
    }),
  );
});
