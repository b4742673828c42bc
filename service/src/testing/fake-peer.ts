/** A peer that speaks the peer-to-peer protocol as a test wants it, also wrongly. */

import { createServer, type Socket } from 'node:net';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { createReader } from '@coinfront/protocol/reader.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { createMessageReader, frameMessage } from '../node/p2p/wire.ts';

/** A block as the peer has it; hashes in internal byte order. */
export type PeerBlock = { hash: Uint8Array; header: Uint8Array; raw: Uint8Array };

/** Answers a command; what it gives is sent. Undefined: as an honest node does. */
export type PeerScript = (
  command: string,
  payload: Uint8Array,
  socket: Socket,
) => [command: string, payload: Uint8Array][] | undefined;

export type FakePeer = {
  port: number;
  /** Commands that came, in order. */
  received: string[];
  close(): Promise<void>;
};

export type FakePeerOptions = {
  magic: Uint8Array;
  /** Its best chain, from genesis. */
  blocks: readonly PeerBlock[];
  startHeight?: number;
  services?: bigint;
  userAgent?: string;
  script?: PeerScript;
};

const NOTHING = new Uint8Array(0);

/** The payload of `version`. */
export function writePeerVersion({
  startHeight = 0,
  services = 9n,
  userAgent = '/Fake:1.0/',
  protocolVersion = 70_016,
}: {
  startHeight?: number;
  services?: bigint;
  userAgent?: string;
  protocolVersion?: number;
}): Uint8Array {
  const writer = createWriter();
  writer.i32(protocolVersion);
  writer.u64(services);
  writer.u64(0n);
  writer.bytes(new Uint8Array(52));
  writer.u64(1n);
  writer.varBytes(new TextEncoder().encode(userAgent));
  writer.i32(startHeight);
  writer.u8(1);
  return writer.finish();
}

/** The payload of `headers`. */
export function writeHeaders(headers: readonly Uint8Array[]): Uint8Array {
  const writer = createWriter();
  writer.compactSize(headers.length);
  for (const header of headers) {
    writer.bytes(header);
    writer.u8(0);
  }
  return writer.finish();
}

/** Starts a peer on loopback. */
export async function startFakePeer(options: FakePeerOptions): Promise<FakePeer> {
  const { magic, blocks, script } = options;
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    const reader = createMessageReader(magic, () => 1_000_000);
    socket.on('data', (chunk: Buffer) => {
      for (const { command, payload } of reader.push(chunk)) {
        received.push(command);
        const answers = script?.(command, payload, socket) ?? answer(options, command, payload);
        for (const [name, bytes] of answers) socket.write(frameMessage(magic, name, bytes));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string' || blocks.length === 0)
    throw new Error('The fake peer has no port, or no chain.');
  return {
    port: address.port,
    received,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  { blocks, startHeight = blocks.length - 1, services, userAgent }: FakePeerOptions,
  command: string,
  payload: Uint8Array,
): [string, Uint8Array][] {
  switch (command) {
    case 'version': {
      const version = writePeerVersion({
        startHeight,
        ...(services === undefined ? {} : { services }),
        ...(userAgent === undefined ? {} : { userAgent }),
      });
      return [
        ['version', version],
        ['verack', NOTHING],
        ['ping', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
      ];
    }
    case 'ping':
      return [['pong', payload]];
    case 'getheaders':
      return [['headers', writeHeaders(listHeaders(blocks, payload))]];
    case 'getdata': {
      const block = blocks.find(({ hash }) => equalBytes(hash, payload.subarray(5, 37)));
      return [block ? ['block', block.raw] : ['notfound', payload]];
    }
    default:
      return [];
  }
}

function listHeaders(blocks: readonly PeerBlock[], payload: Uint8Array): Uint8Array[] {
  const reader = createReader(payload);
  reader.u32();
  const count = reader.compactSize();
  for (let i = 0; i < count; i++) {
    const named = reader.slice(32);
    const at = blocks.findIndex(({ hash }) => equalBytes(hash, named));
    if (at >= 0) return blocks.slice(at + 1, at + 2001).map(({ header }) => header);
  }
  return blocks.slice(1, 2001).map(({ header }) => header);
}
