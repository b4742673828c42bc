import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concatBytes } from '../bytes.ts';
import { MAX_CARRIER_BYTES } from '../carrier.ts';
import { encodeLeb128 } from '../leb128.ts';
import type { Decoded } from '../operation.ts';
import {
  createPayloadReader,
  FIELD_FAULTS,
  type PayloadFault,
  type PayloadReader,
  readFlags,
  readInteger,
} from '../payload-reader.ts';

/** A share of a transfer: to the script of one of the transaction's outputs. */
export type TokenShare = { toVout: number; amount: bigint };

/** What a CREATE fixes for the life of a token. Amounts count the smallest parts that `decimals` allow. */
export type TokenTerms = {
  /** Whether the issuer may mint after the creation. */
  mintable: boolean;
  decimals: number;
  premine: bigint;
  /** Most that may ever be minted, the premine included; undefined: 2^63 - 1. */
  cap: bigint | undefined;
  /** 1 to 12 of A-Z and 0-9; a label, not unique. */
  ticker: string;
  /** SHA-256 of metadata that live elsewhere. */
  metadataHash: Uint8Array | undefined;
};

/** What a token payload asks for. */
export type TokenOperation =
  | { kind: 'create'; terms: TokenTerms }
  | { kind: 'mint'; tokenId: Uint8Array; closes: boolean; toVout: number; amount: bigint }
  | { kind: 'transfer'; tokenId: Uint8Array; shares: TokenShare[] }
  | { kind: 'burn'; tokenId: Uint8Array; amount: bigint }
  | TokenSweep;

/** Moves the balances of all tokens of its sender, as many as one sweep may, to the script of an output. */
export type TokenSweep = { kind: 'sweep'; toVout: number };

/** The opcodes of tokens. 5 and 6 are reserved for attaching a balance to an output, and invalid until then. */
export const TOKEN_OPCODES = { create: 1, mint: 2, transfer: 3, burn: 4, sweep: 7 } as const;

/** Bits of the flags of a CREATE. */
export const CREATE_FLAGS = { mintable: 1, cap: 2, metadata: 4 } as const;

const CLOSE_FLAG = 1;
const MARKER_BYTES = 4;
const HASH_BYTES = 32;
const MAX_DECIMALS = 18;
const MAX_TICKER_BYTES = 12;
const TICKER = /^[A-Z0-9]{1,12}$/;

/** What a token payload may do wrong beside the faults of every payload. */
export const TOKEN_PAYLOAD_FAULTS = {
  ...FIELD_FAULTS,
  decimals_too_many: 'A token has at most 18 decimals.',
  ticker_form: 'A ticker is 1 to 12 of A-Z and 0-9.',
  shares_none: 'A transfer has at least one share.',
} as const;

/** The codes of {@link TOKEN_PAYLOAD_FAULTS}. */
export type TokenPayloadFault = keyof typeof TOKEN_PAYLOAD_FAULTS;

type Reader = PayloadReader<TokenPayloadFault>;

/** Reads a payload that begins with the marker. Amounts are judged by the rules, and whether there are sweeps at its height. */
export function decodeTokenOperation(
  payload: Uint8Array,
): Decoded<TokenOperation, PayloadFault | TokenPayloadFault> {
  const reader: Reader = createPayloadReader(payload, MARKER_BYTES);
  const operation = readOperation(reader);
  reader.end();
  if (reader.fault !== undefined) return { ok: false, reason: reader.fault };
  return { ok: true, operation: operation! };
}

function readOperation(reader: Reader): TokenOperation | undefined {
  switch (reader.u8()) {
    case TOKEN_OPCODES.create:
      return { kind: 'create', terms: readTerms(reader) };
    case TOKEN_OPCODES.mint: {
      const tokenId = reader.bytes(HASH_BYTES);
      const closes = readFlags(reader, CLOSE_FLAG) !== 0;
      return { kind: 'mint', tokenId, closes, toVout: reader.u8(), amount: readInteger(reader) };
    }
    case TOKEN_OPCODES.transfer:
      return { kind: 'transfer', tokenId: reader.bytes(HASH_BYTES), shares: readShares(reader) };
    case TOKEN_OPCODES.burn:
      return { kind: 'burn', tokenId: reader.bytes(HASH_BYTES), amount: readInteger(reader) };
    case TOKEN_OPCODES.sweep:
      return { kind: 'sweep', toVout: reader.u8() };
    default:
      reader.reject('unknown_opcode');
      return undefined;
  }
}

