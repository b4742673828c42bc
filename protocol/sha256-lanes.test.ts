import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesToHex } from './bytes.ts';
import { sha256, sha256d } from './hash.ts';
import { createPlainLanes, hashTogether, type Lanes, MAX_LANE_MESSAGE_BYTES } from './sha256-lanes.ts';

function hashAll(messages: readonly Uint8Array[], twice: boolean, lanes?: Lanes): (string | undefined)[] {
  const hashes: (string | undefined)[] = new Array(messages.length).fill(undefined);
  const take = (index: number, bytes: Uint8Array, at: number): void => {
    expect(hashes[index]).toBeUndefined();
    hashes[index] = bytesToHex(bytes.subarray(at, at + 32));
  };
  hashTogether({ twice, take, ...(lanes && { lanes }) }, (memory, reserve) => {
    for (const [index, message] of messages.entries()) memory.set(message, reserve(index, message.length));
  });
  return hashes;
}

test('FIPS 180-4 examples of one and of two blocks, and the empty message', () => {
  const messages = ['', 'abc', 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'].map((text) =>
    new TextEncoder().encode(text),
  );
  expect(hashAll(messages, false)).toEqual([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ]);
});

const kinds: [string, Lanes | undefined][] = [
  ['by vectors', undefined],
  ['without vectors', createPlainLanes()],
];

test.each(kinds)('every length, once and twice, equals the general hash (%s)', (_, lanes) => {
  const longest = fc.sample(
    fc.uint8Array({ minLength: MAX_LANE_MESSAGE_BYTES, maxLength: MAX_LANE_MESSAGE_BYTES }),
    5,
  );
  const messages = Array.from({ length: MAX_LANE_MESSAGE_BYTES + 1 }, (_, length) =>
    longest.map((bytes) => bytes.subarray(0, length)),
  ).flat();
  expect(hashAll(messages, false, lanes)).toEqual(messages.map((message) => bytesToHex(sha256(message))));
  expect(hashAll(messages, true, lanes)).toEqual(messages.map((message) => bytesToHex(sha256d(message))));
});

test('any messages in any order get their own hashes, whatever was hashed before', () => {
  const message = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.uint8Array({ maxLength: 300 }));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 40 }), fc.boolean(), (messages, twice) => {
      const expected = messages.map((bytes) => bytesToHex((twice ? sha256d : sha256)(bytes)));
      expect(hashAll(messages, twice)).toEqual(expected);
    }),
  );
});

test('what is given up half way leaves nothing behind', () => {
  const giveUp = () =>
    hashTogether({ twice: false, take: () => {} }, (memory, reserve) => {
      memory.set([1, 2, 3], reserve(7, 3));
      throw new Error('given up');
    });
  expect(giveUp).toThrow('given up');
  expect(hashAll([new Uint8Array(3)], false)).toEqual([bytesToHex(sha256(new Uint8Array(3)))]);
});
