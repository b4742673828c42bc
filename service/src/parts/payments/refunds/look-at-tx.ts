import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { type ChainView, parseStripped } from '../../../chain/chain-reads.ts';
import type { SeenTx } from './refund-rules.ts';

/** A transaction as refunds look at it; undefined when neither chain nor mempool has it. */
export async function lookAtTx(view: ChainView, txid: string): Promise<SeenTx | undefined> {
  const record = await view.findTx(getValue(parseDisplayHash(txid)));
  if (record === undefined) return undefined;
  return {
    height: record.status.confirmed ? record.status.height : null,
    readOutputs: () => parseStripped(record).outputs,
  };
}
