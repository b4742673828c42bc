/** Reads a transaction with a part of its witness: it may have millions of items, most of which nobody asked for. */

import { createReader } from './reader.ts';
import { fail, ok, type Result } from './result.ts';
import {
  isMinedHogEx,
  readTransaction,
  type Transaction,
  type TransactionSizes,
  transactionSizes,
} from './transaction.ts';

const LOCKTIME_BYTES = 4;

/** The items to read: from one of an input on, and so many in all. */
export type WitnessPart = { readonly input: number; readonly item: number; readonly most: number };

/** No item at all: what a txid is made of. A million empty ones take the thread 5 ms instead of 60. */
export const noWitness: WitnessPart = { input: 0, item: 0, most: 0 };

/** A transaction of which only some witness items were read. Serialising it does not give its bytes. */
export type TransactionPart = {
  readonly tx: Transaction;
  /** How many items each input has; empty where none has any. */
  readonly witnessCounts: readonly number[];
  /** Where the witnesses begin in the bytes; undefined where there are none. */
  readonly witnessesAt: number | undefined;
};

/** As `parseTransaction`, with only a part of the witness items in it. */
export function parseTransactionPart(bytes: Uint8Array, part: WitnessPart): Result<TransactionPart> {
  const witnessCounts: number[] = [];
  let witnessesAt: number | undefined;
  const reader = createReader(bytes);
  const tx = readTransaction(reader, {
    fillsInput: true,
    readWitnesses(inputs) {
      witnessesAt = reader.position;
      let left = part.most;
      let items = 0;
      for (const [at, { witness }] of inputs.entries()) {
        const count = reader.count(1);
        witnessCounts.push(count);
        const first = at < part.input ? count : at === part.input ? Math.min(part.item, count) : 0;
        reader.skipVarSlices(first);
        const taken = Math.min(left, count - first);
        for (let i = 0; i < taken && reader.failure === undefined; i++) witness.push(reader.varSlice());
        left -= taken;
        reader.skipVarSlices(count - first - taken);
        items += count;
      }
      if (items === 0) reader.reject('transaction has a superfluous witness record');
    },
  });
  if (!tx.ok) return tx;
  if (reader.remaining > 0) return fail(`transaction is followed by ${reader.remaining} more bytes`);
  return ok({ tx: tx.value, witnessCounts, witnessesAt });
}

/**
 * The witness items of all inputs, in order, each read when it is asked for: millions of them are never in memory together.
 *
 * @param bytes those that the part was read from
 */
export function* listWitnessItems(
  bytes: Uint8Array,
  { witnessCounts, witnessesAt }: Pick<TransactionPart, 'witnessCounts' | 'witnessesAt'>,
): Generator<Uint8Array, undefined> {
  if (witnessesAt === undefined) return;
  const reader = createReader(bytes, witnessesAt);
  for (const count of witnessCounts) {
    reader.count(1);
    for (let i = 0; i < count; i++) yield reader.varSlice();
  }
}

/**
 * What the txid is of, of bytes that were checked when they came: witnesses are stepped over unread, in no time however many items
 * they have. In bytes with an MWEB part, which has no length of its own, they are stepped over one by one.
 */
export function parseCheckedStripped(bytes: Uint8Array): Result<Transaction> {
  if (isMinedHogEx(bytes)) {
    const part = parseTransactionPart(bytes, noWitness);
    return part.ok ? ok({ ...part.value.tx, hasWitness: false }) : part;
  }
  const reader = createReader(bytes);
  const tx = readTransaction(reader, {
    readWitnesses: () => reader.skip(Math.max(0, reader.remaining - LOCKTIME_BYTES)),
  });
  return tx.ok ? ok({ ...tx.value, hasWitness: false }) : tx;
}

/** `transactionSizes` of a transaction of which a part was read from `bytes`. */
export function sizesOfPart(bytes: Uint8Array, { tx }: TransactionPart): TransactionSizes {
  const { strippedSize } = transactionSizes({ ...tx, hasWitness: false, mweb: undefined });
  const markerBytes = tx.hasWitness ? 0 : 2;
  const mwebBytes = tx.mweb === undefined ? 0 : tx.mweb.length + markerBytes;
  const weight = strippedSize * 3 + bytes.length - mwebBytes;
  return { size: bytes.length, strippedSize, weight, vsize: Math.ceil(weight / 4) };
}

/** The bytes that `wtxidOf` hashes of a transaction with a witness and an MWEB part: all but that part. */
export function withoutMweb(bytes: Uint8Array, mwebLength: number): Uint8Array {
  const end = bytes.length - LOCKTIME_BYTES;
  const kept = new Uint8Array(bytes.length - mwebLength);
  kept.set(bytes.subarray(0, end - mwebLength));
  kept.set(bytes.subarray(end), end - mwebLength);
  // The flags: a witness and nothing else.
  kept[5] = 1;
  return kept;
}
