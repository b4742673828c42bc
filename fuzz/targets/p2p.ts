import { createWriter } from '@coinfront/protocol/writer.ts';
import { readHeaders, readVersion } from '../../service/src/node/p2p/messages.ts';
import { PeerFaultError } from '../../service/src/node/p2p/peer-fault.ts';
import { createMessageReader, frameMessage, type WireMessage } from '../../service/src/node/p2p/wire.ts';
import { writeHeaders, writePeerVersion } from '../../service/src/testing/fake-peer.ts';
import { demand, type FuzzTarget, hex, join } from '../target.ts';

const MAGIC = hex('fabfb5da');
const LIMIT = 4_000_000;

const version = writePeerVersion({ startHeight: 7 });
const headers = writeHeaders([new Uint8Array(80), new Uint8Array(80).fill(1)]);

/** The first byte says how the stream is cut; the rest is what a peer sends. */
export const p2pTarget: FuzzTarget = {
  name: 'p2p',
  reads: 'streams of peer-to-peer messages, their version and headers',
  form: 'bytes',
  maxBytes: 2_048,
  seeds: [
    stream(7, ['version', version], ['verack', new Uint8Array(0)]),
    stream(255, ['headers', headers], ['ping', new Uint8Array(8)]),
    join(1, version),
    join(2, headers),
    join(2, 1, 0, 1, new Uint8Array(78), hex(`0100000001${'00'.repeat(36)}00ffffffff0000000000`)),
  ],
  words: ['version', 'verack', 'headers', 'block', 'ping', 'pong', 'notfound'],
  check(input) {
    const bytes = input.subarray(1);
    const whole = readAll(bytes, bytes.length);
    const cut = readAll(bytes, 1 + (input[0] ?? 0));
    demand(whole.fault === cut.fault, 'a stream means the same however it is cut');
    // A push that fails gives none of its messages, so those before a fault depend on the cut.
    if (whole.fault === undefined) {
      const write = ({ messages }: Read) =>
        Buffer.concat(messages.map(({ command, payload }) => frameMessage(MAGIC, command, payload)));
      demand(write(whole).equals(write(cut)), 'the same messages come however the stream is cut');
      demand(
        write(whole).equals(bytes.subarray(0, write(whole).length)),
        'messages are written as they came',
      );
    }
    for (const { payload } of cut.messages) tryPayload(payload);
    tryPayload(bytes);
  },
  growing: {
    'small messages': (bytes) =>
      join(255, Buffer.alloc(Math.ceil(bytes / 24) * 24, frameMessage(MAGIC, 'verack', new Uint8Array(0)))),
    'one message in single bytes': (bytes) => join(0, frameMessage(MAGIC, 'block', new Uint8Array(bytes))),
    headers: (bytes) => {
      const count = Math.min(2_000, Math.ceil(bytes / 81));
      return join(255, writeHeaders(Array<Uint8Array>(count).fill(new Uint8Array(80))));
    },
    'merged-mined headers': (bytes) => join(255, mergedHeaders(Math.min(2_000, Math.ceil(bytes / 300)))),
  },
};

type Read = { messages: WireMessage[]; fault: string | undefined };

function readAll(bytes: Uint8Array, step: number): Read {
  const reader = createMessageReader(MAGIC, () => LIMIT);
  const messages: WireMessage[] = [];
  try {
    for (let at = 0; at < bytes.length; at += step) messages.push(...reader.push(bytes.slice(at, at + step)));
    return { messages, fault: undefined };
  } catch (error) {
    return { messages, fault: codeOf(error) };
  }
}

function tryPayload(payload: Uint8Array): void {
  const reads = [
    () => readVersion(payload),
    () => readHeaders(payload, { auxpow: false }),
    () => readHeaders(payload, { auxpow: true }),
  ];
  for (const read of reads) {
    try {
      read();
    } catch (error) {
      codeOf(error);
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof PeerFaultError) return error.code;
  throw error;
}

function stream(cut: number, ...messages: [string, Uint8Array][]): Uint8Array {
  const framed = messages.map(([command, payload]) => frameMessage(MAGIC, command, payload));
  return join(cut, ...framed);
}

function mergedHeaders(count: number): Uint8Array {
  const writer = createWriter();
  writer.compactSize(count);
  for (let i = 0; i < count; i++) {
    writer.i32(0x100);
    writer.bytes(new Uint8Array(76));
    writer.bytes(hex(`0100000001${'00'.repeat(36)}00ffffffff0000000000`));
    writer.bytes(new Uint8Array(32));
    writer.bytes(new Uint8Array(5));
    writer.bytes(new Uint8Array(5));
    writer.bytes(new Uint8Array(80));
    writer.u8(0);
  }
  return writer.finish();
}
