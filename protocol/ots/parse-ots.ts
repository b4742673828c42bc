import { bytesToHex } from '../bytes.ts';
import { type ByteReader, createReader } from '../reader.ts';
import {
  FORMAT_BLOCK_TAGS,
  isCalendarUri,
  OTS_ATTESTATIONS,
  OTS_TAG_BYTES,
  type OtsAttestation,
} from './ots-attestations.ts';
import {
  applyOperation,
  findHash,
  findPlainOperation,
  MAX_OTS_MESSAGE,
  OTS_HASHES,
  OTS_TAGS,
  type OtsHash,
  type OtsOperation,
} from './ots-operations.ts';

/** A tree of operations on a message, whose branches end with attestations. */
export type OtsTimestamp = {
  attestations: OtsAttestation[];
  operations: { operation: OtsOperation; next: OtsTimestamp }[];
};

/** A file that timestamps another. */
export type OtsFile = {
  /** What the other file is hashed with. */
  hash: OtsHash;
  digest: Uint8Array;
  timestamp: OtsTimestamp;
};

/** An attestation with the message that it attests. */
export type Attested = { attestation: OtsAttestation; message: Uint8Array };

/** What every file begins with: `00 OpenTimestamps 00 00 Proof 00 bf 89 e2 e8 84 e8 92 94`, and the version. */
export const OTS_MAGIC = Uint8Array.from([
  0,
  ...new TextEncoder().encode('OpenTimestamps'),
  0,
  0,
  ...new TextEncoder().encode('Proof'),
  0,
  ...[0xbf, 0x89, 0xe2, 0xe8, 0x84, 0xe8, 0x92, 0x94],
]);
export const OTS_VERSION = 1;

/** Bytes of a file that are read; those of calendars have a few thousand. */
export const MAX_OTS_BYTES = 65_536;
/** Timestamps below one another. */
const MAX_DEPTH = 256;
const MAX_PAYLOAD = 8_192;
const FORK = 0xff;
const ATTESTATION = 0x00;

/**
 * Reads a file of OpenTimestamps, and works out what each of its attestations attests. All of it may come from anybody.
 *
 * @param ownTag of blocks of a chain that the format has no tag for ({@link blockTagOf})
 */
export function parseOts(
  bytes: Uint8Array,
  ownTag?: string,
): { ok: true; value: { file: OtsFile; attested: Attested[] } } | { ok: false; reason: string } {
  if (bytes.length > MAX_OTS_BYTES)
    return { ok: false, reason: `it has ${bytes.length} bytes; at most ${MAX_OTS_BYTES} are read` };
  const reader = createReader(bytes);
  const blockTags = new Set([...FORMAT_BLOCK_TAGS, ...(ownTag === undefined ? [] : [ownTag])]);
  const magic = reader.slice(OTS_MAGIC.length);
  if (reader.failure !== undefined || !OTS_MAGIC.every((byte, i) => byte === magic[i]))
    return { ok: false, reason: 'it does not begin as a file of OpenTimestamps does' };
  const version = reader.u8();
  if (reader.failure === undefined && version !== OTS_VERSION)
    return { ok: false, reason: `it has version ${version}; 1 is read` };
  const hash = findHash(reader.u8());
  if (hash === undefined) return { ok: false, reason: 'its file is hashed in an unknown way' };
  const digest = reader.slice(OTS_HASHES[hash].bytes).slice();
  const attested: Attested[] = [];
  const timestamp = readTimestamp({ reader, blockTags, attested }, digest, MAX_DEPTH);
  if (reader.failure === undefined && reader.remaining > 0) reader.reject('bytes follow the timestamp');
  if (reader.failure !== undefined) return { ok: false, reason: reader.failure };
  return { ok: true, value: { file: { hash, digest, timestamp }, attested } };
}

type Reading = { reader: ByteReader; blockTags: ReadonlySet<string>; attested: Attested[] };

function readTimestamp(reading: Reading, message: Uint8Array, depth: number): OtsTimestamp {
  const { reader } = reading;
  const timestamp: OtsTimestamp = { attestations: [], operations: [] };
  if (depth === 0) reader.reject(`more than ${MAX_DEPTH} operations stand below one another`);
  for (let goesOn = true; goesOn && reader.failure === undefined; ) {
    let tag = reader.u8();
    goesOn = tag === FORK;
    if (goesOn) tag = reader.u8();
    if (reader.failure !== undefined) break;
    if (tag === ATTESTATION) {
      const attestation = readAttestation(reading);
      timestamp.attestations.push(attestation);
      reading.attested.push({ attestation, message });
      continue;
    }
    const operation = readOperation(reader, tag);
    const result = operation && applyOperation(operation, message);
    if (operation === undefined || result === undefined) {
      reader.reject('an operation is unknown, or makes a message too long');
      break;
    }
    timestamp.operations.push({ operation, next: readTimestamp(reading, result, depth - 1) });
  }
  return timestamp;
}

function readOperation(reader: ByteReader, tag: number): OtsOperation | undefined {
  if (tag !== OTS_TAGS.append && tag !== OTS_TAGS.prepend) return findPlainOperation(tag);
  const argument = readVarbytes(reader, MAX_OTS_MESSAGE);
  if (argument.length === 0) reader.reject('an operation has no argument');
  return { kind: tag === OTS_TAGS.append ? 'append' : 'prepend', argument };
}

function readAttestation({ reader, blockTags }: Reading): OtsAttestation {
  const tag = bytesToHex(reader.slice(OTS_TAG_BYTES));
  const payload = readVarbytes(reader, MAX_PAYLOAD);
  if (reader.failure !== undefined) return { kind: 'unknown', tag, payload };
  const isPending = tag === OTS_ATTESTATIONS.pending;
  if (!isPending && !blockTags.has(tag)) return { kind: 'unknown', tag, payload };
  const inner = createReader(payload);
  const attestation: OtsAttestation = isPending
    ? { kind: 'pending', uri: readUri(inner) }
    : { kind: 'block', tag, height: readVaruint(inner) };
  if (inner.failure !== undefined || inner.remaining > 0) reader.reject('an attestation has not its form');
  return attestation;
}

function readUri(reader: ByteReader): string {
  const uri = new TextDecoder('latin1').decode(readVarbytes(reader, MAX_PAYLOAD));
  if (!isCalendarUri(uri)) reader.reject('an address of a calendar has other characters');
  return uri;
}

function readVarbytes(reader: ByteReader, most: number): Uint8Array {
  const length = readVaruint(reader);
  if (length > most) reader.reject(`${length} bytes stand where ${most} may`);
  return reader.failure === undefined ? reader.slice(length).slice() : new Uint8Array(0);
}

/** Unsigned LEB128 as the format writes it, within safe integers. */
function readVaruint(reader: ByteReader): number {
  let value = 0;
  for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 128) {
    const byte = reader.u8();
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) {
      if (!Number.isSafeInteger(value)) reader.reject('a number is too large');
      return value;
    }
  }
  reader.reject('a number is too large');
  return 0;
}
