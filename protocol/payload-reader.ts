import { readLeb128 } from './leb128.ts';

/** Why the bytes behind a marker are no operation, in the order of the bytes. */
export const PAYLOAD_FAULTS = {
  payload_truncated: 'The payload ends within a field.',
  payload_trailing: 'The payload has bytes behind its last field.',
  unknown_opcode: 'The payload has an opcode that the protocol does not define.',
} as const;

/** The codes of {@link PAYLOAD_FAULTS}. */
export type PayloadFault = keyof typeof PAYLOAD_FAULTS;

/** What payloads that have flags or integers may do wrong besides. */
export const FIELD_FAULTS = {
  unknown_flags: 'The payload sets flags that its operation does not define.',
  integer_not_minimal: 'The payload writes an integer longer than it needs to be.',
  integer_too_large: 'The payload has an integer above 2^63 - 1.',
} as const;

/** The codes of {@link FIELD_FAULTS}. */
export type FieldFault = keyof typeof FIELD_FAULTS;

/**
 * Reads a payload from left to right. The first fault is kept; from then on every read answers zero or nothing, so
 * a caller may read a whole operation and look once.
 */
export type PayloadReader<Fault extends string> = {
  readonly payload: Uint8Array;
  readonly fault: PayloadFault | Fault | undefined;
  /** Offset of the next byte. */
  position: number;
  reject(fault: PayloadFault | Fault): void;
  u8(): number;
  /** A copy of the next bytes. */
  bytes(length: number): Uint8Array;
  /** A copy of all that is left. */
  rest(): Uint8Array;
  /** Rejects what was not read. */
  end(): void;
};

/** A class for the speed of it: one is made for every operation. */
class FaultKeepingReader<Fault extends string> implements PayloadReader<Fault> {
  readonly payload: Uint8Array;
  position: number;
  fault: PayloadFault | Fault | undefined = undefined;

  constructor(payload: Uint8Array, offset: number) {
    this.payload = payload;
    this.position = offset;
  }

  reject(fault: PayloadFault | Fault): void {
    this.fault ??= fault;
  }

  u8(): number {
    if (this.position + 1 > this.payload.length) this.reject('payload_truncated');
    return this.fault === undefined ? this.payload[this.position++]! : 0;
  }

  bytes(length: number): Uint8Array {
    const start = this.position;
    if (start + length > this.payload.length) this.reject('payload_truncated');
    if (this.fault !== undefined) return new Uint8Array(0);
    this.position = start + length;
    const copy = new Uint8Array(length);
    for (let i = 0; i < length; i++) copy[i] = this.payload[start + i]!;
    return copy;
  }

  rest(): Uint8Array {
    return this.bytes(Math.max(0, this.payload.length - this.position));
  }

  end(): void {
    if (this.position < this.payload.length) this.reject('payload_trailing');
  }
}

/** Reads from an offset on. `Fault` are the faults that the protocol adds to {@link PAYLOAD_FAULTS}. */
export function createPayloadReader<Fault extends string>(
  payload: Uint8Array,
  offset: number,
): PayloadReader<Fault> {
  return new FaultKeepingReader(payload, offset);
}

type FieldReader = Pick<PayloadReader<FieldFault>, 'payload' | 'position' | 'reject' | 'u8'> & {
  readonly fault: string | undefined;
};

/** One byte of which only the bits of the mask may be set. */
export function readFlags(reader: FieldReader, mask: number): number {
  const value = reader.u8();
  if ((value & ~mask) !== 0) reader.reject('unknown_flags');
  return value;
}

/** An integer as minimal unsigned LEB128. */
export function readInteger(reader: FieldReader): bigint {
  if (reader.fault !== undefined) return 0n;
  const read = readLeb128(reader.payload, reader.position);
  if (read.ok) {
    reader.position = read.next;
    return read.value;
  }
  reader.reject(read.fault === 'truncated' ? 'payload_truncated' : `integer_${read.fault}`);
  return 0n;
}
