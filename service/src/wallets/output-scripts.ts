/** scriptPubKeys of public keys, by what wallets and descriptors call their kinds. */

import type { DerivedScriptType } from '@coinfront/api/merchants.ts';
import { pubKeyHashScript, scriptHashScript } from '@coinfront/protocol/address.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { hash160, sha256, taggedHash } from '@coinfront/protocol/hash.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';

const OP_1 = 0x51;
const OP_CHECKMULTISIG = 0xae;

/** The script of one compressed public key (BIP-44, 49, 84, 86). */
export function scriptOfKey(publicKey: Uint8Array, scriptType: DerivedScriptType): Uint8Array {
  switch (scriptType) {
    case 'p2pkh':
      return pubKeyHashScript(hash160(publicKey));
    case 'p2wpkh':
      return witnessScript(0, hash160(publicKey));
    case 'p2sh-p2wpkh':
      return scriptHashScript(hash160(witnessScript(0, hash160(publicKey))));
    case 'p2tr':
      return witnessScript(1, tweakKey(publicKey));
  }
}

/** The script that checks a multisig: `m <key> … n OP_CHECKMULTISIG`, keys in the order given. */
export function multisigScript(threshold: number, publicKeys: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    pushSmall(threshold),
    ...publicKeys.map((key) => concatBytes(Uint8Array.of(key.length), key)),
    pushSmall(publicKeys.length),
    Uint8Array.of(OP_CHECKMULTISIG),
  );
}

/** Up to 16 there is an opcode for a number; above it is pushed as a byte. */
function pushSmall(number: number): Uint8Array {
  return number <= 16 ? Uint8Array.of(OP_1 + number - 1) : Uint8Array.of(1, number);
}

/** Hides a script behind its hash: P2SH, P2WSH, or P2WSH in P2SH. */
export function wrapScript(script: Uint8Array, kind: 'p2sh' | 'p2wsh' | 'p2sh-p2wsh'): Uint8Array {
  if (kind === 'p2sh') return scriptHashScript(hash160(script));
  const witness = witnessScript(0, sha256(script));
  return kind === 'p2wsh' ? witness : scriptHashScript(hash160(witness));
}

/** BIP-86: the output key commits to no script, P + H_TapTweak(P) * G (BIP-341). */
function tweakKey(publicKey: Uint8Array): Uint8Array {
  const internalKey = publicKey.subarray(1);
  const { bytesToNumber, order } = scalars;
  const tweak = bytesToNumber(taggedHash('TapTweak', internalKey)) % order;
  const point = schnorr.utils.lift_x(bytesToNumber(internalKey)).add(secp256k1.Point.BASE.multiply(tweak));
  return point.toBytes(true).subarray(1);
}

const scalars = {
  order: secp256k1.Point.Fn.ORDER,
  bytesToNumber: (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`),
};
