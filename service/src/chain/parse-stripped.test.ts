import { parseTransaction, serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { parseStored, parseStripped, type TxRecord } from './chain-reads.ts';

const tx = {
  version: 2,
  inputs: [1, 2].map((number) => ({
    prevTxid: new Uint8Array(32).fill(number),
    prevVout: number,
    scriptSig: new Uint8Array(0),
    sequence: 0xffffffff,
    witness: Array.from({ length: 3_000 }, () => new Uint8Array(number)),
  })),
  outputs: [{ value: 5n, script: Uint8Array.of(0x51) }],
  locktime: 0,
  hasWitness: true,
  mweb: undefined,
};
const record = { txid: txidOf(tx), raw: serializeTransaction(tx, { witness: true }) } as TxRecord;

test('a stored transaction without its witnesses is what its txid is of, and has no item of them', () => {
  const stripped = parseStripped(record);
  expect(stripped.inputs.map(({ witness }) => witness)).toEqual([[], []]);
  expect(txidOf(stripped)).toEqual(record.txid);
  expect(serializeTransaction(stripped, { witness: true })).toEqual(
    serializeTransaction(parseStored(record), { witness: false }),
  );
});

test('bytes that are no transaction are a defect of the index, named by the txid', () => {
  const cut = { ...record, raw: record.raw.subarray(0, 50) };
  expect(parseTransaction(cut.raw).ok).toBe(false);
  expect(() => parseStripped(cut)).toThrow(/^stored transaction [0-9a-f]{64}: /);
});
