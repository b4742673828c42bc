import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAddress, pubKeyHashScript } from '../address.ts';
import { concatBytes } from '../bytes.ts';
import { hash160 } from '../hash.ts';
import { witnessScript } from '../script.ts';
import { damagedArbitrary } from '../testing/arbitraries.ts';
import {
  type MultisigKind,
  multisigKinds,
  multisigLock,
  type SingleKeyKind,
  signBip137,
  signBip322,
  singleKeyKinds,
  singleKeyLock,
} from '../testing/message-signer.ts';
import { bitcoin, regtest } from '../testing/profiles.ts';
import { verifySignedMessage } from './verify-signed-message.ts';

const privateKeyArbitrary = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter(secp256k1.utils.isValidSecretKey);
const messageArbitrary = fc.string({ unit: 'binary', maxLength: 200 });

const KEY = new Uint8Array(32).fill(7);
const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const MESSAGE = 'Coinfront';

const isNative = (kind: SingleKeyKind | MultisigKind): boolean =>
  !kind.startsWith('p2sh') && kind !== 'p2pkh';
const addressOf = (script: Uint8Array): string => encodeAddress(script, regtest)!;
const keyHashAddress = (privateKey: Uint8Array, isCompressed = true): string =>
  addressOf(pubKeyHashScript(hash160(secp256k1.getPublicKey(privateKey, isCompressed))));
const verify = (address: string, message: string, signature: string) =>
  verifySignedMessage(address, message, signature, regtest);

/** One good signature of every kind and form. */
const SIGNED = [
  ...singleKeyKinds.map((kind) => ({ name: kind, lock: singleKeyLock(KEY, kind) })),
  { name: 'p2tr' as const, lock: singleKeyLock(KEY, 'p2tr', { tapSighash: 1 }) },
  ...multisigKinds.map((kind) => ({ name: kind, lock: multisigLock(KEYS, kind, [0, 2]) })),
].flatMap(({ name, lock }) =>
  (['simple', 'full'] as const)
    .filter((form) => form === 'full' || isNative(name))
    .map((form) => ({
      name: `${name} ${form}`,
      address: addressOf(lock.script),
      signature: signBip322(lock, MESSAGE, { form }),
    })),
);
const COMPACT = [true, false].map((isCompressed) => ({
  name: `BIP-137 ${isCompressed ? 'compressed' : 'uncompressed'}`,
  address: keyHashAddress(KEY, isCompressed),
  signature: signBip137(KEY, MESSAGE, regtest, { isCompressed }),
}));

