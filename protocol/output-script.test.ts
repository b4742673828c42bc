import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findOutputScript, listOutputScripts } from './output-script.ts';
import { transactionArbitrary } from './testing/arbitraries.ts';
import { serializeTransaction } from './transaction.ts';

test('finds the script that parsing finds, for every output of any transaction', () => {
  fc.assert(
    fc.property(transactionArbitrary('none'), (tx) => {
      const raw = serializeTransaction(tx, { witness: true });
      for (const [vout, { script }] of tx.outputs.entries())
        expect(findOutputScript(raw, vout)).toEqual(script);
      expect(findOutputScript(raw, tx.outputs.length)).toBeUndefined();
      expect(listOutputScripts(raw)).toEqual(tx.outputs.map(({ script }) => script));
    }),
  );
});

test('random bytes never make it throw or hang', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(0xffffffff), (bytes, vout) => {
      const found = findOutputScript(bytes, vout);
      expect(listOutputScripts(bytes).length).toBeLessThanOrEqual(bytes.length);
      expect(found === undefined || found.length <= bytes.length).toBe(true);
    }),
  );
});
