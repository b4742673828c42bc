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
  readonly fault: PayloadFault | Fault | undefined;
  reject(fault: PayloadFault | Fault): void;
  u8(): number;
  /** A copy of the next bytes. */
  bytes(length: number): Uint8Array;
  /** What is left, unread, as a view. */
  peek(): Uint8Array;
  /** A copy of all that is left. */
  rest(): Uint8Array;
  /** Rejects what was not read. */
  end(): void;
};

/** Reads from an offset on. `Fault` are the faults that the protocol adds to {@link PAYLOAD_FAULTS}. */
export function createPayloadReader<Fault extends string>(
  payload: Uint8Array,
  offset: number,
): PayloadReader<Fault> {
  let position = offset;
  let fault: PayloadFault | Fault | undefined;

  const reject = (reason: PayloadFault | Fault): void => {
    fault ??= reason;
  };
  const bytes = (length: number): Uint8Array => {
    if (position + length > payload.length) reject('payload_truncated');
    if (fault !== undefined) return new Uint8Array(0);
    position += length;
    // Not `slice`: that of Node's Buffer is a view.
    return new Uint8Array(payload.subarray(position - length, position));
  };
  const u8 = (): number => {
    if (position + 1 > payload.length) reject('payload_truncated');
    return fault === undefined ? payload[position++]! : 0;
  };

  return {
    get fault() {
      return fault;
    },
    reject,
    u8,
    peek: () => payload.subarray(position),
    bytes,
    rest: () => bytes(Math.max(0, payload.length - position)),
    end() {
      if (position < payload.length) reject('payload_trailing');
    },
  };
}

type FieldReader = Pick<PayloadReader<FieldFault>, 'reject' | 'u8' | 'bytes' | 'peek'> & {
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
  const read = readLeb128(reader.peek(), 0);
  if (read.ok) {
    reader.bytes(read.next);
    return read.value;
  }
  reader.reject(read.fault === 'truncated' ? 'payload_truncated' : `integer_${read.fault}`);
  return 0n;
}
