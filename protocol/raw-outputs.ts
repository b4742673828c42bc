import { equalRanges } from './bytes.ts';
import type { TxOutput } from './transaction.ts';

/**
 * One output of a serialised transaction, found by skipping what lies before it: for a stored transaction, checked when it
 * came, a tenth of the time that parsing it whole takes.
 *
 * @returns the script as a view on `raw`; undefined when there are fewer outputs, or when the bytes end before
 */
export function findRawOutput(raw: Uint8Array, vout: number): TxOutput | undefined {
  const cursor = openOutputs(raw);
  if (vout >= readSize(cursor)) return undefined;
  for (let skip = vout; skip > 0 && cursor.at < raw.length; skip--) {
    cursor.at += 8;
    const length = readSize(cursor);
    cursor.at += length;
  }
  return readOutput(cursor);
}

/**
 * All outputs of a serialised transaction, in order, as {@link findRawOutput} finds each. What ends before its outputs do has
 * as many as are whole.
 */
export function listRawOutputs(raw: Uint8Array): TxOutput[] {
  const cursor = openOutputs(raw);
  const found: TxOutput[] = [];
  for (let outputs = readSize(cursor); outputs > 0; outputs--) {
    const output = readOutput(cursor);
    if (!output) break;
    found.push(output);
  }
  return found;
}

/**
 * The first output of a serialised transaction that pays a script, which is compared where it lies: a transaction may have a hundred
 * thousand outputs. {@link listRawOutputs} says which are looked at.
 */
export function findRawPayment(raw: Uint8Array, script: Uint8Array): number | undefined {
  const cursor = openOutputs(raw);
  const outputs = readSize(cursor);
  for (let vout = 0; vout < outputs; vout++) {
    cursor.at += 8;
    const length = readSize(cursor);
    const start = cursor.at;
    cursor.at += length;
    if (cursor.at > raw.length) return undefined;
    if (length === script.length && equalRanges(raw, start, script, 0, length)) return vout;
  }
  return undefined;
}

/** What all outputs of a serialised transaction have together; {@link listRawOutputs} says of which. */
export function sumRawOutputs(raw: Uint8Array): bigint {
  const cursor = openOutputs(raw);
  // Of a transaction there are too few for either sum to leave the safe integers.
  let low = 0;
  let high = 0;
  for (let outputs = readSize(cursor); outputs > 0; outputs--) {
    const valueAt = cursor.at;
    cursor.at += 8;
    const length = readSize(cursor);
    cursor.at += length;
    if (cursor.at > raw.length) break;
    low += readUint32(raw, valueAt);
    high += readUint32(raw, valueAt + 4);
  }
  return (BigInt(high) << 32n) + BigInt(low);
}

function readOutput(cursor: { raw: Uint8Array; at: number }): TxOutput | undefined {
  const { raw } = cursor;
  const valueAt = cursor.at;
  cursor.at += 8;
  const length = readSize(cursor);
  const start = cursor.at;
  cursor.at += length;
  if (cursor.at > raw.length) return undefined;
  const high = readUint32(raw, valueAt + 4);
  const low = readUint32(raw, valueAt);
  // Most values are safe integers, which are read in a fraction of the time.
  const value = high < 0x200000 ? BigInt(high * 0x100000000 + low) : (BigInt(high) << 32n) | BigInt(low);
  return { value, script: raw.subarray(start, cursor.at) };
}

/** Little-endian. */
function readUint32(raw: Uint8Array, at: number): number {
  return (raw[at]! | (raw[at + 1]! << 8) | (raw[at + 2]! << 16) | (raw[at + 3]! << 24)) >>> 0;
}

/** At the number of outputs. */
function openOutputs(raw: Uint8Array): { raw: Uint8Array; at: number } {
  const cursor = { raw, at: 4 };
  if (raw[4] === 0) cursor.at = 6;
  for (let inputs = readSize(cursor); inputs > 0 && cursor.at < raw.length; inputs--) {
    cursor.at += 36;
    const length = readSize(cursor);
    cursor.at += length + 4;
  }
  return cursor;
}

function readSize(cursor: { raw: Uint8Array; at: number }): number {
  const { raw } = cursor;
  const first = raw[cursor.at++] ?? 0;
  if (first < 0xfd) return first;
  const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + (raw[cursor.at + i] ?? 0);
  cursor.at += width;
  return value;
}