function readTerms(reader: Reader): TokenTerms {
  const flags = readFlags(reader, CREATE_FLAGS.mintable | CREATE_FLAGS.cap | CREATE_FLAGS.metadata);
  const decimals = reader.u8();
  if (decimals > MAX_DECIMALS) reader.reject('decimals_too_many');
  const premine = readInteger(reader);
  const cap = (flags & CREATE_FLAGS.cap) !== 0 ? readInteger(reader) : undefined;
  const tickerBytes = reader.u8();
  if (reader.fault === undefined && (tickerBytes < 1 || tickerBytes > MAX_TICKER_BYTES)) {
    reader.reject('ticker_form');
  }
  const ticker = String.fromCharCode(...reader.bytes(tickerBytes));
  if (reader.fault === undefined && !TICKER.test(ticker)) reader.reject('ticker_form');
  const metadataHash = (flags & CREATE_FLAGS.metadata) !== 0 ? reader.bytes(HASH_BYTES) : undefined;
  return { mintable: (flags & CREATE_FLAGS.mintable) !== 0, decimals, premine, cap, ticker, metadataHash };
}

function readShares(reader: Reader): TokenShare[] {
  const count = reader.u8();
  if (count === 0) reader.reject('shares_none');
  const shares: TokenShare[] = [];
  while (shares.length < count && reader.fault === undefined) {
    shares.push({ toVout: reader.u8(), amount: readInteger(reader) });
  }
  return shares;
}

/**
 * The payload of an operation, marker first. What the rules would refuse is written as it is.
 * @throws RangeError when a field does not fit its bytes, or the payload a data carrier.
 */
export function encodeTokenOperation(operation: TokenOperation, marker: Uint8Array): Uint8Array {
  const opcode = Uint8Array.of(TOKEN_OPCODES[operation.kind]);
  const payload = concatBytes(marker, opcode, ...encodeFields(operation));
  if (payload.length > MAX_CARRIER_BYTES) {
    throw new RangeError(`payload has ${payload.length} bytes, a data carrier takes ${MAX_CARRIER_BYTES}`);
  }
  return payload;
}

function encodeFields(operation: TokenOperation): Uint8Array[] {
  switch (operation.kind) {
    case 'create':
      return encodeTerms(operation.terms);
    case 'mint': {
      const { tokenId, closes, toVout, amount } = operation;
      return [hash(tokenId), byte(closes ? CLOSE_FLAG : 0), byte(toVout), encodeLeb128(amount)];
    }
    case 'transfer': {
      const shares = operation.shares.flatMap(({ toVout, amount }) => [byte(toVout), encodeLeb128(amount)]);
      return [hash(operation.tokenId), byte(operation.shares.length), ...shares];
    }
    case 'burn':
      return [hash(operation.tokenId), encodeLeb128(operation.amount)];
    case 'sweep':
      return [byte(operation.toVout)];
  }
}

/** The fields of a CREATE behind its opcode; the canonical event has the same. */
export function encodeTerms(terms: TokenTerms): Uint8Array[] {
  const { mintable, decimals, premine, cap, ticker, metadataHash } = terms;
  if (!TICKER.test(ticker)) throw new RangeError('a ticker is 1 to 12 of A-Z and 0-9');
  const flags =
    (mintable ? CREATE_FLAGS.mintable : 0) |
    (cap !== undefined ? CREATE_FLAGS.cap : 0) |
    (metadataHash !== undefined ? CREATE_FLAGS.metadata : 0);
  return [
    byte(flags),
    byte(decimals),
    encodeLeb128(premine),
    ...(cap === undefined ? [] : [encodeLeb128(cap)]),
    byte(ticker.length),
    utf8ToBytes(ticker),
    ...(metadataHash === undefined ? [] : [hash(metadataHash)]),
  ];
}

function byte(value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value > 0xff) throw new RangeError(`${value} is no byte`);
  return Uint8Array.of(value);
}

function hash(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== HASH_BYTES) throw new RangeError(`a hash has 32 bytes, received ${bytes.length}`);
  return bytes;
}
