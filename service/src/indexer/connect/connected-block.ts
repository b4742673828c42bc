import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { OP_PUSHDATA1, OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import { medianTime } from '@coinfront/protocol/work.ts';
import type { FetchedBlock } from '../feed/fetched-block.ts';
import type { ConnectedBlock } from '../parts/part.ts';
import type { PrevoutScripts } from './prevout-scripts.ts';

/** What a block is part of while it is connected. */
export type BlockPlace = {
  /** Where its inputs and its outputs begin among those of the batch. */
  firstInput: number;
  firstOutput: number;
  /** Number of the first output of the batch. */
  firstOutputId: number;
  prevouts: PrevoutScripts;
};

/**
 * The view that parts have of a block.
 *
 * @param times of this block and of up to ten before it
 */
export function createConnectedBlock(
  { height, hash, scan }: FetchedBlock,
  times: readonly number[],
  { firstInput, firstOutput, firstOutputId, prevouts }: BlockPlace,
): ConnectedBlock {
  /** Parts go from one transaction to the next: keeping all of a block until its end costs more than to parse again. */
  let parsed: { position: number; tx: Transaction } | undefined;
  let carriers: number[] | undefined;
  const inputOf = (position: number, vin: number): number => firstInput + scan.inputStart[position]! + vin;
  return {
    height,
    hash,
    time: times.at(-1)!,
    medianTimePast: medianTime(times),
    txCount: scan.txCount,
    getTxid: (position) => scan.txid.subarray(position * 32, position * 32 + 32),
    getTxId: (position) => firstOutputId + firstOutput + scan.outputStart[position]!,
    getTransaction(position) {
      if (parsed?.position !== position) {
        const raw = scan.raw.subarray(scan.txOffset[position]!, scan.txOffset[position + 1]!);
        parsed = { position, tx: getValue(parseTransaction(raw)) };
      }
      return parsed.tx;
    },
    findPrevoutScript: async (position, vin) => (await prevouts.find([inputOf(position, vin)]))[0]?.script,
    findFirstPrevouts: (positions) => prevouts.find(positions.map((position) => inputOf(position, 0))),
    listDataCarriers(marker) {
      carriers ??= listCarriers(scan);
      return marker === undefined
        ? [...carriers]
        : carriers.filter((position) => mayCarry(scan, position, marker));
    },
  };
}

function listCarriers(scan: ScannedBlock): number[] {
  const positions: number[] = [];
  for (let t = 0; t < scan.txCount; t++) {
    for (let o = scan.outputStart[t]!; o < scan.outputStart[t + 1]!; o++) {
      if (scan.scriptLength[o]! === 0 || scan.raw[scan.scriptOffset[o]!] !== OP_RETURN) continue;
      positions.push(t);
      break;
    }
  }
  return positions;
}

/** Whether an output of the transaction has the marker where the first push of a data carrier has its bytes. */
function mayCarry(scan: ScannedBlock, position: number, marker: Uint8Array): boolean {
  const { raw } = scan;
  for (let o = scan.outputStart[position]!; o < scan.outputStart[position + 1]!; o++) {
    const at = scan.scriptOffset[o]!;
    if (scan.scriptLength[o]! < 2 + marker.length || raw[at] !== OP_RETURN) continue;
    const payloadAt = at + (raw[at + 1] === OP_PUSHDATA1 ? 3 : 2);
    let same = 0;
    while (same < marker.length && raw[payloadAt + same] === marker[same]) same++;
    if (same === marker.length) return true;
  }
  return false;
}
