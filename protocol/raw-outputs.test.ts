import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equalBytes } from './bytes.ts';
import { findRawOutput, findRawPayment, listRawOutputs, sumRawOutputs } from './raw-outputs.ts';
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

test('finds the first output that pays a script, and none for one that is not paid', () => {
  fc.assert(
    fc.property(transactionArbitrary('none'), fc.uint8Array({ maxLength: 40 }), (tx, other) => {
      const raw = serializeTransaction(tx, { witness: true });
      const first = (script: Uint8Array) =>
        tx.outputs.findIndex((output) => equalBytes(output.script, script));
      for (const { script } of tx.outputs) expect(findRawPayment(raw, script)).toBe(first(script));
      if (first(other) < 0) expect(findRawPayment(raw, other)).toBeUndefined();
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
      for (const { script } of outputs) expect(findRawPayment(bytes, script)).toBeLessThan(outputs.length);
      expect(found === undefined || found.script.length <= bytes.length).toBe(true);
    }),
  );
});
