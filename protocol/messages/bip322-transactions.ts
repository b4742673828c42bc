import { concatBytes } from '../bytes.ts';
import { taggedHash } from '../hash.ts';
import { OP_0, OP_RETURN } from '../opcodes.ts';
import { type Transaction, txidOf } from '../transaction.ts';

const NULL_PREVOUT_INDEX = 0xffffffff;

/** What is proven: that whoever can satisfy the script has signed the message (its bytes, as they are). */
export type MessageClaim = { script: Uint8Array; message: Uint8Array };

/** BIP-322's hash of a message: tagged, without length prefix. */
export function bip322MessageHash(message: Uint8Array): Uint8Array {
  return taggedHash('BIP0322-signed-message', message);
}

/** BIP-322's virtual transaction `to_spend`, whose only output has the script that is proven. */
export function buildToSpend({ script, message }: MessageClaim): Transaction {
  const hash = bip322MessageHash(message);
  return {
    version: 0,
    inputs: [
      {
        prevTxid: new Uint8Array(32),
        prevVout: NULL_PREVOUT_INDEX,
        scriptSig: concatBytes(Uint8Array.of(OP_0, hash.length), hash),
        sequence: 0,
        witness: [],
      },
    ],
    outputs: [{ value: 0n, script }],
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
}

/** BIP-322's virtual transaction `to_sign` with its default values, not yet signed. */
export function buildToSign(claim: MessageClaim): Transaction {
  return {
    version: 0,
    inputs: [
      {
        prevTxid: txidOf(buildToSpend(claim)),
        prevVout: 0,
        scriptSig: new Uint8Array(0),
        sequence: 0,
        witness: [],
      },
    ],
    outputs: [{ value: 0n, script: Uint8Array.of(OP_RETURN) }],
    locktime: 0,
    hasWitness: false,
    mweb: undefined,
  };
}

/** The same `to_sign` with what satisfies its first input. */
export function withSatisfaction(
  toSign: Transaction,
  { scriptSig, witness }: { scriptSig: Uint8Array; witness: Uint8Array[] },
): Transaction {
  const [input, ...others] = toSign.inputs;
  const inputs = [{ ...input!, scriptSig, witness }, ...others];
  return { ...toSign, inputs, hasWitness: witness.length > 0 };
}
