import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';

/** An operation on a message: `append` and `prepend` have an argument, the others none. */
export type OtsOperation =
  | { kind: 'append' | 'prepend'; argument: Uint8Array }
  | { kind: 'reverse' | 'hexlify' }
  | { kind: OtsHash };

/** Hash operations. Files are hashed with one of them. */
export type OtsHash = 'sha1' | 'ripemd160' | 'sha256' | 'keccak256';

/** Tags of operations in a file. */
export const OTS_TAGS = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
} as const;

/** Hash operations, with the length of what they give. */
export const OTS_HASHES: Readonly<
  Record<OtsHash, { bytes: number; hash: (message: Uint8Array) => Uint8Array }>
> = {
  sha1: { bytes: 20, hash: sha1 },
  ripemd160: { bytes: 20, hash: ripemd160 },
  sha256: { bytes: 32, hash: sha256 },
  keccak256: { bytes: 32, hash: keccak_256 },
};

/** Bytes of a message or of an argument at most. */
export const MAX_OTS_MESSAGE = 4_096;

/** The result of an operation; undefined where it, or the message, would be too long. */
export function applyOperation(operation: OtsOperation, message: Uint8Array): Uint8Array | undefined {
  if (message.length > MAX_OTS_MESSAGE) return undefined;
  const result = apply(operation, message);
  return result.length > MAX_OTS_MESSAGE ? undefined : result;
}

function apply(operation: OtsOperation, message: Uint8Array): Uint8Array {
  switch (operation.kind) {
    case 'append':
      return concatBytes(message, operation.argument);
    case 'prepend':
      return concatBytes(operation.argument, message);
    case 'reverse':
      return message.slice().reverse();
    case 'hexlify':
      return new TextEncoder().encode(bytesToHex(message));
    default:
      return OTS_HASHES[operation.kind].hash(message);
  }
}

/** The operation of a tag that takes no argument. */
export function findPlainOperation(tag: number): Exclude<OtsOperation, { argument: Uint8Array }> | undefined {
  const hash = findHash(tag);
  if (hash !== undefined) return { kind: hash };
  if (tag === OTS_TAGS.reverse) return { kind: 'reverse' };
  return tag === OTS_TAGS.hexlify ? { kind: 'hexlify' } : undefined;
}

/** The hash operation of a tag. */
export function findHash(tag: number): OtsHash | undefined {
  return (Object.keys(OTS_HASHES) as OtsHash[]).find((kind) => OTS_TAGS[kind] === tag);
}