describe('verifySignedMessage', () => {
  test.each(singleKeyKinds)('%s: what any key signs of any message verifies', (kind) => {
    fc.assert(
      fc.property(privateKeyArbitrary, messageArbitrary, fc.boolean(), (key, message, prefersFull) => {
        const lock = singleKeyLock(key, kind);
        const form = prefersFull || !isNative(kind) ? 'full' : 'simple';
        const signature = signBip322(lock, message, { form });
        const verdict = verify(addressOf(lock.script), message, signature);
        expect(verdict).toEqual({ ok: true, state: 'valid', form: `bip322_${form}` });
        expect(verify(addressOf(lock.script), `${message}.`, signature)).toMatchObject({ state: 'invalid' });
      }),
      { numRuns: 25 },
    );
  });

  test.each([true, false])(
    'BIP-137, compressed key %s: what any key signs of any message verifies',
    (isCompressed) => {
      fc.assert(
        fc.property(privateKeyArbitrary, messageArbitrary, (key, message) => {
          const address = keyHashAddress(key, isCompressed);
          const signature = signBip137(key, message, regtest, { isCompressed });
          expect(verify(address, message, signature)).toEqual({ ok: true, state: 'valid', form: 'bip137' });
          expect(verify(address, `${message}.`, signature)).toMatchObject({ code: 'public_key_hash' });
          const otherCoin = encodeAddress(
            pubKeyHashScript(hash160(secp256k1.getPublicKey(key, isCompressed))),
            bitcoin,
          )!;
          expect(verifySignedMessage(otherCoin, message, signature, bitcoin)).toMatchObject({
            code: 'public_key_hash',
          });
        }),
        { numRuns: 25 },
      );
    },
  );

  test.each(multisigKinds)('%s: exactly m of n keys in their order verify, no fewer, no others', (kind) => {
    for (const signers of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const lock = multisigLock(KEYS, kind, signers);
      const signature = signBip322(lock, MESSAGE, { form: 'full' });
      expect(verify(addressOf(lock.script), MESSAGE, signature)).toMatchObject({ ok: true });
    }
    for (const signers of [
      [1, 0],
      [1, 1],
    ]) {
      const lock = multisigLock(KEYS, kind, signers);
      const signature = signBip322(lock, MESSAGE, { form: 'full' });
      expect(verify(addressOf(lock.script), MESSAGE, signature)).toMatchObject({
        code: 'signature_mismatch',
      });
    }
  });

  test.each(['p2sh-p2wpkh', 'p2sh-p2wsh'] as const)(
    '%s: the simple form of the drafts, without prefix, verifies',
    (kind) => {
      const lock = kind === 'p2sh-p2wpkh' ? singleKeyLock(KEY, kind) : multisigLock(KEYS, kind, [0, 1]);
      const prefixed = signBip322(lock, MESSAGE, { form: 'simple' });
      const address = addressOf(lock.script);
      expect(verify(address, MESSAGE, prefixed.slice(3))).toMatchObject({ ok: true });
      expect(verify(address, MESSAGE, prefixed)).toMatchObject({ code: 'form' });
      expect(verify(address, 'another', prefixed.slice(3))).toMatchObject({ code: 'signature_mismatch' });
    },
  );

  // One bit of each byte, another in each run: all 8 would take two minutes.
  test.each([...SIGNED, ...COMPACT])('$name: no signature with one bit flipped verifies', (signed) => {
    const prefix = /^(smp|ful)/.exec(signed.signature)?.[0] ?? '';
    const bytes = base64.decode(signed.signature.slice(prefix.length));
    expect(verify(signed.address, MESSAGE, signed.signature)).toMatchObject({ ok: true });
    const bits = fc.array(fc.integer({ min: 0, max: 7 }), {
      minLength: bytes.length,
      maxLength: bytes.length,
    });
    fc.assert(
      fc.property(bits, (bitOfByte) => {
        for (const [at, bit] of bitOfByte.entries()) {
          const flipped = bytes.slice();
          flipped[at]! ^= 1 << bit;
          const { state } = verify(signed.address, MESSAGE, prefix + base64.encode(flipped));
          expect({ at, bit, state }).toEqual({ at, bit, state: expect.stringMatching(/^in/) });
        }
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  test.each([...SIGNED, ...COMPACT])(
    '$name: no text with one bit flipped verifies',
    ({ address, signature }) => {
      const position = fc.tuple(fc.nat({ max: signature.length - 1 }), fc.integer({ min: 0, max: 6 }));
      fc.assert(
        fc.property(position, ([at, bit]) => {
          const char = String.fromCharCode(signature.charCodeAt(at) ^ (1 << bit));
          expect(verify(address, MESSAGE, signature.slice(0, at) + char + signature.slice(at + 1)).ok).toBe(
            false,
          );
        }),
        { numRuns: 40 },
      );
    },
  );

  test.each([...SIGNED, ...COMPACT])(
    '$name: for no other address, over no other message',
    ({ address, signature }) => {
      for (const other of [...SIGNED, ...COMPACT]) {
        if (other.address === address) continue;
        expect(verify(other.address, MESSAGE, signature).ok).toBe(false);
      }
      for (let bit = 0; bit < MESSAGE.length * 7; bit += 3) {
        const at = Math.floor(bit / 7);
        const char = String.fromCharCode(MESSAGE.charCodeAt(at) ^ (1 << (bit % 7)));
        const flipped = MESSAGE.slice(0, at) + char + MESSAGE.slice(at + 1);
        expect(verify(address, flipped, signature)).toMatchObject({ ok: false, state: 'invalid' });
      }
    },
  );

  test('no bytes and no text make it throw', () => {
    const addresses = [...SIGNED, ...COMPACT].map(({ address }) => address);
    addresses.push(
      addressOf(witnessScript(16, new Uint8Array(32))),
      addressOf(witnessScript(1, new Uint8Array(32))),
    );
    const decoded = SIGNED.map(({ signature }) => base64.decode(signature.slice(3)));
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 120 }),
      damagedArbitrary(fc.constantFrom(...decoded)),
      fc.uint8Array({ maxLength: 64 }).map((tail) => concatBytes(decoded[0]!.subarray(0, 42), tail)),
    );
    const signature = fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.constantFrom('', 'smp', 'ful', 'pof'), bytes)
          .map(([a, b]) => a + base64.encode(b)),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    );
    const address = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...addresses) }, fc.string());
    fc.assert(
      fc.property(address, fc.string({ unit: 'binary', maxLength: 20 }), signature, (to, message, text) => {
        const verdict = verify(to, message, text);
        expect(verdict).toMatchObject({ ok: false, reason: expect.stringMatching(/./) });
      }),
      { numRuns: 2000 },
    );
  });

  test('a lone surrogate, and a message or signature over its limit, are refused before any work', () => {
    const [{ address, signature }] = SIGNED as [(typeof SIGNED)[0]];
    expect(verify(address, '\ud800', signature)).toMatchObject({ code: 'message' });
    expect(verify(address, 'a'.repeat(65_537), signature)).toMatchObject({ code: 'message' });
    expect(verify(address, 'ä'.repeat(32_769), signature)).toMatchObject({ code: 'message' });
    expect(verify(address, MESSAGE, 'A'.repeat(16_385))).toMatchObject({ code: 'signature_text' });
  });

  test('the longest message and the widest CHECKMULTISIG fit', () => {
    const message = 'ä'.repeat(32_768);
    const lock = singleKeyLock(KEY, 'p2wpkh');
    const signature = signBip322(lock, message, { form: 'simple' });
    expect(verify(addressOf(lock.script), message, signature)).toMatchObject({ ok: true });

    const keys = Array.from({ length: 16 }, (_, i) => new Uint8Array(32).fill(i + 1));
    const wide = multisigLock(keys, 'p2wsh', [...keys.keys()]);
    const all = signBip322(wide, message, { form: 'full' });
    expect(verify(addressOf(wide.script), message, all)).toMatchObject({ ok: true });
  });
});
