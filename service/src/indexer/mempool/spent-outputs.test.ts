import { bytesToHex, concatBytes } from '@coinfront/protocol/bytes.ts';
import {
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { keyOfScript } from '../encoding/hashes.ts';
import { packSpent, readSpentOutputs, type SpentOutput, type VisitConfirmed } from './spent-outputs.ts';

/** A transaction that spends one output, to so many of its own. */
function spend(prevTxid: Uint8Array, prevVout: number, outputs = 1): Transaction {
  return {
    version: 2,
    inputs: [{ prevTxid, prevVout, scriptSig: new Uint8Array(), sequence: 0, witness: [] }],
    outputs: Array.from({ length: outputs }, (_, i) => ({
      value: BigInt(i),
      script: Uint8Array.of(0x51, i),
    })),
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
}

const nameOf = (tx: Transaction) => bytesToHex(txidOf(tx));
const serialize = (txs: readonly Transaction[]) =>
  txs.map((tx) => ({ txid: nameOf(tx), raw: serializeTransaction(tx, { witness: true }) }));

const [large, other] = [spend(new Uint8Array(32), 0, 200), spend(new Uint8Array(32), 1, 3)];
const chain = new Map([large, other].map((tx) => [nameOf(tx), tx.outputs]));

/** Number of the first output of any of them. */
const FIRST_OUTPUT = 1_000;

/** Outputs as they are found, with their numbers. */
function numberAll(outputs: readonly TxOutput[]): Map<number, SpentOutput> {
  return new Map(outputs.map((output, vout) => [vout, { ...output, outputId: FIRST_OUTPUT + vout }]));
}

function createChain() {
  const asked: string[] = [];
  const visitConfirmed: VisitConfirmed = async (txids, visit) => {
    asked.push(...txids);
    for (const txid of txids) {
      const outputs = chain.get(txid);
      if (outputs) visit(txid, FIRST_OUTPUT, (vout) => outputs[vout]);
    }
  };
  return { asked, visitConfirmed };
}

test('a transaction whose outputs many spend is read once, whatever comes between them', async () => {
  const { asked, visitConfirmed } = createChain();
  const txs = Array.from({ length: 100 }, (_, i) => [
    spend(txidOf(large), i),
    spend(txidOf(other), i % 3, i + 1),
  ]);
  const spent = await readSpentOutputs(serialize(txs.flat()), () => false, visitConfirmed);
  expect(asked).toEqual([nameOf(large), nameOf(other)]);
  expect(spent.get(nameOf(large))).toEqual(numberAll(large.outputs.slice(0, 100)));
  expect(spent.get(nameOf(other))).toEqual(numberAll(other.outputs));
});

test('what is spent is kept, and not the transaction that it is a part of', async () => {
  const { visitConfirmed } = createChain();
  const spent = await readSpentOutputs(serialize([spend(txidOf(large), 7)]), () => false, visitConfirmed);
  const script = spent.get(nameOf(large))?.get(7)?.script;
  expect(script?.buffer.byteLength).toBe(2);
});

test('parents that come along or are at hand are not looked for on the chain', async () => {
  const { asked, visitConfirmed } = createChain();
  const parent = spend(txidOf(other), 0);
  const txs = [spend(txidOf(parent), 0), parent, spend(txidOf(large), 3)];
  await readSpentOutputs(serialize(txs), (txid) => txid === nameOf(large), visitConfirmed);
  expect(asked).toEqual([nameOf(other)]);
});

test('an output that is not there is none, and bytes that are no transaction spend nothing', async () => {
  const { asked, visitConfirmed } = createChain();
  const unknown = new Uint8Array(32).fill(9);
  const noTx = { txid: 'none', raw: Uint8Array.of(1, 2, 3) };
  const txs = [...serialize([spend(txidOf(other), 3), spend(unknown, 0)]), noTx];
  const spent = await readSpentOutputs(txs, () => false, visitConfirmed);
  expect(asked).toEqual([nameOf(other), bytesToHex(unknown)]);
  expect([...spent.entries()]).toEqual([[nameOf(other), new Map()]]);
});

test('what is spent is told in columns, with outpoints as inputs have them', async () => {
  const { visitConfirmed } = createChain();
  const txs = [spend(txidOf(large), 7), spend(txidOf(other), 2)];
  const spent = await readSpentOutputs(serialize(txs), () => false, visitConfirmed);
  const { outpoints, outputIds, values, keys } = packSpent(spent);
  // Behind the version and the count of the inputs.
  const inInputs = txs.map((tx) => serializeTransaction(tx, { witness: false }).subarray(5, 41));
  expect(outpoints).toEqual(concatBytes(...inInputs));
  expect([...outputIds]).toEqual([FIRST_OUTPUT + 7, FIRST_OUTPUT + 2]);
  expect([...values]).toEqual([7n, 2n]);
  expect(keys).toEqual(concatBytes(keyOfScript(Uint8Array.of(0x51, 7)), keyOfScript(Uint8Array.of(0x51, 2))));
});
