import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes, toDisplayHash } from './bytes.ts';
import { getValue } from './result.ts';
import { damagedArbitrary, transactionArbitrary } from './testing/arbitraries.ts';
import {
  isCoinbase,
  parseTransaction,
  serializeTransaction,
  transactionSizes,
  txidOf,
  wtxidOf,
} from './transaction.ts';

// The signed P2SH-P2WPKH transaction of BIP-143.
const BIP143_SIGNED =
  '01000000000101db6b1b20aa0fd7b23880be2ecbd4a98130974cf4748fb66092ac4d3ceb1a5477010000001716001479091972186c449eb1ded22b78e40d009bdf0089feffffff02b8b4eb0b000000001976a914a457b684d7f0d539a46a45bbc043f35b59d0d96388ac0008af2f000000001976a914fd270b1ee6abcaea97fea7ad0402e8bd8ad6d77c88ac02473044022047ac8e878352d3ebbde1c94ce3a10d057c24175747116f8288e5d794d12d482f0220217f36a485cae903c713331d877c1f64677e3622ad4010726870540656fe9dcb012103ad1d8e89212f0b92c74d23bb710c00662ad1470198ac48c43f7d6f93a2a2687392040000';

describe('transaction', () => {
  test('the BIP-143 example parses into its parts and serialises back to the same bytes', () => {
    const tx = getValue(parseTransaction(getHexBytes(BIP143_SIGNED)));
    expect(tx.version).toBe(1);
    expect(tx.locktime).toBe(1170);
    expect(tx.inputs[0]).toMatchObject({ prevVout: 1, sequence: 0xfffffffe });
    expect(toDisplayHash(tx.inputs[0]!.prevTxid)).toBe(
      '77541aeb3c4dac9260b68f74f44c973081a9d4cb2ebe8038b2d70faa201b6bdb',
    );
    expect(tx.outputs.map((output) => output.value)).toEqual([199_996_600n, 800_000_000n]);
    expect(toDisplayHash(txidOf(tx))).toBe(
      'ef48d9d0f595052e0f8cdcf825f7a5e50b6a388a81f206f3f4846e5ecd7a0c23',
    );
    expect(toDisplayHash(wtxidOf(tx))).toBe(
      '680f483b2bf6c5dcbf111e69e885ba248a41a5e92070cfb0afec3cfc49a9fabb',
    );
    expect(bytesToHex(serializeTransaction(tx, { witness: true }))).toBe(BIP143_SIGNED);
    expect(transactionSizes(tx)).toEqual({ size: 251, strippedSize: 142, weight: 677, vsize: 170 });
    expect(isCoinbase(tx)).toBe(false);
  });

  test('parse(serialise(tx)) gives tx, with and without witness and MWEB part', () => {
    fc.assert(
      fc.property(transactionArbitrary('any'), (tx) => {
        expect(getValue(parseTransaction(serializeTransaction(tx, { witness: true })))).toEqual(tx);
      }),
    );
  });

  test('sizes are those of the serialised bytes, and ids leave witness and MWEB part out', () => {
    fc.assert(
      fc.property(transactionArbitrary('any'), (tx) => {
        const stripped = serializeTransaction(tx, { witness: false });
        const withoutMweb = serializeTransaction(tx, { witness: true, mweb: false });
        const sizes = transactionSizes(tx);
        expect(sizes.size).toBe(serializeTransaction(tx, { witness: true }).length);
        expect(sizes.strippedSize).toBe(stripped.length);
        expect(sizes.weight).toBe(stripped.length * 3 + withoutMweb.length);
        expect(sizes.vsize).toBe(Math.ceil(sizes.weight / 4));
        const bare = { ...tx, mweb: undefined };
        expect(txidOf(tx)).toEqual(txidOf(getValue(parseTransaction(stripped))));
        expect(wtxidOf(tx)).toEqual(wtxidOf(bare));
      }),
    );
  });

  test('what parses out of damaged bytes serialises back to exactly those bytes; the rest is refused', () => {
    const source = transactionArbitrary('any').map((tx) => serializeTransaction(tx, { witness: true }));
    fc.assert(
      fc.property(damagedArbitrary(source), (raw) => {
        const tx = parseTransaction(raw);
        if (tx.ok) expect(serializeTransaction(tx.value, { witness: true })).toEqual(raw);
        else expect(tx.reason).not.toBe('');
      }),
      { numRuns: 1000 },
    );
  });

  test('random bytes never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (raw) => {
        expect(typeof parseTransaction(raw).ok).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['a count of 33 million inputs in 10 bytes', '01000000fe00000002'.padEnd(20, '0'), 'more than'],
    ['a count in a longer encoding than needed', '01000000fd0100', 'shortest'],
    ['a witness flag without any witness', `0100000000010100${'00'.repeat(50)}`, 'superfluous witness'],
    ['an unknown flag', `01000000000201${'00'.repeat(60)}`, 'unknown flags 2'],
    ['no inputs', `010000000000${'00'.repeat(60)}`, 'no inputs'],
    ['an MWEB-only transaction', `0100000000080000${'01'.repeat(60)}`, 'no inputs'],
    [
      'an MWEB integrating transaction without outputs',
      `01000000000801${'00'.repeat(41)}000000000000`,
      'no outputs',
    ],
    ['a byte after the end', `${BIP143_SIGNED}00`, 'followed by 1 more'],
    ['nothing', '', 'needs 4 more bytes'],
  ])('refuses %s', (_name, hex, reason) => {
    expect(parseTransaction(getHexBytes(hex))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  test('a coinbase is known by its null outpoint', () => {
    const tx = getValue(parseTransaction(getHexBytes(BIP143_SIGNED)));
    const nullInput = { ...tx.inputs[0]!, prevTxid: new Uint8Array(32), prevVout: 0xffffffff };
    expect(isCoinbase({ ...tx, inputs: [nullInput] })).toBe(true);
    expect(isCoinbase({ ...tx, inputs: [nullInput, nullInput] })).toBe(false);
    expect(isCoinbase({ ...tx, inputs: [{ ...nullInput, prevVout: 0 }] })).toBe(false);
  });

  test('a view on a larger buffer is read at its own offset', () => {
    const padded = concatBytes(new Uint8Array(7), getHexBytes(BIP143_SIGNED), new Uint8Array(5));
    const view = padded.subarray(7, padded.length - 5);
    expect(getValue(parseTransaction(view)).locktime).toBe(1170);
  });
});
