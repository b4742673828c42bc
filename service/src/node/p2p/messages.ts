/** Payloads of the few messages that are spoken. Hashes are in internal byte order. */

import { AUXPOW_VERSION_BIT, blockHashOf, skipAuxpow } from '@coinfront/protocol/block.ts';
import { createReader } from '@coinfront/protocol/reader.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { PeerFaultError } from './peer-fault.ts';

/** Before `wtxidrelay` and `addrv2`: nothing of those is needed here, and every node of the family speaks it. */
const PROTOCOL_VERSION = 70_015;
const NO_ADDRESS = new Uint8Array(26);
const MAX_USER_AGENT_BYTES = 256;
/** Headers that one answer may have. */
const MAX_HEADERS = 2_000;
const HEADER_BYTES = 80;

/** Bits of `services` (BIP-159, BIP-144). */
export const serviceBits = { network: 1n, witness: 8n } as const;

const MSG_BLOCK = 2;
const MSG_WITNESS_BLOCK = 0x40000002;

/** What a peer says of itself. */
export type PeerVersion = {
  protocolVersion: number;
  services: bigint;
  /** Printable ASCII, at most 256 characters; anything else is `?`. */
  userAgent: string;
  startHeight: number;
};

/** `version`, of a peer that has nothing to offer and wants no transactions. */
export function writeVersion(options: {
  nonce: bigint;
  userAgent: string;
  startHeight: number;
  nowMs: number;
}): Uint8Array {
  const writer = createWriter(160);
  writer.i32(PROTOCOL_VERSION);
  writer.u64(0n);
  writer.u64(BigInt(Math.floor(options.nowMs / 1000)));
  writer.bytes(NO_ADDRESS);
  writer.bytes(NO_ADDRESS);
  writer.u64(options.nonce);
  writer.varBytes(new TextEncoder().encode(options.userAgent));
  writer.i32(options.startHeight);
  writer.u8(0);
  return writer.finish();
}

/** @throws PeerFaultError `malformed` */
export function readVersion(payload: Uint8Array): PeerVersion {
  const reader = createReader(payload);
  const protocolVersion = reader.i32();
  const services = reader.u64();
  reader.slice(8 + 26 + 26 + 8);
  const agent = reader.varSlice();
  const startHeight = reader.i32();
  if (reader.failure !== undefined || agent.length > MAX_USER_AGENT_BYTES || protocolVersion < 0)
    throw new PeerFaultError('malformed');
  const userAgent = Buffer.from(agent)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '?');
  return { protocolVersion, services, userAgent, startHeight };
}

/** `getheaders`: what follows the first of these that the peer has in its best chain. */
export function writeGetHeaders(locator: readonly Uint8Array[]): Uint8Array {
  const writer = createWriter(64 + 32 * locator.length);
  writer.u32(PROTOCOL_VERSION);
  writer.compactSize(locator.length);
  for (const hash of locator) writer.bytes(hash);
  writer.bytes(new Uint8Array(32));
  return writer.finish();
}

/** A header as a chain is followed by. */
export type PeerHeader = {
  hash: Uint8Array;
  prevHash: Uint8Array;
  header: Uint8Array;
  /** What leads to the header that has its work, where it is merged-mined; unread. A view of the message. */
  proof: Uint8Array | undefined;
};

/**
 * Reads `headers`, which have to follow one another.
 * @throws PeerFaultError `malformed`
 */
export function readHeaders(payload: Uint8Array, { auxpow }: { auxpow: boolean }): PeerHeader[] {
  const reader = createReader(payload);
  const count = reader.count(HEADER_BYTES + 1);
  if (count > MAX_HEADERS) throw new PeerFaultError('malformed');
  const headers: PeerHeader[] = [];
  for (let i = 0; i < count; i++) {
    const bytes = reader.slice(HEADER_BYTES);
    if (reader.failure !== undefined) throw new PeerFaultError('malformed');
    const header = new Uint8Array(bytes);
    const version = new DataView(header.buffer).getInt32(0, true);
    let proof: Uint8Array | undefined;
    if (auxpow && (version & AUXPOW_VERSION_BIT) !== 0) {
      const end = skipAuxpow(payload, reader.position);
      if (!end.ok) throw new PeerFaultError('malformed');
      proof = reader.slice(end.value - reader.position);
    }
    if (reader.compactSize() !== 0) throw new PeerFaultError('malformed');
    headers.push({ hash: blockHashOf(header), prevHash: header.subarray(4, 36), header, proof });
  }
  if (reader.failure !== undefined || reader.remaining > 0) throw new PeerFaultError('malformed');
  return headers;
}

/** `getdata` for a block, with its witnesses where the peer has them. */
export function writeGetBlock(hash: Uint8Array, services: bigint): Uint8Array {
  const writer = createWriter(37);
  writer.compactSize(1);
  writer.u32((services & serviceBits.witness) !== 0n ? MSG_WITNESS_BLOCK : MSG_BLOCK);
  writer.bytes(hash);
  return writer.finish();
}
