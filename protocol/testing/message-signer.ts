/**
 * Signs messages and inputs for tests and published vectors. Keys are given by whoever calls; the service never
 * signs and never imports this file. Signatures are deterministic: RFC 6979, and BIP-340 without auxiliary data.
 */

import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import { pubKeyHashScript, scriptHashScript } from '../address.ts';
import { concatBytes } from '../bytes.ts';
import { hash160, sha256, taggedHash } from '../hash.ts';
import { bip137MessageHash } from '../messages/bip137.ts';
import { buildToSign, withSatisfaction } from '../messages/bip322-transactions.ts';
import { OP_1, OP_CHECKMULTISIG, OP_PUSHDATA1 } from '../opcodes.ts';
import { witnessScript } from '../script.ts';
import {
  legacySighashAll,
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  segwitSighashAll,
  taprootKeySighash,
} from '../sighash.ts';
import { serializeTransaction, type Transaction, type TxOutput } from '../transaction.ts';
import { createWriter } from '../writer.ts';

/** What satisfies an input. */
export type Satisfaction = { scriptSig: Uint8Array; witness: Uint8Array[] };

/** A scriptPubKey with the keys to it. `satisfy` signs input 0 of a transaction that spends such an output there. */
export type TestLock = {
  readonly script: Uint8Array;
  satisfy(tx: Transaction, prevout: TxOutput): Satisfaction;
};

/** The kinds of address that one key has. */
export const singleKeyKinds = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2tr'] as const;
export type SingleKeyKind = (typeof singleKeyKinds)[number];

export const multisigKinds = ['p2sh', 'p2wsh', 'p2sh-p2wsh'] as const;
export type MultisigKind = (typeof multisigKinds)[number];

const EMPTY = new Uint8Array(0);

/** The minimal push of up to 520 bytes that are no small number. */
export function push(data: Uint8Array): Uint8Array {
  if (data.length === 0) return Uint8Array.of(0);
  if (data.length < OP_PUSHDATA1) return concatBytes(Uint8Array.of(data.length), data);
  return data.length <= 0xff
    ? concatBytes(Uint8Array.of(0x4c, data.length), data)
    : concatBytes(Uint8Array.of(0x4d, data.length & 0xff, data.length >> 8), data);
}

/** The strict DER signature of type ALL, with a low s. */
export function signEcdsa(digest: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const der = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'der' });
  return concatBytes(der, Uint8Array.of(SIGHASH_ALL));
}

/** The lock of one key; `isCompressed: false` is for P2PKH alone. P2TR is that of BIP-86, without script tree. */
export function singleKeyLock(
  privateKey: Uint8Array,
  kind: SingleKeyKind,
  { isCompressed = true, tapSighash = SIGHASH_DEFAULT as typeof SIGHASH_DEFAULT | typeof SIGHASH_ALL } = {},
): TestLock {
  const publicKey = secp256k1.getPublicKey(privateKey, isCompressed);
  const hash = hash160(publicKey);
  const program = witnessScript(0, hash);
  switch (kind) {
    case 'p2pkh': {
      const script = pubKeyHashScript(hash);
      return {
        script,
        satisfy: (tx) => ({
          scriptSig: concatBytes(
            push(signEcdsa(legacySighashAll(tx, 0, script), privateKey)),
            push(publicKey),
          ),
          witness: [],
        }),
      };
    }
    case 'p2wpkh':
    case 'p2sh-p2wpkh': {
      const isNested = kind === 'p2sh-p2wpkh';
      return {
        script: isNested ? scriptHashScript(hash160(program)) : program,
        satisfy: (tx, { value }) => {
          const digest = segwitSighashAll(tx, 0, { scriptCode: pubKeyHashScript(hash), value });
          return {
            scriptSig: isNested ? push(program) : EMPTY,
            witness: [signEcdsa(digest, privateKey), publicKey],
          };
        },
      };
    }
    case 'p2tr': {
      const tweaked = tweakPrivateKey(privateKey);
      return {
        script: witnessScript(1, schnorr.getPublicKey(tweaked)),
        satisfy: (tx, prevout) => {
          const digest = taprootKeySighash(tx, 0, [prevout], tapSighash);
          const signature = schnorr.sign(digest, tweaked, new Uint8Array(32));
          const suffix = tapSighash === SIGHASH_DEFAULT ? EMPTY : Uint8Array.of(tapSighash);
          return { scriptSig: EMPTY, witness: [concatBytes(signature, suffix)] };
        },
      };
    }
  }
}

