/** Framing of the peer-to-peer protocol: magic (4 bytes), command (12), length (4), checksum (4), payload. */

import { sha256d } from '@coinfront/protocol/hash.ts';
import { PeerFaultError } from './peer-fault.ts';

/** A message that came whole. */
export type WireMessage = { command: string; payload: Uint8Array };

const HEADER_BYTES = 24;
const COMMAND_BYTES = 12;

/** The bytes of a message. */
export function frameMessage(magic: Uint8Array, command: string, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  bytes.set(magic, 0);
  bytes.set(new TextEncoder().encode(command), 4);
  new DataView(bytes.buffer).setUint32(4 + COMMAND_BYTES, payload.length, true);
  bytes.set(sha256d(payload).subarray(0, 4), 20);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** What a message may be, known before its payload comes. */
export type MessageLimit = (command: string) => number;

/** Puts messages together from pieces as they come; holds at most one message, and what came with it. */
export type MessageReader = {
  /** @throws PeerFaultError at the first byte that cannot be */
  push(chunk: Uint8Array): WireMessage[];
};

/** Creates a reader of one connection. `limitOf` says how many bytes the payload of a command may have. */
export function createMessageReader(magic: Uint8Array, limitOf: MessageLimit): MessageReader {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let header: { command: string; size: number; checksum: Uint8Array } | undefined;

  const take = (count: number): Uint8Array => {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    chunks = all.length > count ? [all.subarray(count)] : [];
    length -= count;
    return all.subarray(0, count);
  };

  return {
    push(chunk) {
      if (chunk.length > 0) chunks.push(chunk);
      length += chunk.length;
      const messages: WireMessage[] = [];
      for (;;) {
        if (header === undefined) {
          if (length < HEADER_BYTES) return messages;
          header = readHeader(take(HEADER_BYTES), magic, limitOf);
        }
        if (length < header.size) return messages;
        const { command, size, checksum } = header;
        const payload = take(size);
        if (!Buffer.from(sha256d(payload).subarray(0, 4)).equals(checksum))
          throw new PeerFaultError('bad_checksum');
        messages.push({ command, payload });
        header = undefined;
      }
    },
  };
}

function readHeader(bytes: Uint8Array, magic: Uint8Array, limitOf: MessageLimit) {
  if (!Buffer.from(bytes.subarray(0, 4)).equals(magic)) throw new PeerFaultError('wrong_magic');
  const text = Buffer.from(bytes.subarray(4, 4 + COMMAND_BYTES)).toString('latin1');
  const match = /^([a-z0-9]{1,12})\0*$/.exec(text);
  if (match === null) throw new PeerFaultError('malformed');
  const command = match[1]!;
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(16, true);
  if (size > limitOf(command)) throw new PeerFaultError('too_large');
  return { command, size, checksum: bytes.subarray(20, 24) };
}
