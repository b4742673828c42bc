import { isMethodRefused, isNodeError, NodeError, RPC_CODE } from './node-error.ts';
import { mapRefusal, type RefusalCode } from './refusal.ts';
import type { CallOptions, NodeClient } from './rpc-client.ts';

/** What the node made of a transaction. `reason` is the node's own text. */
export type BroadcastResult =
  | {
      readonly ok: true;
      /** Display hex. */
      readonly txid: string;
      /** True when the node had it before, in its mempool or in a block. */
      readonly alreadyKnown: boolean;
    }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: string };

/** `asksMempool` is false where the node is known to refuse the question: it logs each one. */
export type BroadcastOptions = CallOptions & { readonly asksMempool?: boolean };

/** What the node would make of a transaction, without taking it. */
export type MempoolTestResult =
  | { readonly ok: true; readonly alreadyKnown: boolean }
  | { readonly ok: false; readonly code: RefusalCode; readonly reason: string };

/**
 * Hands a signed transaction to the node. Nodes since Core 0.19 take one that is in their mempool as if it were new, so
 * the mempool is asked first. By itself: where one of two methods is forbidden, so is a batch of both.
 *
 * @param txid - display hex of the transaction's id: the node does not repeat it for one it knows already
 * @throws NodeError when the node cannot be asked; a refusal is a result
 */
export async function sendRawTransaction(
  node: NodeClient,
  rawTxHex: string,
  txid: string,
  { asksMempool = true, ...options }: BroadcastOptions = {},
): Promise<BroadcastResult> {
  const alreadyKnown = asksMempool && (await isInMempool(node, txid, options));
  try {
    await node.call('sendrawtransaction', [rawTxHex], options);
    return { ok: true, txid, alreadyKnown: alreadyKnown === true };
  } catch (error) {
    const refusal = readRefusal(error);
    return refusal.known ? { ok: true, txid, alreadyKnown: true } : refusal.result;
  }
}

/**
 * Whether the node's mempool has a transaction; undefined where the node does not let us ask.
 *
 * @param txid - display hex
 * @throws NodeError when the node cannot be asked
 */
export async function isInMempool(
  node: NodeClient,
  txid: string,
  options: CallOptions = {},
): Promise<boolean | undefined> {
  try {
    await node.call('getmempoolentry', [txid], options);
    return true;
  } catch (error) {
    if (isMethodRefused(error)) return undefined;
    if (isNodeError(error, 'rpc')) return false;
    throw error;
  }
}

/**
 * Asks the node whether it would take a signed transaction into its mempool.
 *
 * @throws NodeError when the node cannot be asked; a refusal is a result
 */
export async function testMempoolAccept(
  node: NodeClient,
  rawTxHex: string,
  options: CallOptions = {},
): Promise<MempoolTestResult> {
  try {
    const answer = await node.call<unknown>('testmempoolaccept', [[rawTxHex]], options);
    const entry = Array.isArray(answer) ? (answer[0] as Record<string, unknown> | undefined) : undefined;
    if (entry?.allowed === true) return { ok: true, alreadyKnown: false };
    const reason = entry?.['reject-reason'] ?? entry?.['package-error'];
    if (typeof reason !== 'string') {
      throw new NodeError(
        'invalid_answer',
        `The node at ${node.origin} tested a transaction and gave no verdict.`,
      );
    }
    const code = mapRefusal(RPC_CODE.verifyRejected, reason);
    return code === 'already_known' ? { ok: true, alreadyKnown: true } : { ok: false, code, reason };
  } catch (error) {
    const refusal = readRefusal(error);
    return refusal.known ? { ok: true, alreadyKnown: true } : refusal.result;
  }
}

type Refusal = { known: true } | { known: false; result: { ok: false; code: RefusalCode; reason: string } };

/** Turns the RPC errors that speak of the transaction into a result; all others are thrown on. */
function readRefusal(error: unknown): Refusal {
  if (!(error instanceof NodeError) || error.rpcCode === undefined) throw error;
  const aboutTransaction: readonly number[] = [
    RPC_CODE.deserialization,
    RPC_CODE.verifyError,
    RPC_CODE.verifyRejected,
    RPC_CODE.verifyAlreadyInChain,
  ];
  if (!aboutTransaction.includes(error.rpcCode)) throw error;
  const code = mapRefusal(error.rpcCode, error.message);
  if (code === 'already_known') return { known: true };
  return { known: false, result: { ok: false, code, reason: error.message } };
}
