import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import type { FetchedBlock } from './fetched-block.ts';
import type { PreparedBatch } from './prepare-batch.ts';

type Column = Uint8Array | Uint32Array | BigInt64Array;
type ColumnName = {
  [Name in keyof ScannedBlock]: ScannedBlock[Name] extends Column ? Name : never;
}[keyof ScannedBlock];

const columns: readonly ColumnName[] = [
  ...(['raw', 'txOffset', 'txid', 'weight', 'inputStart', 'outputStart'] as const),
  ...(['outpointOffset', 'outputValue', 'scriptOffset', 'scriptLength', 'scriptKeys'] as const),
];
/** Blocks of fewer bytes share a buffer. Those of more are few in a batch, and are handed over without being copied. */
const SMALL_BYTES = 65_536;
/** Where columns begin, for the widest of their elements. */
const ALIGNMENT = 8;

/**
 * Makes a batch ready to be handed to another thread: the columns of its small blocks are copied into one buffer. Each buffer that is handed over
 * is compared with each one before it, so the columns of thousands of blocks with two transactions took seconds.
 *
 * @returns the batch, and the buffers that are to be handed over with it
 */
export function packBatch(batch: PreparedBatch): { batch: PreparedBatch; buffers: ArrayBuffer[] } {
  const small = batch.blocks.filter(isSmall);
  const room = small.reduce((sum, block) => sum + roomOf(block), 0);
  const slab = new ArrayBuffer(room);
  let end = 0;
  const move = <C extends Column>(column: C): C => {
    // A Buffer is one of bytes, too; what is handed over arrives as a Uint8Array.
    const type = column instanceof Uint8Array ? Uint8Array : column.constructor;
    const make = type as new (buffer: ArrayBuffer, at: number, length: number) => C;
    const moved = new make(slab, end, column.length);
    (moved as { set(column: C): void }).set(column);
    end += aligned(column);
    return moved;
  };
  const blocks = batch.blocks.map((block): FetchedBlock => {
    if (!isSmall(block)) return block;
    const scan = { ...block.scan };
    for (const name of columns) (scan[name] as Column) = move(block.scan[name]);
    return { height: block.height, hash: move(block.hash), scan };
  });
  const large = blocks.filter((block) => !isSmall(block));
  const views: ArrayBufferView[] = [
    ...[batch.spentOutput, batch.spentValue, batch.spentKeys],
    ...large.flatMap(({ scan }) => columns.map((name) => scan[name])),
  ];
  const owned = views.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
  return { batch: { ...batch, blocks }, buffers: small.length === 0 ? owned : [slab, ...owned] };
}

function isSmall({ scan }: FetchedBlock): boolean {
  return scan.raw.length < SMALL_BYTES;
}

function roomOf({ hash, scan }: FetchedBlock): number {
  return columns.reduce((sum, name) => sum + aligned(scan[name]), aligned(hash));
}

function aligned({ byteLength }: Column): number {
  return Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
}
