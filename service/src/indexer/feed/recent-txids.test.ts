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

test('a reorg is forgotten alone: what it undoes is not found, what comes instead is', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(txidArbitrary, { maxLength: 40, selector: String }),
      fc.array(fc.nat(12), { maxLength: 6 }),
      (txids, depths) => {
        const recent = createRecentTxids(16);
        const chain: Uint8Array[] = [];
        const waiting: Uint8Array[] = [...txids];
        const add = (count: number): void => {
          for (const txid of waiting.splice(0, count)) {
            recent.add(txid, 0, chain.length);
            chain.push(txid);
            expect(recent.find(txid, 0)).toBe(chain.length - 1);
          }
        };
        add(20);
        for (const depth of depths) {
          const undone = chain.splice(Math.max(0, chain.length - depth));
          recent.forgetFrom(chain.length);
          for (const txid of undone) expect(recent.find(txid, 0)).toBe(-1);
          waiting.push(...undone.reverse());
          add(depth);
          for (const [id, txid] of chain.entries()) expect([id, -1]).toContain(recent.find(txid, 0));
        }
      },
    ),
  );
});

test('what is older than a reorg is still found behind it', () => {
  const txids = Array.from({ length: 40 }, (_, i) => new Uint8Array(32).fill(i + 1));
  const recent = createRecentTxids(16);
  for (const [id, txid] of txids.entries()) recent.add(txid, 0, id);
  recent.forgetFrom(36);
  expect(txids.slice(30).map((txid) => recent.find(txid, 0))).toEqual([
    30, 31, 32, 33, 34, 35, -1, -1, -1, -1,
  ]);
});
