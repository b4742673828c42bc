import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRawOutput, listRawOutputs, sumRawOutputs } from './raw-outputs.ts';
import { transactionArbitrary } from './testing/arbitraries.ts';
import { serializeTransaction, type TxOutput } from './transaction.ts';

const sumOf = (outputs: readonly TxOutput[]): bigint => outputs.reduce((sum, { value }) => sum + value, 0n);

test('finds the output that parsing finds, for every output of any transaction', () => {
  fc.assert(
    fc.property(transactionArbitrary('none'), (tx) => {
      const raw = serializeTransaction(tx, { witness: true });
      for (const [vout, output] of tx.outputs.entries()) expect(findRawOutput(raw, vout)).toEqual(output);
      expect(findRawOutput(raw, tx.outputs.length)).toBeUndefined();
      expect(listRawOutputs(raw)).toEqual(tx.outputs);
      expect(sumRawOutputs(raw)).toBe(sumOf(tx.outputs));
    }),
  );
});

test('random bytes never make it throw or hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(0xffffffff), (bytes, vout) => {
      const found = findRawOutput(bytes, vout);
      const outputs = listRawOutputs(bytes);
      expect(outputs.length).toBeLessThanOrEqual(bytes.length);
      expect(sumRawOutputs(bytes)).toBe(sumOf(outputs));
      expect(found === undefined || found.script.length <= bytes.length).toBe(true);
    }),
  );
});
