import { findRawOutput, listRawOutputs, sumRawOutputs } from '@coinfront/protocol/raw-outputs.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { createPageRoom } from '../disk/page-room.ts';
import {
  readBigVarint,
  readVarint,
  reserve,
  skipVarints,
  type VarintWriter,
  writeBigVarint,
  writeVarint,
} from '../encoding/varint.ts';

/**
 * A page holds neighbouring transactions of one block, as many as fit half a page of the database: reading a transaction
 * reads one page, and writing a block writes few rows.
 *
 * Format: count (2 bytes); for each transaction the distance of its id from the page's first and the offset of its
 * record (4 bytes each, big-endian); the records. A record is
 * - 32 bytes txid, then LEB128 numbers: weight; fee + 1, or 0 for a coinbase
 * - number of outputs; number of inputs, and for each how far its prevout's number lies below the transaction's id, 0 for a
 *   coinbase input
 * - the raw transaction up to the end
 */

/** Two fill one leaf of SQLite's b-tree (8,192 bytes) without overflow. */
const PAGE_BYTES = 3_900;
const DIRECTORY_ENTRY_BYTES = 8;

/** A transaction of a page. What is not read is not decoded. */
export type PagedTx = {
  id: number;
  /** Index in the page. */
  index: number;
  txid: Uint8Array;
  weight: number;
  fee: bigint | undefined;
  outputCount: number;
  /** The rest of the record: see {@link readPrevouts}, {@link readRaw}. */
  body: Uint8Array;
};

/** A finished page. */
export type FinishedPage = { firstId: number; position: number; data: Uint8Array };

/** Builds the pages of one block after another. */
export type TxPageBuilder = {
  readonly writer: VarintWriter;
  firstId: number;
  position: number;
  ids: number[];
  starts: number[];
  pages: FinishedPage[];
  readonly roomFor: (bytes: number) => Uint8Array;
};

/** Creates a builder. */
export function createTxPageBuilder(): TxPageBuilder {
  return {
    writer: { bytes: new Uint8Array(1 << 16), at: 0 },
    firstId: 0,
    position: 0,
    ids: [],
    starts: [],
    pages: [],
    roomFor: createPageRoom(),
  };
}

/** Begins the record of the next transaction. */
export function beginTx(builder: TxPageBuilder, id: number, position: number, rawBytes: number): void {
  const { writer } = builder;
  // What is written beside the raw bytes is small; a page may overrun a little and then takes a second one.
  const needed = writer.at + rawBytes + 64 + (builder.ids.length + 1) * DIRECTORY_ENTRY_BYTES;
  if (builder.ids.length > 0 && needed > PAGE_BYTES) finishPage(builder);
  if (builder.ids.length === 0) {
    builder.firstId = id;
    builder.position = position;
  }
  builder.ids.push(id);
  builder.starts.push(writer.at);
}

/** Writes bytes of the record as they are. */
export function writeBytes({ writer }: TxPageBuilder, source: Uint8Array, start: number, end: number): void {
  reserve(writer, end - start);
  if (end - start <= 32) {
    for (let i = start; i < end; i++) writer.bytes[writer.at++] = source[i]!;
  } else {
    writer.bytes.set(source.subarray(start, end), writer.at);
    writer.at += end - start;
  }
}

/** Ends the page under way, if any: a page never holds transactions of two blocks. */
export function finishPage(builder: TxPageBuilder): void {
  const { writer, ids, starts, firstId, position, roomFor } = builder;
  if (ids.length === 0) return;
  const head = 2 + ids.length * DIRECTORY_ENTRY_BYTES;
  const data = roomFor(head + writer.at);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  view.setUint16(0, ids.length);
  for (let i = 0; i < ids.length; i++) {
    view.setUint32(2 + i * DIRECTORY_ENTRY_BYTES, ids[i]! - firstId);
    view.setUint32(6 + i * DIRECTORY_ENTRY_BYTES, head + starts[i]!);
  }
  data.set(writer.bytes.subarray(0, writer.at), head);
  builder.pages.push({ firstId, position, data });
  builder.ids = [];
  builder.starts = [];
  writer.at = 0;
}

/** The transaction to which an output number belongs, on the page that holds it: the last one whose id is not above it. */
export function findTxOfOutput(data: Uint8Array, firstId: number, outputId: number): PagedTx {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let low = 0;
  let high = view.getUint16(0) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstId + view.getUint32(2 + middle * DIRECTORY_ENTRY_BYTES) <= outputId) low = middle;
    else high = middle - 1;
  }
  return readTxAt(data, view, firstId, low);
}

/** The number behind the last output of a page. */
export function endOfPage(data: Uint8Array, firstId: number): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const last = readTxAt(data, view, firstId, view.getUint16(0) - 1);
  return last.id + last.outputCount;
}

/** All transactions of a page. */
export function listPageTxs(data: Uint8Array, firstId: number): PagedTx[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: view.getUint16(0) }, (_, index) => readTxAt(data, view, firstId, index));
}

function readTxAt(data: Uint8Array, view: DataView, firstId: number, index: number): PagedTx {
  const entry = 2 + index * DIRECTORY_ENTRY_BYTES;
  const start = view.getUint32(entry + 4);
  const end = index + 1 < view.getUint16(0) ? view.getUint32(entry + DIRECTORY_ENTRY_BYTES + 4) : data.length;
  const reader = { bytes: data, at: start + 32 };
  const weight = readVarint(reader);
  const fee = readBigVarint(reader);
  const outputCount = readVarint(reader);
  return {
    id: firstId + view.getUint32(entry),
    index,
    txid: data.subarray(start, start + 32),
    weight,
    fee: fee === 0n ? undefined : fee - 1n,
    outputCount,
    body: data.subarray(reader.at, end),
  };
}

/** Writes the numbers in front of those of inputs. */
export function writeTxHead(
  { writer }: TxPageBuilder,
  weight: number,
  fee: bigint | undefined,
  outputCount: number,
): void {
  writeVarint(writer, weight);
  writeBigVarint(writer, fee === undefined ? 0n : fee + 1n);
  writeVarint(writer, outputCount);
}

/** Output numbers that the inputs spend; undefined for a coinbase input. */
export function readPrevouts({ id, body }: PagedTx): (number | undefined)[] {
  const reader = { bytes: body, at: 0 };
  return Array.from({ length: readVarint(reader) }, () => {
    const distance = readVarint(reader);
    return distance === 0 ? undefined : id - distance;
  });
}

/** All outputs. */
export function readOutputs(tx: PagedTx): TxOutput[] {
  return listRawOutputs(readRaw(tx));
}

/** Sum of all outputs. */
export function sumOutputs(tx: PagedTx): bigint {
  return sumRawOutputs(readRaw(tx));
}

/** One output, or undefined when there are fewer. */
export function findOutput(tx: PagedTx, vout: number): TxOutput | undefined {
  return vout < tx.outputCount ? findRawOutput(readRaw(tx), vout) : undefined;
}

/** The raw transaction. */
export function readRaw({ body }: PagedTx): Uint8Array {
  const reader = { bytes: body, at: 0 };
  skipVarints(reader, readVarint(reader));
  return body.subarray(reader.at);
}
