import { concat, doubleSha256, Unreadable } from './bytes.ts';
import { createReader, type Reader } from './reader.ts';

/** An input, as far as the protocols look at it. */
export type Input = {
  readonly prevTxid: Uint8Array;
  readonly prevVout: number;
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
};

export type Output = { readonly value: bigint; readonly script: Uint8Array };

/** Hashes are in internal byte order. */
export type Transaction = {
  readonly txid: Uint8Array;
  /** The hash with witness; the txid where there is none. */
  readonly wtxid: Uint8Array;
  readonly hasWitness: boolean;
  /** Whether it is Litecoin's HogEx, behind which a block has an extension. */
  readonly isHogEx: boolean;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
};

const WITNESS = 1;
/** Of Litecoin: extension data follow the witnesses. In a block only the HogEx has the flag, and a zero byte for them. */
const MWEB = 8;
const LEAST_INPUT = 41;
const LEAST_OUTPUT = 9;

/** Reads one transaction, with or without witness. */
export function readTransaction(reader: Reader): Transaction {
  const start = reader.at();
  reader.u32();
  let flags = 0;
  let bodyFrom = reader.at();
  let inputCount = reader.count(LEAST_INPUT);
  if (inputCount === 0) {
    flags = reader.u8();
    if (flags === 0 || (flags & ~(WITNESS | MWEB)) !== 0)
      throw new Unreadable(`flags ${flags} of a transaction`);
    bodyFrom = reader.at();
    inputCount = reader.count(LEAST_INPUT);
  }
  const inputs = Array.from({ length: inputCount }, () => {
    const [prevTxid, prevVout] = [reader.bytes(32), reader.u32()];
    const scriptSig = reader.bytes(reader.count(1));
    reader.u32();
    return { prevTxid, prevVout, scriptSig };
  });
  const outputs = Array.from({ length: reader.count(LEAST_OUTPUT) }, () => ({
    value: reader.u64(),
    script: reader.bytes(reader.count(1)),
  }));
  const bodyTo = reader.at();
  const hasWitness = (flags & WITNESS) !== 0;
  const witnesses = inputs.map(() =>
    hasWitness ? Array.from({ length: reader.count(1) }, () => reader.bytes(reader.count(1))) : [],
  );
  const witnessTo = reader.at();
  const isHogEx = (flags & MWEB) !== 0;
  if (isHogEx && reader.u8() !== 0) throw new Unreadable('extension data within a transaction');
  const locktime = reader.bytes(4);

  const version = reader.slice(start, start + 4);
  const txid = doubleSha256(version, reader.slice(bodyFrom, bodyTo), locktime);
  const marked = concat(version, Uint8Array.of(0, WITNESS));
  const wtxid = hasWitness ? doubleSha256(marked, reader.slice(bodyFrom, witnessTo), locktime) : txid;
  return {
    txid,
    wtxid,
    hasWitness,
    isHogEx,
    inputs: inputs.map((input, i) => ({ ...input, witness: witnesses[i]! })),
    outputs,
  };
}

/** @throws Unreadable unless the bytes are one transaction, to the last of them. */
export function parseTransaction(bytes: Uint8Array): Transaction {
  const reader = createReader(bytes);
  const tx = readTransaction(reader);
  if (reader.left() > 0) throw new Unreadable('bytes behind a transaction');
  return tx;
}

/** Whether it has one input, that spends the null outpoint. */
export function isCoinbase({ inputs }: Transaction): boolean {
  const [first] = inputs;
  return (
    inputs.length === 1 && first!.prevVout === 0xffff_ffff && first!.prevTxid.every((byte) => byte === 0)
  );
}
