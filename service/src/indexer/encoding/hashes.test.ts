import { type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { hashTx } from './hashes.ts';

const outpoint = { prevTxid: new Uint8Array(32).fill(7), prevVout: 1, sequence: 0xfffffffe };

test.each([1, 40, 400])('a txid is that of the protocol, without the witness, with %i inputs', (inputs) => {
  const tx: Transaction = {
    version: 2,
    inputs: Array.from({ length: inputs }, (_, i) => ({
      ...outpoint,
      scriptSig: new Uint8Array(i % 3),
      witness: [new Uint8Array(71), new Uint8Array(33)],
    })),
    outputs: [{ value: 5_000_000_000n, script: new Uint8Array(22) }],
    locktime: 9,
    hasWitness: true,
    mweb: undefined,
  };
  expect(hashTx(tx)).toEqual(new Uint8Array(txidOf(tx)));
  expect(hashTx({ ...tx, hasWitness: false })).toEqual(hashTx(tx));
});
