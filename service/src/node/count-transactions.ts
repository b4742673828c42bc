import { isMethodRefused, isNodeError, NodeError } from './node-error.ts';
import { readFields } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';

/** What of a chain is indexed already. */
export type CountedPart = { height: number; txs: number };

/** Transactions up to a height of the node's chain, or about so many. */
export type TxCount = { height: number; txs: number; isEstimate: boolean };

/** Blocks whose transactions are counted where the node does not know the sum. */
const SAMPLES = 24;

/**
 * Transactions of the node's chain up to `height`: as the node says, or, of a node that does not (Dogecoin's), estimated by blocks at
 * equal distances above what is indexed.
 *
 * @throws NodeError
 */
export async function countTransactions(
  node: NodeClient,
  height: number,
  indexed: CountedPart,
): Promise<TxCount> {
  const told = await askForCount(node);
  if (told !== undefined) return { height, txs: told, isEstimate: false };
  const missing = height - indexed.height;
  const step = Math.max(1, missing / SAMPLES);
  let txs = 0;
  let blocks = 0;
  for (let at = indexed.height + step / 2; at <= height; at += step) {
    txs += await countBlock(node, Math.min(height, Math.ceil(at)));
    blocks++;
  }
  const left = blocks === 0 ? 0 : Math.round((txs / blocks) * missing);
  return { height, txs: indexed.txs + left, isEstimate: true };
}

async function askForCount(node: NodeClient): Promise<number | undefined> {
  try {
    const stats = await node.call<unknown>('getchaintxstats', [0]);
    const { txcount } = readFields(node, 'count of transactions', stats);
    return typeof txcount === 'number' && Number.isSafeInteger(txcount) && txcount > 0 ? txcount : undefined;
  } catch (error) {
    if (isNodeError(error, 'rpc') || isMethodRefused(error)) return undefined;
    throw error;
  }
}

async function countBlock(node: NodeClient, height: number): Promise<number> {
  const hash = await node.call<unknown>('getblockhash', [height]);
  const block = await node.call<unknown>('getblock', [hash, true]);
  const { tx } = readFields(node, `block ${height}`, block);
  if (!Array.isArray(tx)) {
    throw new NodeError('invalid_answer', `The node at ${node.origin} gave block ${height} without "tx".`);
  }
  return tx.length;
}
