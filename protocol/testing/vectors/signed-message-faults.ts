/**
 * Signatures that break one rule each. Where it can be, all else about them is right: the signature itself is good.
 */

import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import { encodeAddress, pubKeyHashScript } from '../../address.ts';
import { concatBytes } from '../../bytes.ts';
import { hash160, sha256, sha256d } from '../../hash.ts';
import { bip137MessageHash } from '../../messages/bip137.ts';
import { buildToSign, withSatisfaction } from '../../messages/bip322-transactions.ts';
import { type MessageFaultCode, messageFaults } from '../../messages/verdict.ts';
import { OP_CHECKSIG } from '../../opcodes.ts';
import { witnessScript } from '../../script.ts';
import { recoverPublicKey } from '../../secp256k1.ts';
import { legacySighashAll, SIGHASH_DEFAULT, segwitSighashAll, taprootKeySighash } from '../../sighash.ts';
import type { Transaction, TxInput } from '../../transaction.ts';
import { createWriter } from '../../writer.ts';
import {
  fullSignature,
  multisigLock,
  push,
  type Satisfaction,
  signBip137,
  signBip322,
  signEcdsa,
  simpleSignature,
  singleKeyLock,
  type TestLock,
} from '../message-signer.ts';
import { bitcoin } from '../profiles.ts';
import type { SignedMessageVector } from './signed-message-vectors.ts';

const MESSAGE = 'Hello, coin';
const EMPTY = new Uint8Array(0);
const ONE = Uint8Array.of(1);

/** One vector at least of every code in {@link messageFaults}. */
export function faultySignedMessages(keys: readonly Uint8Array[]): SignedMessageVector[] {
  return [
    ...textFaults(keys),
    ...compactFaults(keys),
    ...toSignFaults(keys),
    ...keyFaults(keys),
    ...scriptFaults(keys),
  ];
}

function textFaults([key]: readonly Uint8Array[]): SignedMessageVector[] {
  const lock = singleKeyLock(key!, 'p2wpkh');
  const signature = signBip322(lock, MESSAGE, { form: 'simple' });
  const bytes = base64.decode(signature.slice(3));
  const address = addressOf(lock);
  const full = base64.decode(signBip322(lock, MESSAGE, { form: 'full' }).slice(3));
  const p2pkh = singleKeyLock(key!, 'p2pkh');
  const nested = singleKeyLock(key!, 'p2sh-p2wpkh');
  // 67 bytes: two characters of padding.
  const p2tr = singleKeyLock(key!, 'p2tr', { tapSighash: 1 });
  const padded = signBip322(p2tr, MESSAGE, { form: 'simple' });
  return [
    { ...vector('address', 'a mistyped character', lock, signature), address: `${address.slice(0, -1)}q` },
    { ...vector('address', 'of another coin', lock, signature), address: address.replace('bc1', 'ltc1') },
    {
      ...vector('message', 'longer than 65,536 bytes', lock, signature),
      message: 'a',
      message_times: 65_537,
    },
    vector('signature_text', 'empty', lock, ''),
    vector('signature_text', 'without padding', p2tr, padded.replace(/=+$/, '')),
    vector('signature_text', 'with a line break', lock, `${signature}\n`),
    vector('signature_text', 'with leftover bits', p2tr, padded.replace(/.==$/, leftoverBits)),
    vector('signature_text', 'an unknown prefix', lock, `foo${signature.slice(3)}`),
    vector('form', 'simple for P2PKH', p2pkh, signature),
    vector('form', 'simple for P2SH-P2WPKH', nested, signBip322(nested, MESSAGE, { form: 'simple' })),
    vector('form', 'BIP-137 for P2WPKH', lock, signBip137(key!, MESSAGE, bitcoin)),
    vector(
      'malformed',
      'bytes after the witness stack',
      lock,
      `smp${base64.encode(concatBytes(bytes, ONE))}`,
    ),
    vector('malformed', 'a witness stack that is cut', lock, `smp${base64.encode(bytes.subarray(0, -1))}`),
    vector('malformed', 'bytes after the transaction', lock, `ful${base64.encode(concatBytes(full, ONE))}`),
    vector('malformed', 'a witness stack as full', lock, `ful${base64.encode(bytes)}`),
    vector('malformed', 'a transaction as simple', lock, `smp${base64.encode(full)}`),
    vector(
      'proof_of_funds',
      'a PSBT',
      lock,
      `pof${base64.encode(Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff))}`,
    ),
  ];
}

