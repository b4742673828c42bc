import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outpointKey } from './held-spends.ts';
import { createHeldTxs } from './held-txs.ts';
import type { MempoolEntry } from './mempool-rows.ts';

const prevTxid = new Uint8Array(32).fill(7);
const VOUTS = 6;

/** Ways to change what is held; a transaction spends one or two of few outputs. */
const change = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    spends: fc.uniqueArray(fc.nat({ max: VOUTS - 1 }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'leave' as const), which: fc.nat() }),
  fc.constant({ kind: 'sweep' as const }),
);

let made = 0;
function makeEntry(vouts: readonly number[]): MempoolEntry {
  const inputs = vouts.map((prevVout) => ({
    prevTxid,
    prevVout,
    scriptSig: new Uint8Array(),
    sequence: 0,
    witness: [],
  }));
  const outputs = [{ value: 1n, script: new Uint8Array() }];
  const tx = { version: 2, inputs, outputs, locktime: ++made, hasWitness: false, mweb: undefined };
  const raw = serializeTransaction(tx, { witness: true });
  return { id: made, txid: bytesToHex(txidOf(tx)), raw, weight: 400, vsize: 100, fee: 1n };
}

const readTx = ({ raw }: MempoolEntry) => getValue(parseTransaction(raw));

test('what is gone is found neither by its txid nor by what it spent, swept or not, and sweeping takes nothing else', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const held = createHeldTxs();
      const live = new Map<MempoolEntry, readonly number[]>();
      const gone: MempoolEntry[] = [];
      for (const each of changes) {
        if (each.kind === 'sweep') while (!held.isSwept) held.sweepSome();
        else if (each.kind === 'add') {
          // What is spent has one spender: the others are let go first.
          const taken = new Set([...live.values()].flat());
          const vouts = each.spends.filter((vout) => !taken.has(vout));
          if (vouts.length === 0) continue;
          const entry = makeEntry(vouts);
          held.add(entry, readTx(entry));
          live.set(entry, vouts);
        } else {
          const entry = [...live.keys()][each.which % Math.max(live.size, 1)];
          if (!entry) continue;
          if (each.kind === 'leave') held.leave(entry);
          else held.delete(entry, readTx(entry));
          live.delete(entry);
          gone.push(entry);
        }
        expect(held.size).toBe(live.size);
        expect(held.summary.txs).toBe(live.size);
        for (const entry of gone) expect(held.find(entry.txid)).toBeUndefined();
        for (const entry of live.keys()) {
          expect(held.find(entry.txid)).toBe(entry);
          expect(held.mayHave(getHexBytes(entry.txid), 0)).toBe(true);
        }
        for (let vout = 0; vout < VOUTS; vout++) {
          const spender = [...live].find(([, vouts]) => vouts.includes(vout))?.[0];
          expect(held.findSpender(outpointKey(prevTxid, vout))).toBe(spender);
          if (spender) expect(held.maySpend(prevTxid, 0)).toBe(true);
        }
        expect(new Set(held.listSpenders(prevTxid, VOUTS))).toEqual(new Set(live.keys()));
      }
      while (!held.isSwept) held.sweepSome();
      for (const entry of live.keys()) held.delete(entry, readTx(entry));
      expect(held.maySpend(prevTxid, 0)).toBe(false);
      for (const entry of [...gone, ...live.keys()])
        expect(held.mayHave(getHexBytes(entry.txid), 0)).toBe(false);
    }),
  );
});

test('many that are left are swept some at a time', () => {
  const held = createHeldTxs();
  const entries = Array.from({ length: 1_000 }, (_, vout) => makeEntry([vout]));
  for (const entry of entries) held.add(entry, readTx(entry));
  for (const entry of entries) held.leave(entry);
  let rounds = 0;
  for (; !held.isSwept; rounds++) held.sweepSome();
  expect(rounds).toBeGreaterThan(1);
  expect(held.maySpend(prevTxid, 0)).toBe(false);
});
