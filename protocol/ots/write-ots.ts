import { bytesToHex, concatBytes } from '../bytes.ts';
import { encodeLeb128 } from '../leb128.ts';
import { OTS_ATTESTATIONS, type OtsAttestation, tagBytes } from './ots-attestations.ts';
import { OTS_TAGS, type OtsOperation } from './ots-operations.ts';
import { OTS_MAGIC, OTS_VERSION, type OtsFile, type OtsTimestamp } from './parse-ots.ts';

const FORK = Uint8Array.of(0xff);
const ATTESTATION = Uint8Array.of(0x00);

/**
 * Writes a file of OpenTimestamps, with attestations before operations and both in the order of the format.
 * @throws RangeError for a timestamp with neither.
 */
export function writeOts({ hash, digest, timestamp }: OtsFile): Uint8Array {
  return concatBytes(
    OTS_MAGIC,
    Uint8Array.of(OTS_VERSION, OTS_TAGS[hash]),
    digest,
    writeOtsTimestamp(timestamp),
  );
}

/** Writes what a file has behind its digest, which is also what calendars answer with. @throws RangeError for a timestamp with nothing */
export function writeOtsTimestamp(timestamp: OtsTimestamp): Uint8Array {
  return concatBytes(...writeTimestamp(timestamp));
}

/** A timestamp without branches: operations one after another, and what attests their result. */
export function chainOperations(
  operations: readonly OtsOperation[],
  attestation: OtsAttestation,
): OtsTimestamp {
  let timestamp: OtsTimestamp = { attestations: [attestation], operations: [] };
  for (const operation of operations.toReversed())
    timestamp = { attestations: [], operations: [{ operation, next: timestamp }] };
  return timestamp;
}

function writeTimestamp({ attestations, operations }: OtsTimestamp): Uint8Array[] {
  const items = [
    ...sortByBytes(attestations.map(writeAttestation)).map((bytes) => [ATTESTATION, bytes]),
    ...operations
      .map(({ operation, next }) => ({ key: writeOperation(operation), next }))
      .sort((a, b) => compareOperations(a.key, b.key))
      .map(({ key, next }) => [key, ...writeTimestamp(next)]),
  ];
  if (items.length === 0) throw new RangeError('a timestamp has an attestation or an operation');
  return items.flatMap((item, i) => (i < items.length - 1 ? [FORK, ...item] : item));
}

function writeAttestation(attestation: OtsAttestation): Uint8Array {
  switch (attestation.kind) {
    case 'block':
      return concatBytes(tagBytes(attestation.tag), withLength(encodeLeb128(attestation.height)));
    case 'pending': {
      const uri = withLength(new TextEncoder().encode(attestation.uri));
      return concatBytes(tagBytes(OTS_ATTESTATIONS.pending), withLength(uri));
    }
    case 'unknown':
      return concatBytes(tagBytes(attestation.tag), withLength(attestation.payload));
  }
}

function writeOperation(operation: OtsOperation): Uint8Array {
  const tag = Uint8Array.of(OTS_TAGS[operation.kind]);
  return 'argument' in operation ? concatBytes(tag, withLength(operation.argument)) : tag;
}

function withLength(bytes: Uint8Array): Uint8Array {
  return concatBytes(encodeLeb128(bytes.length), bytes);
}

/** By tag, then by argument, whatever its length. */
function compareOperations(a: Uint8Array, b: Uint8Array): number {
  const [left, right] = [a, b].map(
    (bytes) => bytesToHex(bytes.subarray(0, 1)) + bytesToHex(argumentOf(bytes)),
  );
  return left! < right! ? -1 : left! > right! ? 1 : 0;
}

function argumentOf(written: Uint8Array): Uint8Array {
  let at = 1;
  while (at < written.length && written[at]! >= 0x80) at += 1;
  return written.subarray(at + 1);
}

function sortByBytes(all: readonly Uint8Array[]): Uint8Array[] {
  return all
    .map((bytes) => ({ bytes, key: bytesToHex(bytes) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ bytes }) => bytes);
}
