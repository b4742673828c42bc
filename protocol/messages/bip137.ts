import { equalBytes } from '../bytes.ts';
import { hash160, sha256d } from '../hash.ts';
import { recoverPublicKey } from '../secp256k1.ts';
import { createWriter } from '../writer.ts';
import { fault, type MessageVerdict } from './verdict.ts';

/** Bytes of a compact signature with its header. */
export const COMPACT_SIGNATURE_BYTES = 65;
/** Headers from here on: recovery id, plus 4 for a compressed key. */
const FIRST_HEADER = 27;
const LAST_HEADER = 34;

const encoder = new TextEncoder();

/** The digest that `signmessage` of a node signs: double SHA-256 of the coin's magic and the message, both with length. */
export function bip137MessageHash(message: Uint8Array, messageMagic: string): Uint8Array {
  const writer = createWriter(message.length + 64);
  writer.varBytes(encoder.encode(messageMagic));
  writer.varBytes(message);
  return sha256d(writer.finish());
}

/**
 * Verifies a compact signature (BIP-137) for a P2PKH address, given by its public key hash. Headers 27 to 34 only:
 * those above are for segwit, where BIP-322 is the standard. As in nodes, `s` may be high.
 */
export function verifyBip137(
  signature: Uint8Array,
  claim: { publicKeyHash: Uint8Array; message: Uint8Array; messageMagic: string },
): MessageVerdict {
  if (signature.length !== COMPACT_SIGNATURE_BYTES) {
    return fault('malformed', `a compact signature has 65 bytes, received ${signature.length}`);
  }
  const header = signature[0]!;
  if (header < FIRST_HEADER || header > LAST_HEADER) {
    return fault('header', `the header of a compact signature for P2PKH is 27 to 34, received ${header}`);
  }
  const flags = header - FIRST_HEADER;
  const digest = bip137MessageHash(claim.message, claim.messageMagic);
  const publicKey = recoverPublicKey(signature.subarray(1), digest, flags & 3, {
    isCompressed: (flags & 4) !== 0,
  });
  if (publicKey === undefined) return fault('recovery', 'no public key has made this signature');
  if (!equalBytes(hash160(publicKey), claim.publicKeyHash)) {
    return fault('public_key_hash', 'the signature is of another key, or over another message');
  }
  return { ok: true, state: 'valid', form: 'bip137' };
}
