import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256d } from './hash.ts';
import { getValue } from './result.ts';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  transactionSizes,
  wtxidOf,
} from './transaction.ts';
import { parseTransactionPart, sizesOfPart, withoutMweb } from './transaction-part.ts';

const transactions = fc
  .record({
    stacks: fc.array(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 6,
    }),
    mweb: fc.constantFrom(undefined, Uint8Array.of(0), Uint8Array.of(1, 2, 3)),
  })
  .map(
    ({ stacks, mweb }): Transaction => ({
      version: 2,
      inputs: stacks.map((witness, i) => ({
        prevTxid: new Uint8Array(32).fill(i + 1),
        prevVout: i,
        scriptSig: Uint8Array.of(1),
        sequence: 7,
        witness,
      })),
      outputs: [{ value: 5n, script: Uint8Array.of(0x51) }],
      locktime: 9,
      hasWitness: stacks.some((stack) => stack.length > 0),
      mweb,
    }),
  );
const parts = fc.record({ input: fc.nat(6), item: fc.nat(6), most: fc.nat(20) });

test('a part has the items from the given one on, all counts, and the sizes and the wtxid of the whole', () => {
  fc.assert(
    fc.property(transactions, parts, (tx, part) => {
      const bytes = serializeTransaction(tx, { witness: true });
      const whole = getValue(parseTransaction(bytes));
      const read = getValue(parseTransactionPart(bytes, part));
      const shown = whole.inputs
        .flatMap(({ witness }, input) => witness.map((item, at) => ({ input, at, item })))
        .filter(({ input, at }) => input > part.input || (input === part.input && at >= part.item))
        .slice(0, part.most);
      const found = read.tx.inputs.flatMap(({ witness }, input) => witness.map((item) => ({ input, item })));
      expect(found).toEqual(shown.map(({ input, item }) => ({ input, item })));
      expect(read.witnessCounts).toEqual(
        whole.hasWitness ? whole.inputs.map((each) => each.witness.length) : [],
      );
      expect({ ...read.tx, inputs: 0 }).toEqual({ ...whole, inputs: 0 });
      expect(sizesOfPart(bytes, read)).toEqual(transactionSizes(whole));
      if (whole.hasWitness) {
        const kept = whole.mweb === undefined ? bytes : withoutMweb(bytes, whole.mweb.length);
        expect(sha256d(kept)).toEqual(wtxidOf(whole));
      }
    }),
  );
});

test('bytes that are no transaction are refused as they are when all is read', () => {
  fc.assert(
    fc.property(transactions, fc.nat(), fc.nat(255), (tx, at, byte) => {
      const bytes = serializeTransaction(tx, { witness: true });
      bytes[at % bytes.length] = byte;
      const part = parseTransactionPart(bytes, { input: 0, item: 0, most: 2 });
      expect(part.ok).toBe(parseTransaction(bytes).ok);
    }),
  );
});
