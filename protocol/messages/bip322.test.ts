import { createBase58check } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { decodeAddress } from '../address.ts';
import { bytesToHex, toDisplayHash } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { getValue } from '../result.ts';
import { type Bip322Vector, findBip322Vectors, MISSING_BIP322_VECTORS } from '../testing/bip322-vectors.ts';
import { type SingleKeyKind, signBip322, singleKeyKinds, singleKeyLock } from '../testing/message-signer.ts';
import { bitcoin } from '../testing/profiles.ts';
import { txidOf } from '../transaction.ts';
import { bip322MessageHash, buildToSign, buildToSpend } from './bip322-transactions.ts';
import { verifySignedMessage } from './verify-signed-message.ts';

/** Types of script that take an interpreter, which this verifier has not. */
const NOT_RUN = ['p2tr-time-lock', 'p2wsh-time-lock'];

const vectors = findBip322Vectors();
const verify = (address: string, message: string, signature: string) =>
  verifySignedMessage(address, message, signature, bitcoin);
const judgeAll = (list: readonly Bip322Vector[]) =>
  list.flatMap(({ type, address, message, bip322_signatures: signatures }) =>
    signatures.map((signature) => ({ type, ...verify(address, message, signature) })),
  );

describe('BIP-322, the vectors published with it', () => {
  test('message hashes, and the txids of to_spend and to_sign', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    for (const vector of vectors.tx_hashes) {
      const message = new TextEncoder().encode(vector.message);
      const { script } = getValue(decodeAddress(vector.address, bitcoin));
      expect(bytesToHex(bip322MessageHash(message))).toBe(vector.message_hash);
      expect(toDisplayHash(txidOf(buildToSpend({ script, message })))).toBe(vector.to_spend_tx_hash);
      expect(toDisplayHash(txidOf(buildToSign({ script, message })))).toBe(vector.to_sign_tx_hash);
    }
    expect(vectors.tx_hashes).toHaveLength(3);
  });

  test('every simple signature is valid, also the one without prefix', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const verdicts = judgeAll(vectors.simple);
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
    expect(verdicts).toHaveLength(10);
  });

  test('every full signature is valid from its time and age; scripts that are not run are inconclusive', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const expected = vectors.full.map(({ type, lock_time: height, sequence: blocks }) =>
      NOT_RUN.includes(type)
        ? { type, state: 'inconclusive' }
        : {
            type,
            state: 'timelocked',
            form: 'bip322_full',
            timelock: { notBefore: { height }, minAge: { blocks } },
          },
    );
    expect(judgeAll(vectors.full)).toMatchObject(expected);
    expect(expected).toHaveLength(10);
    expect(expected.filter(({ state }) => state === 'timelocked')).toHaveLength(8);
  });

  test('proofs of funds are inconclusive', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const verdicts = judgeAll(vectors.proof_of_funds);
    expect(verdicts.map((verdict) => verdict.state)).toEqual([
      'inconclusive',
      'inconclusive',
      'inconclusive',
    ]);
  });

  test('every faulty signature is invalid', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const verdicts = vectors.error.map(({ description, address, message, signature }) => ({
      description,
      ...verify(address, message, signature),
    }));
    expect(verdicts.filter(({ state }) => state !== 'invalid')).toEqual([]);
    expect(verdicts).toHaveLength(36);
  });

  test('our signer makes valid ones of the same keys, those of ECDSA the same byte for byte', (ctx) => {
    if (!vectors) return ctx.skip(MISSING_BIP322_VECTORS);
    const isSingleKey = (type: string): type is SingleKeyKind =>
      singleKeyKinds.includes(type as SingleKeyKind);
    let compared = 0;
    for (const vector of [...vectors.simple, ...vectors.full]) {
      if (!isSingleKey(vector.type)) continue;
      const isFull = vector.lock_time !== undefined;
      const lock = singleKeyLock(decodeWif(vector.private_keys[0]!), vector.type);
      const signature = signBip322(lock, vector.message, {
        form: isFull ? 'full' : 'simple',
        edit: (tx) => ({
          ...tx,
          version: vector.tx_version ?? 0,
          locktime: vector.lock_time ?? 0,
          inputs: tx.inputs.map((input) => ({ ...input, sequence: vector.sequence ?? 0 })),
        }),
      });
      expect(verify(vector.address, vector.message, signature)).toMatchObject({
        state: isFull ? 'timelocked' : 'valid',
      });
      compared += 1;
      if (vector.type === 'p2tr') continue;
      const published = vector.bip322_signatures.map((text) => text.replace(/^(smp|ful)/, ''));
      expect(published).toContain(signature.slice(3));
    }
    expect(compared).toBe(9);
  });
});

function decodeWif(text: string): Uint8Array {
  return createBase58check(sha256).decode(text).slice(1, 33);
}
