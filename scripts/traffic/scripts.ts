import { concatBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { Random } from './random.ts';

const OP_0 = Uint8Array.of(0x00);
const OP_1 = Uint8Array.of(0x51);

/** Standard scripts of nobody: P2PKH, P2SH, P2WPKH, P2WSH and P2TR. */
export const relayedScripts: ReadonlyArray<(random: Random) => Uint8Array> = [
  (random) => concatBytes(Uint8Array.of(0x76, 0xa9, 20), random.bytes(20), Uint8Array.of(0x88, 0xac)),
  (random) => concatBytes(Uint8Array.of(0xa9, 20), random.bytes(20), Uint8Array.of(0x87)),
  (random) => concatBytes(OP_0, Uint8Array.of(20), random.bytes(20)),
  (random) => concatBytes(OP_0, Uint8Array.of(32), random.bytes(32)),
  (random) => concatBytes(OP_1, Uint8Array.of(32), random.bytes(32)),
];

/** The witness script `<number> DROP 1`: anyone may spend it, and each number is another address. */
export function anyoneWitnessScript(random: Random): Uint8Array {
  return concatBytes(Uint8Array.of(4), random.bytes(4), Uint8Array.of(0x75, 0x51));
}

/** P2WSH of a witness script (BIP-141). */
export function p2wshOf(witnessScript: Uint8Array): Uint8Array {
  return concatBytes(OP_0, Uint8Array.of(32), sha256(witnessScript));
}

/** A data carrier of one direct push, at most 75 bytes. */
export function dataScript(payload: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x6a, payload.length), payload);
}

/** A data carrier as the proof protocol wants it: marker `56504631` and a digest. */
export function proofScript(random: Random): Uint8Array {
  return dataScript(concatBytes(getHexBytes('56504631'), random.bytes(32)));
}

/** Pay to public key. */
export function p2pkScript(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(publicKey.length), publicKey, Uint8Array.of(0xac));
}

/** One of two public keys, without an address. */
export function bareMultisigScript(first: Uint8Array, second: Uint8Array): Uint8Array {
  const push = (key: Uint8Array) => concatBytes(Uint8Array.of(key.length), key);
  return concatBytes(OP_1, push(first), push(second), Uint8Array.of(0x52, 0xae));
}

/** Scripts that nodes do not relay but that blocks may hold. */
export const oddScripts: ReadonlyArray<(random: Random) => Uint8Array> = [
  // A witness version of the future, and pay-to-anchor.
  (random) => concatBytes(Uint8Array.of(0x52, 32), random.bytes(32)),
  () => Uint8Array.of(0x51, 0x02, 0x4e, 0x73),
  () => new Uint8Array(0),
  () => OP_1,
  // A push that runs past the end, data carriers of two pushes and of none, a bare hash lock, 10,001 bytes.
  () => Uint8Array.of(0x4c, 0xff, 0x01),
  (random) => concatBytes(Uint8Array.of(0x6a, 2), random.bytes(2), Uint8Array.of(3), random.bytes(3)),
  () => Uint8Array.of(0x6a),
  (random) => concatBytes(Uint8Array.of(0xa8, 32), random.bytes(32), Uint8Array.of(0x87)),
  () => new Uint8Array(10_001).fill(0x51),
];
