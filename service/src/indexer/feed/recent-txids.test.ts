import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentTxids } from './recent-txids.ts';

/** Txids that share what the table hashes them by, so that they get in each other's way. */
const txidArbitrary = fc
  .tuple(fc.nat(3), fc.nat(40))
  .map(([slot, number]) =>
    Uint8Array.from({ length: 32 }, (_, i) => (i === 5 ? slot : i === 31 ? number : 7)),
  );

test('what is found of recent transactions is right, and the latest are always found', () => {
  fc.assert(
    fc.property(fc.array(txidArbitrary, { maxLength: 60 }), (txids) => {
      const capacity = 4;
      const recent = createRecentTxids(capacity);
      const ids = new Map<string, number>();
      const added: Uint8Array[] = [];
      for (const [i, txid] of txids.entries()) {
        const id = 1_000 + i;
        recent.add(txid, 0, id);
        ids.set(txid.toString(), id);
        added.push(txid);
        for (const latest of added.slice(-capacity)) {
          expect(recent.find(latest, 0)).toBe(ids.get(latest.toString()));
        }
        for (const known of txids) {
          const found = recent.find(known, 0);
          // Of two with the same txid, as coinbases could have before BIP-30, the later one is meant.
          if (found >= 0) expect(found).toBe(ids.get(known.toString()));
        }
      }
      recent.clear();
      for (const txid of txids) expect(recent.find(txid, 0)).toBe(-1);
    }),
  );
});
