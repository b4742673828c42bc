import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import type { FetchedBlock } from '../../service/src/indexer/feed/fetched-block.ts';
import { outpointKey } from '../../service/src/indexer/mempool/held-spends.ts';

/** The transactions of a block, in its order. */
export function listTxs({ scan }: FetchedBlock): Transaction[] {
  return Array.from({ length: scan.txCount }, (_, t) =>
    getValue(parseTransaction(scan.raw.subarray(scan.txOffset[t]!, scan.txOffset[t + 1]!))),
  );
}

/** The outpoints that are left after these blocks, as `outpointKey` names them. */
export function listUnspent(blocks: readonly FetchedBlock[]): Set<string> {
  const unspent = new Set<string>();
  for (const tx of blocks.flatMap(listTxs)) spendIn(unspent, tx);
  return unspent;
}

/** Whether all that a transaction spends is there. */
export function canSpend(unspent: ReadonlySet<string>, { inputs }: Transaction): boolean {
  return inputs.every(({ prevTxid, prevVout }) => unspent.has(outpointKey(prevTxid, prevVout)));
}

/** Takes out what a transaction spends, and adds what it makes. */
export function spendIn(unspent: Set<string>, tx: Transaction): void {
  for (const { prevTxid, prevVout } of tx.inputs) unspent.delete(outpointKey(prevTxid, prevVout));
  const txid = txidOf(tx);
  for (const vout of tx.outputs.keys()) unspent.add(outpointKey(txid, vout));
}
