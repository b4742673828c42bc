import { isEqual } from './bytes.ts';
import type { Output } from './transaction.ts';

/** Why an operation is invalid, by the words of `docs/protocols`. */
export class Invalid extends Error {
  override readonly name = 'Invalid';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** Holds, or the operation is invalid. */
export function demand(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Invalid(reason);
}

const OP_RETURN = 0x6a;
const OP_PUSHDATA1 = 0x4c;
const LONGEST_DIRECT = 75;
const LONGEST_PAYLOAD = 80;
const LONGEST_INTEGER = 9;

/** The payload that a script carries; undefined where it carries nothing. */
export function findPayload(script: Uint8Array): Uint8Array | undefined {
  if (script[0] !== OP_RETURN || script.length < 2) return undefined;
  const isLong = script[1] === OP_PUSHDATA1 && script.length > 2;
  const length = isLong ? script[2]! : script[1]!;
  const [least, most] = isLong ? [LONGEST_DIRECT + 1, LONGEST_PAYLOAD] : [0, LONGEST_DIRECT];
  const payload = script.subarray(isLong ? 3 : 2);
  if (length < least || length > most || payload.length !== length) return undefined;
  const byte = payload[0]!;
  const hasOpcode = length === 1 && ((byte >= 1 && byte <= 16) || byte === 0x81);
  return hasOpcode ? undefined : payload;
}

/** The payloads of a protocol among these outputs. */
export function listPayloads(outputs: readonly Output[], marker: Uint8Array): Uint8Array[] {
  return outputs.flatMap(({ script }) => {
    const payload = findPayload(script);
    return payload !== undefined && isEqual(payload.subarray(0, 4), marker) ? [payload] : [];
  });
}

/** Reads the fields of an operation. What is missing makes it invalid. */
export type Fields = {
  byte(): number;
  bytes(length: number): Uint8Array;
  integer(): bigint;
  rest(): Uint8Array;
  end(): void;
  /** Where reading goes on, and what was read since then. */
  place(): number;
  since(place: number): Uint8Array;
};

/** @param payload - whole; reading begins at `from` */
export function createFields(payload: Uint8Array, from: number): Fields {
  let place = from;
  const fields: Fields = {
    byte: () => fields.bytes(1)[0]!,
    bytes(length) {
      demand(payload.length - place >= length, 'payload_truncated');
      place += length;
      return payload.subarray(place - length, place);
    },
    integer() {
      let value = 0n;
      for (let i = 0; i < LONGEST_INTEGER; i++) {
        const byte = fields.byte();
        value |= BigInt(byte & 0x7f) << BigInt(7 * i);
        if (byte >= 0x80) continue;
        demand(byte !== 0 || i === 0, 'integer_not_minimal');
        return value;
      }
      throw new Invalid('integer_too_large');
    },
    rest: () => fields.bytes(payload.length - place),
    end: () => demand(place === payload.length, 'payload_trailing'),
    place: () => place,
    since: (from) => payload.subarray(from, place),
  };
  return fields;
}

/** The script of the output that an operation names as its recipient. */
export function findRecipient(outputs: readonly Output[], vout: number): Uint8Array {
  const script = outputs[vout]?.script;
  if (script === undefined) throw new Invalid('output_missing');
  demand(script[0] !== OP_RETURN, 'output_is_carrier');
  // A copy: what a state keeps must not keep a whole block.
  return script.slice();
}

/** What a transaction pays to a script. */
export function sumPaid(outputs: readonly Output[], script: Uint8Array): bigint {
  return outputs.reduce((sum, output) => (isEqual(output.script, script) ? sum + output.value : sum), 0n);
}
