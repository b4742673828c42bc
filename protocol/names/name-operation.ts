import { concatBytes } from '../bytes.ts';
import type { Decoded } from '../operation.ts';
import { createPayloadReader, type PayloadFault } from '../payload-reader.ts';
import type { NameRules } from '../profile.ts';
import { nameBytes, nameText } from './name-syntax.ts';

/** What a name payload asks for. A name is text of one character a byte, not yet judged by syntax. */
export type NameOperation =
  | { kind: 'commit'; commitment: Uint8Array }
  | { kind: 'register'; periods: number; salt: Uint8Array; name: string }
  | { kind: 'transfer'; toVout: number; name: string }
  | { kind: 'renew'; periods: number; name: string }
  /** Of an empty name: the sender's reverse record is removed. */
  | { kind: 'reverse'; name: string }
  /** Of a hash of zeros: the name has no text records from here on. */
  | { kind: 'records'; hash: Uint8Array; name: string };

/** The opcodes of names. */
export const NAME_OPCODES = {
  commit: 1,
  register: 2,
  transfer: 3,
  renew: 4,
  reverse: 5,
  records: 6,
} as const;

/** Operations that a coin has from a height of its own on, if ever. */
export type LaterKind = 'reverse' | 'records';

/** All of them: for reading what somebody is about to sign, or signed, whatever becomes of it. */
export const LATER_KINDS: readonly LaterKind[] = ['reverse', 'records'];

/** Those that a block of a height can have. */
export function listLaterKinds(
  {
    reverseActivationHeight: reverse,
    recordsActivationHeight: records,
  }: Pick<NameRules, 'reverseActivationHeight' | 'recordsActivationHeight'>,
  height: number,
): readonly LaterKind[] {
  const isOn = { reverse, records };
  return LATER_KINDS.filter((kind) => isOn[kind] !== undefined && height >= isOn[kind]);
}

const MARKER_BYTES = 4;
const COMMITMENT_BYTES = 32;
const RECORDS_HASH_BYTES = 32;
/** Length of the salt of a commitment. */
export const SALT_BYTES = 16;

/**
 * Reads a payload that begins with the marker. Syntax of names and ranges of periods are judged by the rules.
 *
 * @param later - operations that there are besides those of every coin
 */
export function decodeNameOperation(
  payload: Uint8Array,
  later: readonly LaterKind[] = [],
): Decoded<NameOperation, PayloadFault> {
  const reader = createPayloadReader<never>(payload, MARKER_BYTES);
  const opcode = reader.u8();
  let operation: NameOperation | undefined;
  if (opcode === NAME_OPCODES.commit) {
    operation = { kind: 'commit', commitment: reader.bytes(COMMITMENT_BYTES) };
  } else if (opcode === NAME_OPCODES.register) {
    const periods = reader.u8();
    operation = { kind: 'register', periods, salt: reader.bytes(SALT_BYTES), name: nameText(reader.rest()) };
  } else if (opcode === NAME_OPCODES.transfer) {
    operation = { kind: 'transfer', toVout: reader.u8(), name: nameText(reader.rest()) };
  } else if (opcode === NAME_OPCODES.renew) {
    operation = { kind: 'renew', periods: reader.u8(), name: nameText(reader.rest()) };
  } else if (opcode === NAME_OPCODES.reverse && later.includes('reverse')) {
    operation = { kind: 'reverse', name: nameText(reader.rest()) };
  } else if (opcode === NAME_OPCODES.records && later.includes('records')) {
    operation = { kind: 'records', hash: reader.bytes(RECORDS_HASH_BYTES), name: nameText(reader.rest()) };
  } else {
    reader.reject('unknown_opcode');
  }
  reader.end();
  if (reader.fault !== undefined) return { ok: false, reason: reader.fault };
  return { ok: true, operation: operation! };
}

/**
 * The payload of an operation, marker first. What the rules would refuse is written as it is.
 * @throws RangeError when a field does not fit its bytes.
 */
export function encodeNameOperation(operation: NameOperation, marker: Uint8Array): Uint8Array {
  return concatBytes(marker, Uint8Array.of(NAME_OPCODES[operation.kind]), ...encodeFields(operation));
}

function encodeFields(operation: NameOperation): Uint8Array[] {
  switch (operation.kind) {
    case 'commit':
      return [fixed(operation.commitment, COMMITMENT_BYTES)];
    case 'register':
      return [byte(operation.periods), fixed(operation.salt, SALT_BYTES), nameBytes(operation.name)];
    case 'transfer':
      return [byte(operation.toVout), nameBytes(operation.name)];
    case 'renew':
      return [byte(operation.periods), nameBytes(operation.name)];
    case 'reverse':
      return [nameBytes(operation.name)];
    case 'records':
      return [fixed(operation.hash, RECORDS_HASH_BYTES), nameBytes(operation.name)];
  }
}

function byte(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new RangeError(`${value} is no byte`);
  return Uint8Array.of(value);
}

function fixed(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new RangeError(`${length} bytes are needed, received ${bytes.length}`);
  return bytes;
}
