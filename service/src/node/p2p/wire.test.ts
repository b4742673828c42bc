import { findParentHeader } from '@coinfront/protocol/auxpow.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { hasProofOfWork } from '@coinfront/protocol/proof-of-work.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { findRealBlock, MISSING_VECTORS } from '@coinfront/protocol/testing/real-blocks.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type PeerHeader,
  readHeaders,
  readVersion,
  writeGetBlock,
  writeGetHeaders,
  writeVersion,
} from './messages.ts';
import { PeerFaultError } from './peer-fault.ts';
import { createMessageReader, frameMessage } from './wire.ts';

const magic = Uint8Array.of(0xfa, 0xbf, 0xb5, 0xda);
const anything = () => 1_000_000;

test('a message is framed as the protocol has it', () => {
  // The well-known bytes of a verack on Bitcoin's main network.
  expect(
    Buffer.from(frameMessage(Uint8Array.of(0xf9, 0xbe, 0xb4, 0xd9), 'verack', new Uint8Array(0))).toString(
      'hex',
    ),
  ).toBe('f9beb4d976657261636b000000000000000000005df6e0e2');
});

test('messages come out as they went in, in whatever pieces they arrive', () => {
  const message = fc.record({
    command: fc.stringMatching(/^[a-z0-9]{1,12}$/),
    payload: fc.uint8Array({ maxLength: 300 }),
  });
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
      (messages, sizes) => {
        const bytes = Buffer.concat(
          messages.map(({ command, payload }) => frameMessage(magic, command, payload)),
        );
        const reader = createMessageReader(magic, anything);
        const read = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length]!;
          read.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(read.map(({ command, payload }) => [command, Buffer.from(payload).toString('hex')])).toEqual(
          messages.map(({ command, payload }) => [command, Buffer.from(payload).toString('hex')]),
        );
      },
    ),
  );
});

test('whatever bytes come, nothing but a fault of the peer is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isFramed) => {
      const given = isFramed ? frameMessage(magic, 'headers', bytes) : Buffer.concat([magic, bytes]);
      for (const read of [
        () => createMessageReader(magic, anything).push(given),
        () => readVersion(bytes),
        () => readHeaders(bytes, { auxpow: false }),
        () => readHeaders(bytes, { auxpow: true }),
      ]) {
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(PeerFaultError);
        }
      }
    }),
  );
});

test('a message that is too large is refused before its payload comes', () => {
  const header = frameMessage(magic, 'block', new Uint8Array(0));
  new DataView(header.buffer).setUint32(16, 101, true);
  const reader = createMessageReader(magic, (command) => (command === 'block' ? 100 : 0));
  expect(() => reader.push(header)).toThrow('larger than any');
});

test.each(['\0block', 'Block', 'blo\0ck', 'b\xff', ''])('the command %j is none', (command) => {
  const bytes = frameMessage(magic, 'x', new Uint8Array(0));
  bytes.fill(0, 4, 16);
  bytes.set(Buffer.from(command, 'latin1'), 4);
  expect(() => createMessageReader(magic, anything).push(bytes)).toThrow(PeerFaultError);
});

test('what we say of ourselves can be read by others', () => {
  const payload = writeVersion({
    nonce: 7n,
    userAgent: '/Coinfront:1(node registry)/',
    startHeight: 812_345,
    nowMs: 1_700_000_000_123,
  });
  expect(readVersion(payload)).toEqual({
    protocolVersion: 70_015,
    services: 0n,
    userAgent: '/Coinfront:1(node registry)/',
    startHeight: 812_345,
  });
  expect(Buffer.from(payload).readBigInt64LE(12)).toBe(1_700_000_000n);
  // No transactions are wanted.
  expect(payload.at(-1)).toBe(0);
});

test('blocks are asked for with witnesses where the peer has them', () => {
  const hash = new Uint8Array(32).fill(3);
  expect(Buffer.from(writeGetBlock(hash, 9n)).subarray(0, 5).toString('hex')).toBe('0102000040');
  expect(Buffer.from(writeGetBlock(hash, 1n)).subarray(0, 5).toString('hex')).toBe('0102000000');
  expect(writeGetHeaders([hash]).length).toBe(4 + 1 + 32 + 32);
});

test('headers with a merged-mining proof are read past it', (context) => {
  const block = findRealBlock('dogecoin_mainnet_371337');
  if (block === undefined) return context.skip(MISSING_VECTORS);
  const raw = Buffer.from(block.block, 'hex');
  // The count of transactions follows header and proof; in `headers` it is 0.
  const { headerEnd } = getValue(scanBlock(raw, { auxpow: true, sha256 }));
  const headers = readHeaders(
    Buffer.concat([Uint8Array.of(1), raw.subarray(0, headerEnd), Uint8Array.of(0)]),
    { auxpow: true },
  );
  expect(headers.map(({ hash }) => Buffer.from(hash).reverse().toString('hex'))).toEqual([block.hash]);
  const [{ header, proof }] = headers as [PeerHeader];
  const worked = findParentHeader(header, proof!);
  expect(hasProofOfWork(header, 'scrypt', undefined, worked)).toBe(true);
  expect(hasProofOfWork(header, 'scrypt')).toBe(false);
  expect(() =>
    readHeaders(Buffer.concat([Uint8Array.of(1), raw.subarray(0, headerEnd), Uint8Array.of(0)]), {
      auxpow: false,
    }),
  ).toThrow(PeerFaultError);
});
