/** What a transaction of the mempool is worth before it is in a block: whether it may be replaced, and what it pays. */

import { getHexBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { formatFeeRate, signalsReplaceability } from '@coinfront/protocol/relay-rules.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { type ChainView, parseStripped, type TxRecord } from '../../../chain/chain-reads.ts';

export type UnconfirmedTraits = {
  /** Whether it, or an unconfirmed transaction that it descends from, says that it may be replaced (BIP-125). */
  replaceable: boolean;
  /** Base units per virtual byte. */
  feeRate: string;
};

/** Ancestors that are looked at; nodes take fewer (25) unless told otherwise. One with more counts as replaceable. */
const MAX_ANCESTORS = 100;
/** Inputs of all of them together. */
const MAX_INPUTS = 5_000;

/** The traits of those of the transactions that are in the mempool, by display txid. */
export async function readTraits(
  view: ChainView,
  txids: readonly string[],
): Promise<Map<string, UnconfirmedTraits>> {
  const traits = new Map<string, UnconfirmedTraits>();
  for (const txid of txids) {
    const record = await view.findUnconfirmedTx(getValue(parseDisplayHash(txid)));
    if (record?.fee === undefined) continue;
    traits.set(txid, {
      replaceable: await isReplaceable(view, record),
      feeRate: formatFeeRate(record.fee, record.weight),
    });
  }
  return traits;
}

async function isReplaceable(view: ChainView, record: TxRecord): Promise<boolean> {
  const queue = [record];
  const seen = new Set<string>();
  let inputs = 0;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const tx = parseStripped(next);
    if (signalsReplaceability(tx)) return true;
    inputs += tx.inputs.length;
    if (inputs > MAX_INPUTS) return true;
    for (const { prevTxid } of tx.inputs) {
      const key = Buffer.from(prevTxid).toString('hex');
      if (seen.has(key)) continue;
      seen.add(key);
      const parent = await view.findUnconfirmedTx(getHexBytes(key));
      if (parent === undefined) continue;
      queue.push(parent);
      if (queue.length > MAX_ANCESTORS) return true;
    }
  }
  return false;
}
