import { sha256d } from '@coinfront/protocol/hash.ts';
import { findRawOutput, sumRawOutputs } from '@coinfront/protocol/raw-outputs.ts';
import { allOwners, shapedTransaction } from '@coinfront/protocol/testing/spends.ts';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  transactionSizes,
  txidOf,
  wtxidOf,
} from '@coinfront/protocol/transaction.ts';
import {
  noWitness,
  parseCheckedStripped,
  parseTransactionPart,
  sizesOfPart,
  type WitnessPart,
  withoutMweb,
} from '@coinfront/protocol/transaction-part.ts';
import { demand, type FuzzTarget, hex, join } from '../target.ts';

/** The input from which witness items are read, the item, and how many. */
const PART_BYTES = 3;

const outputs = [
  { value: 5_000n, script: hex(`0014${'11'.repeat(20)}`) },
  { value: 0n, script: hex('6a0401020304') },
];
const spends = allOwners(1).map((owner, i) => shapedTransaction(owner.spend(), outputs, i));
const write = (tx: Transaction): Uint8Array => serializeTransaction(tx, { witness: true });
const withWitness = spends.find(({ hasWitness }) => hasWitness)!;

/**
 * A raw transaction behind the part of its witness that is wanted. The reader of parts, and those that step over what is not asked
 * for, agree with the one that reads all.
 */
export const transactionPartTarget: FuzzTarget = {
  name: 'transaction-part',
  reads: 'raw transactions in part: some witness items, one output, sums',
  form: 'bytes',
  maxBytes: 4_096,
  seeds: [
    ...spends.map((tx, i) => join(0, i, 2, write(tx))),
    join(0, 0, 255, write({ ...withWitness, mweb: hex('00') })),
    join(0, 1, 1, write({ ...withWitness, mweb: hex('01aabb') })),
    join(1, 1, 2, writeManyInputs(4)),
  ],
  check(input) {
    const [from = 0, item = 0, most = 0] = input;
    const bytes = input.subarray(PART_BYTES);
    const whole = parseTransaction(bytes);
    for (const part of [{ input: from, item, most }, noWitness]) {
      const read = parseTransactionPart(bytes, part);
      demand(read.ok === whole.ok, 'both readers take the same bytes');
      if (!whole.ok || !read.ok) {
        demand(read.ok || whole.ok || read.reason === whole.reason, 'both refuse for the same reason');
        continue;
      }
      const { tx, witnessCounts } = read.value;
      demand(describe(tx) === describe(keepPart(whole.value, part)), 'a part is what the whole has of it');
      demand(
        String(witnessCounts) ===
          String(whole.value.hasWitness ? whole.value.inputs.map(({ witness }) => witness.length) : []),
        'all items are counted',
      );
      demand(
        JSON.stringify(sizesOfPart(bytes, read.value)) === JSON.stringify(transactionSizes(whole.value)),
        'a part knows the sizes of the whole',
      );
      demand(same(txidOf(tx), txidOf(whole.value)), 'a part has the txid of the whole');
    }
    if (whole.ok) checkPieces(bytes, whole.value, item);
    else {
      // They read what was checked before it was stored; of anything else they have to come to an end.
      parseCheckedStripped(bytes);
      findRawOutput(bytes, most);
      sumRawOutputs(bytes);
    }
  },
  growing: {
    'empty witness items': (bytes) => writeItems(bytes, new Uint8Array(0)),
    'short witness items': (bytes) => writeItems(bytes / 4, new Uint8Array(3)),
    'inputs with a witness each': (bytes) => writeManyInputs(bytes / 43),
  },
};

function checkPieces(bytes: Uint8Array, tx: Transaction, vout: number): void {
  const stripped = parseCheckedStripped(bytes);
  demand(
    stripped.ok && describe(stripped.value) === describe({ ...keepPart(tx, noWitness), hasWitness: false }),
    'without its witnesses a transaction is the same',
  );
  if (tx.hasWitness) {
    const hashed = tx.mweb === undefined ? bytes : withoutMweb(bytes, tx.mweb.length);
    demand(same(sha256d(hashed), wtxidOf(tx)), 'the wtxid is of the bytes without their extension');
  }
  // What is stored are transactions of blocks, which have no extension of their own.
  if (tx.mweb !== undefined) return;
  const found = findRawOutput(bytes, vout);
  const expected = tx.outputs[vout];
  demand((found === undefined) === (expected === undefined), 'an output is found where there is one');
  if (found !== undefined && expected !== undefined)
    demand(
      found.value === expected.value && same(found.script, expected.script),
      'both readers of an output agree',
    );
  demand(
    sumRawOutputs(bytes) === tx.outputs.reduce((sum, { value }) => sum + value, 0n),
    'outputs have the same sum',
  );
}

/** The transaction with the items of a part alone, taken from all of them. */
function keepPart(tx: Transaction, { input, item, most }: WitnessPart): Transaction {
  let left = most;
  const inputs = tx.inputs.map((each, at) => {
    const first = at < input ? each.witness.length : at === input ? item : 0;
    const witness = each.witness.slice(first, first + left);
    left -= witness.length;
    return { ...each, witness };
  });
  return { ...tx, inputs };
}

function describe(tx: Transaction): string {
  return JSON.stringify(tx, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.from(a).equals(b);
}

function writeItems(count: number, item: Uint8Array): Uint8Array {
  const witness = Array<Uint8Array>(Math.max(1, Math.floor(count))).fill(item);
  return join(0, 0, 2, write(spendOf([witness])));
}

function writeManyInputs(count: number): Uint8Array {
  return join(1, 0, 2, write(spendOf(Array(Math.max(2, Math.floor(count))).fill([new Uint8Array(1)]))));
}

function spendOf(witnesses: readonly Uint8Array[][]): Transaction {
  return {
    version: 2,
    inputs: witnesses.map((witness, i) => ({
      prevTxid: new Uint8Array(32).fill(1),
      prevVout: i,
      scriptSig: new Uint8Array(0),
      sequence: 0,
      witness,
    })),
    outputs,
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
}
