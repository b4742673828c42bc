import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import { medianTime } from '@coinfront/protocol/work.ts';
import type { Reader } from '../db/database.ts';
import type { FetchedBlock } from './fetched-block.ts';
import type { ConnectedBlock } from './part.ts';
import type { ResolvedInputs } from './resolve-inputs.ts';
import { findStoredTx, readScriptOf } from './tx-store.ts';

/**
 * The view that parts have of a block.
 *
 * @param times of this block and of up to ten before it
 * @param firstInput where the block's inputs begin in `inputs`
 * @param reader sees the batch's own transactions
 */
export function createConnectedBlock(
  { height, hash, scan }: FetchedBlock,
  times: readonly number[],
  inputs: ResolvedInputs,
  firstInput: number,
  reader: Reader,
): ConnectedBlock {
  const parsed = new Map<number, Transaction>();
  return {
    height,
    hash,
    time: times.at(-1)!,
    medianTimePast: medianTime(times),
    txCount: scan.txCount,
    getTxid: (position) => scan.txid.subarray(position * 32, position * 32 + 32),
    getTransaction(position) {
      let tx = parsed.get(position);
      if (!tx) {
        tx = getValue(
          parseTransaction(scan.raw.subarray(scan.txOffset[position]!, scan.txOffset[position + 1]!)),
        );
        parsed.set(position, tx);
      }
      return tx;
    },
    async findPrevoutScript(position, vin) {
      const outputId = inputs.outputId[firstInput + scan.inputStart[position]! + vin]!;
      const source = outputId < 0 ? undefined : await findStoredTx(reader, outputId);
      return source && readScriptOf(source, outputId - source.id);
    },
    listDataCarriers() {
      const positions: number[] = [];
      for (let t = 0; t < scan.txCount; t++) {
        for (let o = scan.outputStart[t]!; o < scan.outputStart[t + 1]!; o++) {
          if (scan.scriptLength[o]! === 0 || scan.raw[scan.scriptOffset[o]!] !== OP_RETURN) continue;
          positions.push(t);
          break;
        }
      }
      return positions;
    },
  };
}
