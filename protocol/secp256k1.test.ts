import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from './bytes.ts';
import { compactDerSignature, isDerSignature } from './der-signature.ts';
import { hasHighS, recoverPublicKey, verifyEcdsa, verifySchnorr } from './secp256k1.ts';

const KEY = 'dff1d77f2a671c5f36183726db2341be58feae1da2deced843240f7b502ba659';
const MESSAGE = '243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89';
const R = '6cff5c3ba86c69ea4b7376f31a9bcb4f74c1976089b2d9963da2e5543e177769';
const S = '69e89b4c5564d00349106b8497785dd7d1d713a8ae82b32fa79d5f7fc407d39b';
const PRIME = 'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';

describe('verifySchnorr, the vectors of BIP-340', () => {
  test.each([
    [
      0,
      'f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9',
      '00'.repeat(32),
      'e907831f80848d1069a5371b402410364bdf1c5f8307b0084c55f1ce2dca821525f66a4a85ea8b71e482a74f382d2ce5ebeee8fdb2172f477df4900d310536c0',
    ],
    [
      1,
      KEY,
      MESSAGE,
      '6896bd60eeae296db48a229ff71dfe071bde413e6d43f917dc8dcf8c78de33418906d11ac976abccb20b091292bff4ea897efcb639ea871cfa95f6de339e4b0a',
    ],
    [
      3,
      '25d1dff95105f5253c4022f628a996ad3a0d95fbf21d468a1b33f8c160d8f517',
      'ff'.repeat(32),
      '7eb0509757e246f19449885651611cb965ecc1a187dd51b64fda1edc9637d5ec97582b9cb13db3933705b32ba982af5af25fd78881ebb32771fc5922efc66ea3',
    ],
  ])('%i is valid', (_index, key, message, signature) => {
    expect(verifySchnorr(getHexBytes(signature), getHexBytes(message), getHexBytes(key))).toBe(true);
  });

  test.each([
    [
      5,
      'the key is not on the curve',
      'eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34',
      R + S,
    ],
    [
      6,
      'R has an odd y',
      KEY,
      'fff97bd5755eeea420453a14355235d382f6472f8568a18b2f057a14602975563cc27944640ac607cd107ae10923d9ef7a73c643e166be5ebeafa34b1ac553e2',
    ],
    [
      7,
      'of the negated message',
      KEY,
      '1fa62e331edbc21c394792d2ab1100a7b432b013df3f6ff4f99fcb33e0e1515f28890b3edb6e7189b630448b515ce4f8622a954cfe545735aaea5134fccdb2bd',
    ],
    [8, 's is negated', KEY, `${R}961764b3aa9b2ffcb6ef947b6887a226e8d7c93e00c5ed0c1834ff0d0c2e6da6`],
    [
      9,
      'R is infinite',
      KEY,
      `${'00'.repeat(32)}123dda8328af9c23a94c1feecfd123ba4fb73476f0d594dcb65c6425bd186051`,
    ],
    [
      11,
      'r is no x of the curve',
      KEY,
      `4a298dacae57395a15d0795ddbfd1dcb564da82b0f269bc70a74f8220429ba1d${S}`,
    ],
    [12, 'r is the prime of the field', KEY, PRIME + S],
    [13, 's is the order', KEY, R + ORDER],
    [
      14,
      'the key exceeds the field',
      'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30',
      R + S,
    ],
  ])('%i is not: %s', (_index, _why, key, signature) => {
    expect(verifySchnorr(getHexBytes(signature), getHexBytes(MESSAGE), getHexBytes(key))).toBe(false);
  });
});

describe('ECDSA', () => {
  const digest = getHexBytes(MESSAGE);
  const privateKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(secp256k1.utils.isValidSecretKey);

  test('a DER signature and its compact form are the same numbers, and verify; with a high s they do not', () => {
    fc.assert(
      fc.property(privateKey, (key) => {
        const compact = secp256k1.sign(digest, key, { prehash: false, lowS: true, format: 'compact' });
        const { r, s } = secp256k1.Signature.fromBytes(compact, 'compact');
        const der = concatBytes(new secp256k1.Signature(r, s).toBytes('der'), Uint8Array.of(1));
        expect(bytesToHex(compactDerSignature(der)!)).toBe(bytesToHex(compact));
        const publicKey = secp256k1.getPublicKey(key);
        expect(verifyEcdsa(compact, digest, publicKey)).toBe(true);

        const high = new secp256k1.Signature(r, secp256k1.Point.CURVE().n - s).toBytes('compact');
        expect([hasHighS(compact), hasHighS(high)]).toEqual([false, true]);
        expect(verifyEcdsa(high, digest, publicKey)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('half the order is low, one more is high', () => {
    const half = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20';
    expect(hasHighS(getHexBytes(`${R}${half}a0`))).toBe(false);
    expect(hasHighS(getHexBytes(`${R}${half}a1`))).toBe(true);
  });

  test('a DER number over 256 bits has no compact form', () => {
    const der = getHexBytes(`3026022101${'00'.repeat(32)}020101`.concat('01'));
    expect(isDerSignature(der)).toBe(true);
    expect(compactDerSignature(der)).toBeUndefined();
  });

  test('no bytes make a check throw', () => {
    const bytes = (length: number) => fc.uint8Array({ maxLength: length + 1 });
    fc.assert(
      fc.property(
        bytes(64),
        bytes(32),
        bytes(65),
        fc.integer({ min: 0, max: 3 }),
        (signature, hash, key, id) => {
          expect(verifyEcdsa(signature, hash, key)).toBe(false);
          expect(verifySchnorr(signature, hash, key)).toBe(false);
          expect(typeof recoverPublicKey(signature, hash, id, { isCompressed: true })).not.toBe('boolean');
        },
      ),
    );
  });
});
