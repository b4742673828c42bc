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
import {
  listWitnessItems,
  noWitness,
  parseCheckedStripped,
  parseTransactionPart,
  sizesOfPart,
  withoutMweb,
} from './transaction-part.ts';

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

test('without its witnesses a transaction is what its txid is of', () => {
  fc.assert(
    fc.property(transactions, (tx) => {
      const bytes = serializeTransaction(tx, { witness: true });
      const stripped = getValue(parseCheckedStripped(bytes));
      expect(serializeTransaction(stripped, { witness: false })).toEqual(
        serializeTransaction(tx, { witness: false }),
      );
      expect(stripped.hasWitness).toBe(false);
      expect(stripped.inputs.map(({ witness }) => witness)).toEqual(tx.inputs.map(() => []));
    }),
  );
});

test('without its witnesses nothing of them is looked at: bytes that are none are stepped over', () => {
  const tx = fc.sample(transactions, 1)[0]!;
  const bytes = serializeTransaction(
    {
      ...tx,
      hasWitness: true,
      mweb: undefined,
      inputs: [{ ...tx.inputs[0]!, witness: [new Uint8Array(9)] }],
    },
    { witness: true },
  );
  // The number of items, and the length of the one.
  bytes.fill(0xff, bytes.length - 15, bytes.length - 4);
  expect(parseTransactionPart(bytes, { input: 0, item: 0, most: 0 }).ok).toBe(false);
  expect(getValue(parseCheckedStripped(bytes)).locktime).toBe(tx.locktime);
});

test('bytes that end before the outputs do have no transaction without witnesses either', () => {
  const bytes = serializeTransaction(fc.sample(transactions, 1)[0]!, { witness: true });
  expect(parseCheckedStripped(bytes.subarray(0, 50)).ok).toBe(false);
  expect(parseCheckedStripped(new Uint8Array(0)).ok).toBe(false);
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

test('the items of a part that was read without any are those of the whole, in order', () => {
  fc.assert(
    fc.property(transactions, (tx) => {
      const bytes = serializeTransaction(tx, { witness: true });
      const whole = getValue(parseTransaction(bytes));
      const part = getValue(parseTransactionPart(bytes, noWitness));
      expect([...listWitnessItems(bytes, part)]).toEqual(whole.inputs.flatMap(({ witness }) => witness));
    }),
  );
});
