import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from './bytes.ts';
import { eventBytes, type StateRow } from './canonical.ts';
import { sha256 } from './hash.ts';
import { CHAIN_START, createStateHasher, hashEvents, hashState, nextChainHash } from './hash-chain.ts';
import { encodeLeb128 } from './leb128.ts';

const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const bytes = fc.uint8Array({ maxLength: 40 });

describe('hashEvents', () => {
  test('of a block without events is the SHA-256 of nothing', () => {
    expect(bytesToHex(hashEvents([]))).toBe(SHA256_OF_NOTHING);
  });

  test('each event has its length before it, so no two lists are the same bytes', () => {
    expect(hashEvents([getHexBytes('aabb')])).toEqual(sha256(getHexBytes('02aabb')));
    const lists = fc.tuple(fc.array(bytes, { maxLength: 4 }), fc.array(bytes, { maxLength: 4 }));
    fc.assert(
      fc.property(lists, ([a, b]) => {
        const isSame = JSON.stringify(a.map(bytesToHex)) === JSON.stringify(b.map(bytesToHex));
        expect(bytesToHex(hashEvents(a)) === bytesToHex(hashEvents(b))).toBe(isSame);
      }),
    );
  });

  test.each([0, 1, 127, 128, 16_383, 16_384, 70_000])(
    'the length of an event of %i bytes is LEB128',
    (length) => {
      const event = new Uint8Array(length).map((_, i) => i % 251);
      const wanted = concatBytes(encodeLeb128(1), Uint8Array.of(9), encodeLeb128(length), event);
      expect(hashEvents([Uint8Array.of(9), event])).toEqual(sha256(wanted));
      expect(hashEvents([event, Uint8Array.of(9)])).toEqual(
        sha256(concatBytes(encodeLeb128(length), event, Uint8Array.of(1, 9))),
      );
    },
  );

  test('a block may have very many', () => {
    const many = Array.from({ length: 300_000 }, () => new Uint8Array(1));
    expect(hashEvents(many)).toEqual(sha256(new Uint8Array(600_000).map((_, i) => (i + 1) % 2)));
  });

  test('an event begins with position, txid and opcode', () => {
    const txid = getHexBytes('ab'.repeat(32));
    expect(bytesToHex(eventBytes({ position: 300, txid }, 2, getHexBytes('ff')))).toBe(
      `ac02${'ab'.repeat(32)}02ff`,
    );
  });
});

test('the chain goes on from 32 zero bytes', () => {
  const block = getHexBytes('11'.repeat(32));
  const events = getHexBytes(SHA256_OF_NOTHING);
  expect(bytesToHex(CHAIN_START)).toBe('00'.repeat(32));
  expect(nextChainHash(CHAIN_START, block, events)).toEqual(sha256(concatBytes(CHAIN_START, block, events)));
});

describe('state', () => {
  const row = fc.record({ kind: fc.constantFrom(1, 2), key: bytes, value: bytes });
  const rows = fc.uniqueArray(row, {
    maxLength: 12,
    selector: ({ kind, key }) => `${kind}:${bytesToHex(key)}`,
  });

  test('without rows hashes as nothing', () => {
    expect(bytesToHex(hashState([]))).toBe(SHA256_OF_NOTHING);
  });

  test('a row is its kind, its key and its value, each with its length', () => {
    const only: StateRow = { kind: 2, key: getHexBytes('aabb'), value: getHexBytes('cc') };
    expect(hashState([only])).toEqual(sha256(getHexBytes('0202aabb01cc')));
  });

  test('the order in which rows come does not matter', () => {
    const shuffled = rows.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([a, b]) => {
        expect(bytesToHex(hashState(a))).toBe(bytesToHex(hashState(b)));
      }),
    );
  });

  test('rows out of order, or twice, are a defect of the caller', () => {
    const a: StateRow = { kind: 1, key: getHexBytes('01'), value: getHexBytes('') };
    const hasher = createStateHasher();
    hasher.add(a);
    expect(() => hasher.add(a)).toThrow('out of order');
    expect(() => hasher.add({ ...a, key: getHexBytes('00') })).toThrow('out of order');
    hasher.add({ ...a, kind: 2, key: getHexBytes('00') });
  });
});
