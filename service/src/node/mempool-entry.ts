import { parseAmount } from '@coinfront/protocol/amount.ts';
import { isMethodRefused, isNodeError, NodeError } from './node-error.ts';
import { readFields } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';

/** A transaction of the node's mempool together with all that it builds on there. Fees in base units, sizes in virtual bytes. */
export type MempoolPackage = {
  fees: bigint;
  vsize: number;
  /** It and what it builds on. */
  ancestors: number;
  /** It and what builds on it. */
  descendants: number;
};

/**
 * What the node's mempool has of a transaction; undefined where it has none of it, or does not let us ask.
 *
 * @param txid display hex
 * @throws NodeError when the node cannot be asked
 */
export async function findMempoolPackage(
  client: NodeClient,
  txid: string,
  decimals: number,
): Promise<MempoolPackage | undefined> {
  let answer: unknown;
  try {
    answer = await client.callText<unknown>('getmempoolentry', [txid]);
  } catch (error) {
    if (isMethodRefused(error) || isNodeError(error, 'rpc')) return undefined;
    throw error;
  }
  const entry = readFields(client, 'entry of its mempool', answer);
  const fees = parseAmount(String(readFields(client, 'fees of its mempool', entry.fees).ancestor), decimals);
  const [vsize, ancestors, descendants] = [
    Number(entry.ancestorsize),
    Number(entry.ancestorcount),
    Number(entry.descendantcount),
  ];
  if (!fees.ok || ![vsize, ancestors, descendants].every((count) => Number.isSafeInteger(count) && count > 0))
    throw new NodeError('invalid_answer', `The node at ${client.origin} gave no package of its mempool.`);
  return { fees: fees.value, vsize: vsize!, ancestors: ancestors!, descendants: descendants! };
}

/** On how many unconfirmed transactions one hangs that spends these coins (`txid:vout`), at least; 0 where the node does not let us ask. */
export async function countAncestors(client: NodeClient, coins: readonly string[]): Promise<number> {
  let most = 0;
  for (const txid of new Set(coins.map((coin) => coin.slice(0, 64)))) {
    const found = await findMempoolPackage(client, txid, MAX_DECIMALS);
    most = Math.max(most, found?.ancestors ?? 0);
  }
  return most;
}

/** Fees are not looked at here. */
const MAX_DECIMALS = 8;
