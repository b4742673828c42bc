import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRawOutput, listRawOutputs } from './raw-outputs.ts';
import { transactionArbitrary } from './testing/arbitraries.ts';
import { serializeTransaction } from './transaction.ts';

test('finds the output that parsing finds, for every output of any transaction', () => {
  fc.assert(
    fc.property(transactionArbitrary('none'), (tx) => {
      const raw = serializeTransaction(tx, { witness: true });
      for (const [vout, output] of tx.outputs.entries()) expect(findRawOutput(raw, vout)).toEqual(output);
      expect(findRawOutput(raw, tx.outputs.length)).toBeUndefined();
      expect(listRawOutputs(raw)).toEqual(tx.outputs);
    }),
  );
});

test('random bytes never make it throw or hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(0xffffffff), (bytes, vout) => {
      const found = findRawOutput(bytes, vout);
      expect(listRawOutputs(bytes).length).toBeLessThanOrEqual(bytes.length);
      expect(found === undefined || found.script.length <= bytes.length).toBe(true);
    }),
  );
});
