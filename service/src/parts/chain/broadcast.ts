/** Broadcasting a signed transaction: checks, the node's verdict, and the codes of its refusals. */

import { parseHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { noWitness, parseTransactionPart } from '@coinfront/protocol/transaction-part.ts';
import { DatabaseUnavailableError } from '../../db/database.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { isMethodRefused, isNodeError, type NodeError } from '../../node/node-error.ts';
import type { RefusalCode } from '../../node/refusal.ts';
import type { ChainContext } from './chain-context.ts';
import { judgeNode } from './health-rules.ts';
import type { Visibility } from './shown-watch.ts';

/** Bytes of a transaction that are accepted; nodes relay 100,000 virtual bytes at most. */
export const maxBroadcastBytes = 1_000_000;

const refusals: Readonly<Record<RefusalCode, ErrorCode>> = {
  decode_failed: 'transaction_undecodable',
  missing_inputs: 'missing_inputs',
  mempool_conflict: 'mempool_conflict',
  replacement_fee_too_low: 'replacement_fee_too_low',
  fee_too_low: 'fee_too_low',
  fee_too_high: 'fee_too_high',
  burn_too_large: 'burn_too_large',
  mempool_full: 'mempool_full',
  too_long_chain: 'mempool_chain_too_long',
  dust: 'output_dust',
  too_large: 'transaction_too_large',
  non_standard: 'transaction_nonstandard',
  non_final: 'not_final',
  premature_coinbase_spend: 'coinbase_immature',
  script_failed: 'script_verification_failed',
  invalid: 'transaction_invalid',
  other: 'broadcast_rejected',
};

/** Codes that a broadcast may be answered with, for the documents. */
export const broadcastErrors: readonly ErrorCode[] = [
  ...new Set(Object.values(refusals)),
  'node_unavailable',
];

/** What became of a transaction that was not refused. */
export type Accepted = { txid: string; alreadyKnown: boolean; visibility: Visibility };

/**
 * What is looked at before the node gets a transaction: that it is one, of a size that is accepted.
 *
 * @returns its txid, internal byte order
 * @throws AppError `transaction_undecodable`, `transaction_too_large`
 */
export function checkRawTx(rawTxHex: string): Uint8Array {
  const bytes = parseHex(rawTxHex);
  if (!bytes.ok) throw new AppError('transaction_undecodable', `Not hex: ${bytes.reason}.`);
  if (bytes.value.length > maxBroadcastBytes) {
    const detail = `The transaction has ${bytes.value.length} bytes; ${maxBroadcastBytes} are accepted.`;
    throw new AppError('transaction_too_large', detail);
  }
  const parsed = parseTransactionPart(bytes.value, noWitness);
  if (!parsed.ok)
    throw new AppError('transaction_undecodable', `Not a serialised transaction: ${parsed.reason}.`);
  return txidOf(parsed.value.tx);
}

/**
 * Hands a transaction to the node, unless it is confirmed already, and waits a bounded time until reads show it.
 *
 * @throws AppError one of {@link broadcastErrors}, with the node's own reason in the detail
 */
export async function broadcastTransaction(context: ChainContext, rawTxHex: string): Promise<Accepted> {
  const id = checkRawTx(rawTxHex);
  const txid = toDisplayHash(id);
  const before = await findPlace(context, id);
  if (before === 'chain') return { txid, alreadyKnown: true, visibility: 'visible' };
  const verdict = await askNode(context, rawTxHex, txid);
  if (verdict.ok) {
    const alreadyKnown = verdict.alreadyKnown || before === 'mempool';
    return { txid, alreadyKnown, visibility: await context.waitUntilShown(txid) };
  }
  throw new AppError(
    refusals[verdict.code],
    `The node refused the transaction: ${printable(verdict.reason)}`,
  );
}

/**
 * Where the index has a transaction. In our mirror of the mempool alone it is sent all the same: a node that was restarted
 * may have lost it.
 */
async function findPlace(
  { readChain }: ChainContext,
  id: Uint8Array,
): Promise<'chain' | 'mempool' | undefined> {
  try {
    const found = await readChain((view) => view.findTx(id));
    if (found === undefined) return undefined;
    return found.status.confirmed ? 'chain' : 'mempool';
  } catch (error) {
    // The node knows as well, and sending needs nobody else.
    if (error instanceof DatabaseUnavailableError) return undefined;
    throw error;
  }
}

async function askNode(context: ChainContext, rawTxHex: string, txid: string) {
  if (judgeNode(context.getNodeState(), context.findIndexerReport()).error === 'other_chain') {
    const detail = 'The node follows another chain at the moment; the transaction was not sent.';
    throw new AppError('node_unavailable', detail, { 'retry-after': '5' });
  }
  try {
    return await context.broadcast(rawTxHex, txid);
  } catch (error) {
    if (!isNodeError(error)) throw error;
    throw describeFailure(error);
  }
}

/** What is known of a transaction that the node gave no verdict on, and whether sending it again helps. */
function describeFailure(error: NodeError): AppError {
  if (isMethodRefused(error)) {
    const detail =
      'The node does not let this service broadcast, so the transaction was not sent. Its operator has to allow ' +
      '`sendrawtransaction`; until then, send it elsewhere.';
    return new AppError('node_unavailable', detail);
  }
  const wasDropped = error.kind === 'busy' || error.kind === 'warming_up' || error.kind === 'unauthorized';
  const detail = wasDropped
    ? 'The node takes nothing at the moment; the transaction was not sent. Send it again.'
    : 'The node could not be asked; whether it has the transaction is unknown. Send it again: that is safe.';
  return new AppError('node_unavailable', detail, { 'retry-after': '5' });
}

/** The node's reason on one line of bounded length. */
function printable(reason: string): string {
  return reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300);
}
