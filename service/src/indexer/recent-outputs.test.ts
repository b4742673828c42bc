import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentOutputs } from './recent-outputs.ts';

/** Txids that share what the table hashes them by, so that they get in each other's way. */
const txidArbitrary = fc
  .tuple(fc.nat(3), fc.nat(40))
  .map(([slot, number]) =>
    Uint8Array.from({ length: 32 }, (_, i) => (i === 5 ? slot : i === 31 ? number : 7)),
  );

const txArbitrary = fc.oneof(
  { weight: 9, arbitrary: fc.record({ txid: txidArbitrary, outputs: fc.integer({ min: 1, max: 3 }) }) },
  // More than a generation of four transactions holds.
  {
    weight: 1,
    arbitrary: fc.record({ txid: fc.constant(new Uint8Array(32)), outputs: fc.integer({ min: 9, max: 12 }) }),
  },
);

test('what is found of recent transactions is right, and the latest are always found', () => {
  fc.assert(
    fc.property(fc.array(txArbitrary, { maxLength: 60 }), (txs) => {
      const capacity = 4;
      const recent = createRecentOutputs(capacity);
      const ids = new Map<string, number>();
      let next = 1_000;
      for (const { txid, outputs } of txs) {
        const id = next;
        recent.addTransaction(txid, 0, id, outputs);
        for (let vout = 0; vout < outputs; vout++)
          recent.setOutput(id + vout, (id + vout) * 3, BigInt(id + vout) * 5n);
        ids.set(txid.toString(), id);
        next += outputs;

        if (outputs <= 2 * capacity) expect(recent.findTransaction(txid, 0)).toBe(id);
        for (const known of txs) {
          const found = recent.findTransaction(known.txid, 0);
          if (found < 0) continue;
          // Of two with the same txid, as coinbases could have before BIP-30, the later one is meant.
          expect(found).toBe(ids.get(known.txid.toString()));
          expect(recent.hasOutput(found)).toBe(true);
          expect(recent.getScriptId(found)).toBe(found * 3);
          expect(recent.getValue(found)).toBe(BigInt(found) * 5n);
        }
      }
      recent.clear();
      for (const { txid } of txs) expect(recent.findTransaction(txid, 0)).toBe(-1);
    }),
  );
});
