import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHeldSpends, outpointKeyAt } from './held-spends.ts';

/** Few txids, whose first bytes are alike: what one transaction spends another does not, but much of it lies together. */
const outpoint = fc.record({
  txid: fc
    .tuple(fc.constantFrom(0, 8, 255), fc.constantFrom(0, 255), fc.nat({ max: 2 }))
    .map(([first, third, last]) => Uint8Array.of(first, 0, third, ...new Uint8Array(28), last)),
  vout: fc.constantFrom(0, 1, 0xffff_fffe),
});
const txs = fc.array(
  fc.uniqueArray(outpoint, { selector: ({ txid, vout }) => `${txid}:${vout}`, minLength: 1 }),
);

const bytesOf = ({ txid, vout }: { txid: Uint8Array; vout: number }): Uint8Array => {
  const bytes = new Uint8Array(40);
  bytes.set(txid, 3);
  new DataView(bytes.buffer).setUint32(35, vout, true);
  return bytes;
};

test('what the mempool spends may be spent and is found by its bytes, until its transaction goes', () => {
  fc.assert(
    fc.property(txs, (plans) => {
      const spends = createHeldSpends();
      const taken = new Set<string>();
      const held = plans.flatMap((outpoints, id) => {
        const own = outpoints.filter((each) => !taken.has(outpointKeyAt(bytesOf(each), 3)));
        for (const each of own) taken.add(outpointKeyAt(bytesOf(each), 3));
        const inputs = own.map(({ txid, vout }) => ({ prevTxid: txid, prevVout: vout }));
        const entry = { id, txid: String(id), raw: new Uint8Array(0), weight: 4, vsize: 1, fee: 0n };
        spends.add({ inputs }, entry);
        return [{ own, inputs, entry }];
      });
      while (held.length > 0) {
        for (const { own, entry } of held)
          for (const bytes of own.map(bytesOf)) {
            expect(spends.maySpend(bytes, 3)).toBe(true);
            expect(spends.find(outpointKeyAt(bytes, 3))).toBe(entry);
          }
        const { own, inputs, entry } = held.pop()!;
        spends.delete({ inputs }, entry);
        for (const bytes of own.map(bytesOf)) expect(spends.find(outpointKeyAt(bytes, 3))).toBeUndefined();
      }
      // Nothing is left behind: what nobody spends is told from its first bytes.
      for (const { txid } of plans.flat()) expect(spends.maySpend(txid, 0)).toBe(false);
    }),
  );
});

test('nothing may be spent that lies elsewhere, nor anything after all was forgotten', () => {
  const spends = createHeldSpends();
  const inputs = [{ prevTxid: new Uint8Array(32).fill(7), prevVout: 1 }];
  spends.add({ inputs }, { id: 1, txid: '07', raw: new Uint8Array(0), weight: 4, vsize: 1, fee: 0n });
  expect(spends.maySpend(new Uint8Array(36), 0)).toBe(false);
  expect(spends.maySpend(new Uint8Array(36).fill(7), 0)).toBe(true);
  spends.clear();
  expect(spends.maySpend(new Uint8Array(36).fill(7), 0)).toBe(false);
});