/** BIP-341's secret key of an output whose internal key is this one, without script tree. */
function tweakPrivateKey(privateKey: Uint8Array): Uint8Array {
  const order = secp256k1.Point.CURVE().n;
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  const secret = toNumber(privateKey);
  const even = publicKey[0] === 2 ? secret : order - secret;
  const tweaked = (even + toNumber(taggedHash('TapTweak', publicKey.subarray(1)))) % order;
  return Uint8Array.from({ length: 32 }, (_, i) => Number((tweaked >> BigInt(8 * (31 - i))) & 0xffn));
}

function toNumber(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
}

/** The script of CHECKMULTISIG for up to 16 keys. */
export function multisigScript(required: number, publicKeys: readonly Uint8Array[]): Uint8Array {
  return concatBytes(
    Uint8Array.of(OP_1 - 1 + required),
    ...publicKeys.map(push),
    Uint8Array.of(OP_1 - 1 + publicKeys.length, OP_CHECKMULTISIG),
  );
}

/**
 * The lock of m keys of n, signed by the keys at the indexes of `signers`. `script` replaces the CHECKMULTISIG
 * script of these keys.
 */
export function multisigLock(
  privateKeys: readonly Uint8Array[],
  kind: MultisigKind,
  signers: readonly number[],
  script = multisigScript(
    signers.length,
    privateKeys.map((key) => secp256k1.getPublicKey(key, true)),
  ),
): TestLock {
  const sign = (digest: Uint8Array) => signers.map((index) => signEcdsa(digest, privateKeys[index]!));
  if (kind === 'p2sh') {
    return {
      script: scriptHashScript(hash160(script)),
      satisfy: (tx) => {
        const stack = [EMPTY, ...sign(legacySighashAll(tx, 0, script)), script];
        return { scriptSig: concatBytes(...stack.map(push)), witness: [] };
      },
    };
  }
  const program = witnessScript(0, sha256(script));
  const isNested = kind === 'p2sh-p2wsh';
  return {
    script: isNested ? scriptHashScript(hash160(program)) : program,
    satisfy: (tx, { value }) => ({
      scriptSig: isNested ? push(program) : EMPTY,
      witness: [EMPTY, ...sign(segwitSighashAll(tx, 0, { scriptCode: script, value })), script],
    }),
  };
}

/** The bytes of a witness stack, as the simple form has them. */
export function serializeWitness(witness: readonly Uint8Array[]): Uint8Array {
  const writer = createWriter(128);
  writer.compactSize(witness.length);
  for (const item of witness) writer.varBytes(item);
  return writer.finish();
}

/** The text of a full signature. */
export function fullSignature(toSign: Transaction): string {
  return `ful${base64.encode(serializeTransaction(toSign, { witness: true }))}`;
}

/** The text of a simple signature. */
export function simpleSignature(witness: readonly Uint8Array[]): string {
  return `smp${base64.encode(serializeWitness(witness))}`;
}

/**
 * Signs a message by BIP-322. The simple form is for native segwit; `edit` changes `to_sign` before it is signed,
 * for time locks and for what no verifier may take.
 */
export function signBip322(
  lock: TestLock,
  message: string,
  { form, edit = (tx) => tx }: { form: 'simple' | 'full'; edit?: (tx: Transaction) => Transaction },
): string {
  const unsigned = edit(buildToSign({ script: lock.script, message: new TextEncoder().encode(message) }));
  const satisfaction = lock.satisfy(unsigned, { value: 0n, script: lock.script });
  return form === 'simple'
    ? simpleSignature(satisfaction.witness)
    : fullSignature(withSatisfaction(unsigned, satisfaction));
}

/** Signs a message by BIP-137 for the P2PKH address of the key. */
export function signBip137(
  privateKey: Uint8Array,
  message: string,
  { messageMagic }: { messageMagic: string },
  { isCompressed = true } = {},
): string {
  const digest = bip137MessageHash(new TextEncoder().encode(message), messageMagic);
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'recovered' });
  const header = 27 + signature[0]! + (isCompressed ? 4 : 0);
  return base64.encode(concatBytes(Uint8Array.of(header), signature.subarray(1)));
}