/** The last base64 digit before `==`, with an unused bit set. */
function leftoverBits(tail: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${digits[digits.indexOf(tail[0]!) | 1]}==`;
}

function compactFaults([key, other]: readonly Uint8Array[]): SignedMessageVector[] {
  const lock = singleKeyLock(key!, 'p2pkh');
  const good = base64.decode(signBip137(key!, MESSAGE, bitcoin));
  const withHeader = (header: number) => base64.encode(concatBytes(Uint8Array.of(header), good.subarray(1)));
  const digest = bip137MessageHash(new TextEncoder().encode(MESSAGE), bitcoin.messageMagic);
  const unrecoverable = good.slice();
  while (recoverPublicKey(unrecoverable.subarray(1), digest, 0, { isCompressed: true }))
    unrecoverable[32]! += 1;
  unrecoverable[0] = 31;
  return [
    vector('malformed', '64 bytes for P2PKH', lock, base64.encode(good.subarray(0, 64))),
    vector('malformed', '66 bytes for P2PKH', lock, base64.encode(concatBytes(good, ONE))),
    vector('header', 'below 27', lock, withHeader(26)),
    vector('header', 'that of P2SH-P2WPKH', lock, withHeader(good[0]! + 4)),
    vector('header', 'that of P2WPKH', lock, withHeader(good[0]! + 8)),
    vector('recovery', 'r is no point of the curve', lock, base64.encode(unrecoverable)),
    vector('public_key_hash', 'BIP-137 by another key', lock, signBip137(other!, MESSAGE, bitcoin)),
    vector('public_key_hash', 'BIP-137 over another message', lock, signBip137(key!, 'Hello', bitcoin)),
    vector('public_key_hash', 'BIP-137, header of the uncompressed key', lock, withHeader(good[0]! - 4)),
  ];
}

function toSignFaults([key]: readonly Uint8Array[]): SignedMessageVector[] {
  const lock = singleKeyLock(key!, 'p2wpkh');
  const signed = (edit: (tx: Transaction) => Transaction) =>
    signBip322(lock, MESSAGE, { form: 'full', edit });
  const editInput = (edit: Partial<TxInput>) =>
    signed((tx) => ({ ...tx, inputs: [{ ...tx.inputs[0]!, ...edit }] }));
  const fixed = { value: 0n, script: Uint8Array.of(0x6a) };
  return [
    vector(
      'malformed',
      'a transaction with an extension part (MWEB)',
      lock,
      signed((tx) => ({ ...tx, mweb: Uint8Array.of(0) })),
    ),
    vector(
      'to_sign_inputs',
      'two inputs',
      lock,
      signed((tx) => ({
        ...tx,
        inputs: [...tx.inputs, { ...tx.inputs[0]!, prevVout: 1 }],
      })),
    ),
    vector('to_spend', 'of another message', lock, signBip322(lock, 'Hello', { form: 'full' })),
    vector('to_spend', 'another output', lock, editInput({ prevVout: 1 })),
    vector(
      'to_sign_output',
      'with a value',
      lock,
      signed((tx) => ({ ...tx, outputs: [{ ...fixed, value: 1n }] })),
    ),
    vector(
      'to_sign_output',
      'another script',
      lock,
      signed((tx) => ({
        ...tx,
        outputs: [{ value: 0n, script: Uint8Array.of(0x6a, 0x00) }],
      })),
    ),
    vector(
      'to_sign_output',
      'two outputs',
      lock,
      signed((tx) => ({ ...tx, outputs: [fixed, fixed] })),
    ),
    vector(
      'version',
      '1',
      lock,
      signed((tx) => ({ ...tx, version: 1 })),
    ),
    vector(
      'version',
      '3',
      lock,
      signed((tx) => ({ ...tx, version: 3 })),
    ),
  ];
}

function keyFaults([key, other]: readonly Uint8Array[]): SignedMessageVector[] {
  const p2pkh = singleKeyLock(key!, 'p2pkh');
  const p2wpkh = singleKeyLock(key!, 'p2wpkh');
  const nested = singleKeyLock(key!, 'p2sh-p2wpkh');
  const p2tr = singleKeyLock(key!, 'p2tr');
  const tapPrevout = { value: 0n, script: p2tr.script };
  const tapDigest = taprootKeySighash(toSignOf(p2tr), 0, [tapPrevout], SIGHASH_DEFAULT);
  const uncompressed = secp256k1.getPublicKey(key!, false);
  const hybrid = concatBytes(Uint8Array.of(6 + (uncompressed[64]! & 1)), uncompressed.subarray(1));
  const withSignature = (change: (signature: Uint8Array) => Uint8Array) =>
    simple(p2wpkh, ({ witness }) => ({ scriptSig: EMPTY, witness: [change(witness[0]!), witness[1]!] }));
  const withTapSignature = (change: (signature: Uint8Array) => Uint8Array) =>
    simple(p2tr, ({ witness }) => ({ scriptSig: EMPTY, witness: [change(witness[0]!)] }));
  const elements = (lock: TestLock, change: (witness: Uint8Array[]) => Uint8Array[]) =>
    simple(lock, ({ witness }) => ({ scriptSig: EMPTY, witness: change(witness) }));
  return [
    vector(
      'script_sig',
      'P2WPKH with a scriptSig',
      p2wpkh,
      full(p2wpkh, (s) => ({ ...s, scriptSig: push(ONE) })),
    ),
    vector(
      'script_sig',
      'P2PKH with three pushes',
      p2pkh,
      full(p2pkh, (s) => ({
        ...s,
        scriptSig: concatBytes(push(EMPTY), s.scriptSig),
      })),
    ),
    vector(
      'script_sig',
      'P2PKH with a push that is not minimal',
      p2pkh,
      full(p2pkh, (s) => ({
        ...s,
        scriptSig: concatBytes(Uint8Array.of(0x4c), s.scriptSig),
      })),
    ),
    vector(
      'script_sig',
      'P2SH-P2WPKH with two pushes',
      nested,
      full(nested, (s) => ({
        ...s,
        scriptSig: concatBytes(push(EMPTY), s.scriptSig),
      })),
    ),
    vector(
      'witness',
      'P2PKH with a witness',
      p2pkh,
      full(p2pkh, (s) => ({ ...s, witness: [EMPTY] })),
    ),
    vector('witness', 'P2WPKH, empty', p2wpkh, simpleSignature([])),
    vector(
      'witness',
      'P2WPKH, three elements',
      p2wpkh,
      elements(p2wpkh, (witness) => [EMPTY, ...witness]),
    ),
    vector('witness', 'P2TR, empty', p2tr, simpleSignature([])),
    vector('public_key', 'uncompressed in P2WPKH', ...uncompressedWitness(key!, uncompressed)),
    vector('public_key', 'hybrid in P2PKH', ...hybridKey(key!, hybrid)),
    vector(
      'public_key_hash',
      'of another key',
      p2wpkh,
      withSatisfactionOf(p2wpkh, singleKeyLock(other!, 'p2wpkh')),
    ),
    vector('signature_encoding', 'DER with a longer r than needed', p2wpkh, withSignature(padR)),
    vector(
      'signature_encoding',
      'without sighash byte',
      p2wpkh,
      withSignature((s) => s.subarray(0, -1)),
    ),
    vector(
      'signature_encoding',
      'empty',
      p2wpkh,
      withSignature(() => EMPTY),
    ),
    vector(
      'signature_encoding',
      'Schnorr of 63 bytes',
      p2tr,
      withTapSignature((s) => s.subarray(0, 63)),
    ),
    vector('sighash', 'SINGLE in P2WPKH', ...singleSighash(key!)),
    vector(
      'sighash',
      '0 in P2WPKH',
      p2wpkh,
      withSignature((s) => concatBytes(s.subarray(0, -1), Uint8Array.of(0))),
    ),
    vector(
      'sighash',
      'DEFAULT as a byte of its own',
      p2tr,
      withTapSignature((s) => concatBytes(s, Uint8Array.of(0))),
    ),
    vector(
      'sighash',
      'NONE in P2TR',
      p2tr,
      withTapSignature((s) => concatBytes(s, Uint8Array.of(2))),
    ),
    vector('high_s', 'in P2WPKH', p2wpkh, withSignature(negateS)),
    vector(
      'signature_mismatch',
      'P2WPKH over another message',
      p2wpkh,
      signBip322(p2wpkh, 'Hello', { form: 'simple' }),
    ),
    vector(
      'signature_mismatch',
      'P2TR over another message',
      p2tr,
      signBip322(p2tr, 'Hello', { form: 'simple' }),
    ),
    vector(
      'signature_mismatch',
      'P2TR by the internal key',
      p2tr,
      withTapSignature(() => schnorr.sign(tapDigest, key!, new Uint8Array(32))),
    ),
    vector(
      'annex',
      'P2TR',
      p2tr,
      elements(p2tr, (witness) => [...witness, Uint8Array.of(0x50)]),
    ),
    vector(
      'script_path',
      'P2TR',
      p2tr,
      elements(p2tr, () => [
        Uint8Array.of(0x51),
        concatBytes(Uint8Array.of(0xc0), schnorr.getPublicKey(key!)),
      ]),
    ),
  ];
}

function scriptFaults(keys: readonly Uint8Array[]): SignedMessageVector[] {
  const p2sh = multisigLock(keys, 'p2sh', [0, 2]);
  const p2wsh = multisigLock(keys, 'p2wsh', [0, 2]);
  const otherP2sh = multisigLock(keys, 'p2sh', [0]);
  const otherP2wsh = multisigLock(keys, 'p2wsh', [0]);
  const publicKeys = keys.map((key) => secp256k1.getPublicKey(key, true));
  const padded = concatBytes(
    Uint8Array.of(0x51, 0x4c, 33),
    publicKeys[0]!,
    ...publicKeys.slice(1).map(push),
    Uint8Array.of(0x53, 0xae),
  );
  const keyScript = concatBytes(push(publicKeys[0]!), Uint8Array.of(OP_CHECKSIG));
  const ofKeyScript = lockOf(witnessScript(0, sha256(keyScript)), (tx) => {
    const digest = segwitSighashAll(tx, 0, { scriptCode: keyScript, value: 0n });
    return { scriptSig: EMPTY, witness: [signEcdsa(digest, keys[0]!), keyScript] };
  });
  const edited = (change: (witness: Uint8Array[]) => Uint8Array[]) =>
    simple(p2wsh, ({ witness }) => ({ scriptSig: EMPTY, witness: change(witness) }));
  const version16 = lockOf(witnessScript(16, sha256(EMPTY)), () => ({ scriptSig: EMPTY, witness: [] }));
  const version1 = lockOf(witnessScript(1, sha256(EMPTY).subarray(1)), () => ({
    scriptSig: EMPTY,
    witness: [],
  }));
  return [
    vector(
      'script_sig',
      'P2SH, empty',
      p2sh,
      full(p2sh, (s) => ({ ...s, scriptSig: EMPTY })),
    ),
    vector('script_hash', 'P2SH with another redeem script', p2sh, withSatisfactionOf(p2sh, otherP2sh)),
    vector('script_hash', 'P2WSH with another witness script', p2wsh, withSatisfactionOf(p2wsh, otherP2wsh)),
    vector(
      'minimal_push',
      'a key in a witness script',
      ...signedBy(multisigLock(keys, 'p2wsh', [0], padded)),
    ),
    vector(
      'multisig_dummy',
      'P2WSH',
      p2wsh,
      edited(([, ...rest]) => [ONE, ...rest]),
    ),
    vector(
      'multisig_dummy',
      'P2SH',
      p2sh,
      full(p2sh, ({ scriptSig, witness }) => ({
        scriptSig: concatBytes(Uint8Array.of(0x51), scriptSig.subarray(1)),
        witness,
      })),
    ),
    vector(
      'witness',
      '2 of 3 with one signature',
      p2wsh,
      edited(([dummy, first, , script]) => [dummy!, first!, script!]),
    ),
    vector(
      'witness',
      '2 of 3 with three signatures',
      p2wsh,
      edited(([dummy, first, second, script]) => [dummy!, first!, first!, second!, script!]),
    ),
    vector(
      'signature_mismatch',
      '2 of 3 with one signature twice',
      p2wsh,
      edited(([dummy, first, , script]) => [dummy!, first!, first!, script!]),
    ),
    vector(
      'signature_mismatch',
      '2 of 3 in another order',
      p2wsh,
      edited(([dummy, first, second, script]) => [dummy!, second!, first!, script!]),
    ),
    vector('script', 'a key and CHECKSIG in P2WSH', ...signedBy(ofKeyScript)),
    vector('witness_version', '16', ...signedBy(version16)),
    vector('witness_version', '1 with 31 bytes', ...signedBy(version1)),
  ];
}

function vector(
  code: MessageFaultCode,
  name: string,
  lock: TestLock,
  signature: string,
): SignedMessageVector {
  return {
    name: `${code}: ${name}`,
    address: addressOf(lock),
    message: MESSAGE,
    signature,
    state: messageFaults[code].state,
    code,
  };
}

function addressOf({ script }: TestLock): string {
  return encodeAddress(script, bitcoin)!;
}

function lockOf(script: Uint8Array, satisfy: TestLock['satisfy']): TestLock {
  return { script, satisfy };
}

function signedBy(lock: TestLock): [TestLock, string] {
  return [lock, signBip322(lock, MESSAGE, { form: 'simple' })];
}

function toSignOf({ script }: TestLock): Transaction {
  return buildToSign({ script, message: new TextEncoder().encode(MESSAGE) });
}

function simple(lock: TestLock, change: (good: Satisfaction) => Satisfaction): string {
  return simpleSignature(change(lock.satisfy(toSignOf(lock), { value: 0n, script: lock.script })).witness);
}

function full(lock: TestLock, change: (good: Satisfaction) => Satisfaction): string {
  const toSign = toSignOf(lock);
  return fullSignature(
    withSatisfaction(toSign, change(lock.satisfy(toSign, { value: 0n, script: lock.script }))),
  );
}

/** The first lock's `to_sign`, signed as if it were the second's. */
function withSatisfactionOf(lock: TestLock, other: TestLock): string {
  const toSign = toSignOf(lock);
  return fullSignature(withSatisfaction(toSign, other.satisfy(toSign, { value: 0n, script: other.script })));
}

function uncompressedWitness(key: Uint8Array, publicKey: Uint8Array): [TestLock, string] {
  const hash = hash160(publicKey);
  return signedBy(
    lockOf(witnessScript(0, hash), (tx) => {
      const digest = segwitSighashAll(tx, 0, { scriptCode: pubKeyHashScript(hash), value: 0n });
      return { scriptSig: EMPTY, witness: [signEcdsa(digest, key), publicKey] };
    }),
  );
}

function hybridKey(key: Uint8Array, publicKey: Uint8Array): [TestLock, string] {
  const script = pubKeyHashScript(hash160(publicKey));
  const lock = lockOf(script, (tx) => ({
    scriptSig: concatBytes(push(signEcdsa(legacySighashAll(tx, 0, script), key)), push(publicKey)),
    witness: [],
  }));
  return [lock, signBip322(lock, MESSAGE, { form: 'full' })];
}

/** P2WPKH with a signature that BIP-143 takes for SINGLE: no sequences, one output. */
function singleSighash(key: Uint8Array): [TestLock, string] {
  const lock = singleKeyLock(key, 'p2wpkh');
  const { version, inputs, outputs, locktime } = toSignOf(lock);
  const { prevTxid, prevVout, sequence } = inputs[0]!;
  const outpoint = createWriter();
  outpoint.bytes(prevTxid);
  outpoint.u32(prevVout);
  const output = createWriter();
  output.u64(outputs[0]!.value);
  output.varBytes(outputs[0]!.script);
  const writer = createWriter();
  writer.u32(version);
  writer.bytes(sha256d(outpoint.finish()));
  writer.bytes(new Uint8Array(32));
  writer.bytes(outpoint.finish());
  writer.varBytes(pubKeyHashScript(lock.script.subarray(2)));
  writer.u64(0n);
  writer.u32(sequence);
  writer.bytes(sha256d(output.finish()));
  writer.u32(locktime);
  writer.u32(3);
  const signature = signEcdsa(sha256d(writer.finish()), key);
  signature[signature.length - 1] = 3;
  return [lock, simpleSignature([signature, secp256k1.getPublicKey(key, true)])];
}

/** The same signature with s negated: as good to the curve, but high. */
function negateS(signature: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der');
  const high = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s).toBytes('der');
  return concatBytes(high, signature.subarray(-1));
}

/** The same DER signature with one more zero before r. */
function padR(signature: Uint8Array): Uint8Array {
  return Uint8Array.of(0x30, signature[1]! + 1, 0x02, signature[3]! + 1, 0, ...signature.subarray(4));
}
