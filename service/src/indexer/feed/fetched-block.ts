import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';

/** A block of the node's best chain, scanned and ready to be connected. */
export type FetchedBlock = {
  height: number;
  /** Internal byte order. */
  hash: Uint8Array;
  scan: ScannedBlock;
};

/** Bytes of an outpoint: a txid in internal byte order, an output index. */
export const OUTPOINT_BYTES = 36;

/** Whether input bytes at `offset` are the null outpoint of a coinbase; its index alone tells. */
export function isNullOutpoint(raw: Uint8Array, offset: number): boolean {
  return (
    raw[offset + 32] === 0xff &&
    raw[offset + 33] === 0xff &&
    raw[offset + 34] === 0xff &&
    raw[offset + 35] === 0xff
  );
}

/** The output index of the outpoint at `offset`. */
export function readVout(raw: Uint8Array, offset: number): number {
  return (
    (raw[offset + 32]! | (raw[offset + 33]! << 8) | (raw[offset + 34]! << 16) | (raw[offset + 35]! << 24)) >>>
    0
  );
}

/** The hash of the block that this one follows; internal byte order. */
export function previousHash({ scan }: FetchedBlock): Uint8Array {
  return scan.raw.subarray(4, 36);
}
