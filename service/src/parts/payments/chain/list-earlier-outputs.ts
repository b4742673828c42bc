/** What was paid to a script before a payment asked for it: none of it may be credited to that payment. */

import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { isCoinbase, type Transaction } from '@coinfront/protocol/transaction.ts';
import { parseStripped } from '../../../chain/chain-reads.ts';
import type { ChainView, HistoryEntry } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import { finalConfirmations } from '../judging/payment-sums.ts';
import { exclusions, type PaymentOutputTable } from '../schema/payment-tables.ts';
import { listSpends, type Outpoint } from './find-arrivals.ts';

/** Transactions, and outputs, of a script that are looked at: a busier one is no address for a payment. */
export const maxEarlierOutputs = 500;

/** An output before it belongs to a payment. */
export type EarlierOutput = Omit<PaymentOutputTable, 'merchant_id' | 'payment_id'>;

/** What a script had, and what the transactions of it spend: whatever spends the same takes their place. */
export type EarlierMoney = {
  outputs: readonly EarlierOutput[];
  /** Outpoints, by the display txid of the transaction that spends them. */
  spends: ReadonlyMap<string, readonly Outpoint[]>;
};

/** Inputs of these transactions together: more are no ordinary address. */
const MAX_EARLIER_SPENDS = 20_000;

/**
 * Outputs to a script in the mempool, and in the chain as deep as a reorganisation is watched for: what such a one puts
 * into a new block looks like new money.
 *
 * @throws AppError `recipient_too_active`
 */
export async function listEarlierMoney(view: ChainView, script: Uint8Array): Promise<EarlierMoney> {
  const lowest = (view.tip?.height ?? 0) - finalConfirmations;
  const entries: HistoryEntry[] = [
    ...(await view.listMempoolHistory(script, undefined, maxEarlierOutputs + 1)),
    ...(await view.listHistory(script, undefined, maxEarlierOutputs + 1)).filter(
      ({ status }) => status.confirmed && status.height > lowest,
    ),
  ];
  if (entries.length > maxEarlierOutputs) throw tooActive();
  const outputs: EarlierOutput[] = [];
  const spends = new Map<string, readonly Outpoint[]>();
  let spent = 0;
  for (const entry of entries) {
    const record = await view.findTx(entry.txid);
    if (record === undefined) continue;
    const tx = parseStripped(record);
    const paid = await listOutputs(view, entry, tx, script);
    if (paid.length === 0) continue;
    outputs.push(...paid);
    spends.set(toDisplayHash(entry.txid), listSpends(tx));
    spent += tx.inputs.length;
    if (outputs.length > maxEarlierOutputs || spent > MAX_EARLIER_SPENDS) throw tooActive();
  }
  return { outputs, spends };
}

/** Whether neither the chain nor the mempool has seen a script. */
export async function hasNoHistory(view: ChainView, script: Uint8Array): Promise<boolean> {
  if ((await view.getScriptStats(script)).txCount > 0) return false;
  return view.mempool.txs === 0 || (await view.getMempoolStats(script)).txCount === 0;
}

async function listOutputs(
  view: ChainView,
  { txid, status }: HistoryEntry,
  tx: Transaction,
  script: Uint8Array,
): Promise<EarlierOutput[]> {
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
    excluded: exclusions.earlier,
    late: 0,
    replaceable: status.confirmed ? 0 : null,
    fee_rate: null,
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
