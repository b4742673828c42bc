/** What was paid to a script before a payment asked for it: none of it may be credited to that payment. */

import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { isCoinbase } from '@coinfront/protocol/transaction.ts';
import { parseStored } from '../../../chain/chain-reads.ts';
import type { ChainView, HistoryEntry } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { finalConfirmations } from '../judging/payment-sums.ts';
import type { PaymentOutputTable } from '../schema/payment-tables.ts';

/** Transactions, and outputs, of a script that are looked at: a busier one is no address for a payment. */
export const maxEarlierOutputs = 500;

/** An output before it belongs to a payment. */
export type EarlierOutput = Omit<PaymentOutputTable, 'payment_id'>;

/**
 * Outputs to a script in the mempool, and in the chain as deep as a reorganisation is watched for: what such a one puts
 * into a new block looks like new money.
 *
 * @throws AppError `recipient_too_active`
 */
export async function listEarlierOutputs(view: ChainView, script: Uint8Array): Promise<EarlierOutput[]> {
  const lowest = (view.tip?.height ?? 0) - finalConfirmations;
  const entries: HistoryEntry[] = [
    ...(await view.listMempoolHistory(script, undefined, maxEarlierOutputs + 1)),
    ...(await view.listHistory(script, undefined, maxEarlierOutputs + 1)).filter(
      ({ status }) => status.confirmed && status.height > lowest,
    ),
  ];
  if (entries.length > maxEarlierOutputs) throw tooActive();
  const outputs: EarlierOutput[] = [];
  for (const entry of entries) {
    outputs.push(...(await listOutputs(view, entry, script)));
    if (outputs.length > maxEarlierOutputs) throw tooActive();
  }
  return outputs;
}

/** Whether neither the chain nor the mempool has seen a script. */
export async function hasNoHistory(view: ChainView, script: Uint8Array): Promise<boolean> {
  if ((await view.getScriptStats(script)).txCount > 0) return false;
  return view.mempool.txs === 0 || (await view.getMempoolStats(script)).txCount === 0;
}

async function listOutputs(
  view: ChainView,
  { txid, status }: HistoryEntry,
  script: Uint8Array,
): Promise<EarlierOutput[]> {
  const record = await view.findTx(txid);
  if (record === undefined) return [];
  const tx = parseStored(record);
  const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
  const blockTimeMs = block === undefined ? null : block.time * 1000;
  const shared = {
    txid: toDisplayHash(txid),
    coinbase: isCoinbase(tx) ? 1 : 0,
    height: block?.height ?? null,
    block_hash: block === undefined ? null : toDisplayHash(block.hash),
    block_time: blockTimeMs,
    first_seen_at: status.confirmed ? (blockTimeMs ?? 0) : status.firstSeenMs,
    gone: 0,
    excluded: 1,
    late: 0,
  };
  return tx.outputs.flatMap((output, vout) =>
    equalBytes(output.script, script) ? [{ ...shared, vout, value: String(output.value) }] : [],
  );
}

function tooActive(): AppError {
  const detail =
    `The address had more than ${maxEarlierOutputs} transactions lately, so new money to it cannot be told from old. ` +
    'Use an address of its own for each payment.';
  return new AppError('recipient_too_active', detail);
}
