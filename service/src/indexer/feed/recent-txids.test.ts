import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentTxids, type RecentTxids } from './recent-txids.ts';

/** Txids that share what the table hashes them by, so that they get in each other's way. */
const txidArbitrary = fc
  .tuple(fc.nat(3), fc.nat(40))
  .map(([slot, number]) =>
    Uint8Array.from({ length: 32 }, (_, i) => (i === 5 ? slot : i === 31 ? number : 7)),
  );

function add(recent: RecentTxids, txids: readonly Uint8Array[], firstId: number): void {
  recent.add(Uint8Array.from(txids.flatMap((txid) => [...txid])), firstId, Uint32Array.from(txids.keys()));
}

/** Finds transactions whose txids lie anywhere in the bytes of a block. */
function find(recent: RecentTxids, txids: readonly Uint8Array[]): number[] {
  const bytes = Uint8Array.from(txids.flatMap((txid) => [1, 2, 3, ...txid]));
  const ids = new Float64Array(txids.length);
  recent.find(
    bytes,
    Uint32Array.from(txids, (_, i) => i * 35 + 3),
    ids,
  );
  return [...ids];
}

test('what is found of recent transactions is right, and the latest are always found', () => {
  fc.assert(
    fc.property(fc.array(fc.array(txidArbitrary, { maxLength: 9 }), { maxLength: 12 }), (blocks) => {
      const capacity = 4;
      const recent = createRecentTxids(capacity);
      const ids = new Map<string, number>();
      const added: Uint8Array[] = [];
      for (const txids of blocks) {
        add(recent, txids, 1_000 + added.length);
        for (const txid of txids) {
          ids.set(txid.toString(), 1_000 + added.length);
          added.push(txid);
        }
        const latest = added.slice(-capacity);
        expect(find(recent, latest)).toEqual(latest.map((txid) => ids.get(txid.toString())));
        const known = blocks.flat();
        // Of two with the same txid, as coinbases could have before BIP-30, the later one is meant.
        for (const [i, id] of find(recent, known).entries())
          expect([-1, ids.get(known[i]!.toString())]).toContain(id);
      }
      recent.clear();
      for (const id of find(recent, blocks.flat())) expect(id).toBe(-1);
    }),
  );
});

test('of more transactions than are looked at together each is found', () => {
  const recent = createRecentTxids(1_024);
  const txids = Array.from({ length: 1_000 }, (_, i) =>
    Uint8Array.from({ length: 32 }, (_, byte) => (i * (byte + 3) * 7_919) >>> (byte % 9)),
  );
  add(recent, txids, 2 ** 33);
  expect(find(recent, txids.toReversed())).toEqual(Array.from(txids.keys(), (i) => 2 ** 33 + i).toReversed());
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
        const addSome = (count: number): void => {
          const some = waiting.splice(0, count);
          add(recent, some, chain.length);
          chain.push(...some);
          const latest = chain.slice(-16);
          expect(find(recent, latest)).toEqual(latest.map((txid) => chain.indexOf(txid)));
        };
        addSome(20);
        for (const depth of depths) {
          const undone = chain.splice(Math.max(0, chain.length - depth));
          recent.forgetFrom(chain.length);
          for (const id of find(recent, undone)) expect(id).toBe(-1);
          waiting.push(...undone.reverse());
          addSome(depth);
          for (const [id, found] of find(recent, chain).entries()) expect([id, -1]).toContain(found);
        }
      },
    ),
  );
});

test('what is older than a reorg is still found behind it', () => {
  const txids = Array.from({ length: 40 }, (_, i) => new Uint8Array(32).fill(i + 1));
  const recent = createRecentTxids(16);
  add(recent, txids, 0);
  recent.forgetFrom(36);
  expect(find(recent, txids.slice(30))).toEqual([30, 31, 32, 33, 34, 35, -1, -1, -1, -1]);
});
