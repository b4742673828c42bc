import { isMethodRefused, NodeError, RPC_CODE } from './node-error.ts';
import { readFields } from './read-answer.ts';
import type { NodeClient } from './rpc-client.ts';

/** What the node says about fees; all rates are its own decimal text, coins per 1,000 vbytes. */
export type NodeFees = {
  /** By target in blocks; a target is absent when the node has no estimate for it. */
  estimates: ReadonlyMap<number, string>;
  /** The least rate that enters the mempool now: the relay minimum, or more when the mempool is full. */
  minimumRate: string | undefined;
};

/** Targets, in blocks, that the node is asked for; the last is the longest that nodes since Bitcoin Core 0.15 know. */
export const feeTargets: readonly number[] = [1, 2, 3, 6, 12, 24, 144, 504, 1008];

const decimal = /^\d{1,20}(\.\d{1,20})?$/;

/**
 * Asks the node for its fee estimates and its minimum.
 *
 * @throws NodeError when the node cannot be asked.
 */
export async function fetchNodeFees(node: NodeClient, signal?: AbortSignal): Promise<NodeFees> {
  const answer = await node.callText<unknown>('getmempoolinfo', [], { signal });
  const info = readFields(node, 'description of its mempool', answer);
  const estimates = new Map<number, string>();
  for (const target of feeTargets) {
    const estimate = await node
      .callText<unknown>('estimatesmartfee', [target], { signal })
      .catch(forgiveRefusal);
    if (estimate === undefined) break;
    const rate = readRate(readFields(node, 'estimate of fees', estimate).feerate);
    if (rate !== undefined) estimates.set(target, rate);
  }
  const rates = [readRate(info.mempoolminfee), readRate(info.minrelaytxfee)];
  return { estimates, minimumRate: rates.find((rate) => rate !== undefined) };
}

/**
 * Asks the node for one estimate in a mode of its own (`ECONOMICAL`, `CONSERVATIVE`, `UNSET`), coins per 1,000 vbytes.
 *
 * @returns undefined where it has none
 * @throws NodeError when the node cannot be asked.
 */
export async function estimateFeeInMode(
  node: NodeClient,
  targetBlocks: number,
  mode: string,
): Promise<string | undefined> {
  const answer = await node.callText<unknown>('estimatesmartfee', [targetBlocks, mode]);
  return readRate(readFields(node, 'estimate of fees', answer).feerate);
}

/**
 * A node that gives no estimates to this service may still tell its minimum; one that has so long a target not at all refuses the
 * number, and what it said of shorter ones is as good as ever.
 */
function forgiveRefusal(error: unknown): undefined {
  const isTargetRefused = error instanceof NodeError && error.rpcCode === RPC_CODE.invalidParameter;
  if (!isMethodRefused(error) && !isTargetRefused) throw error;
}

/** The node writes no exponent for amounts, and a negative number where it knows nothing. */
function readRate(value: unknown): string | undefined {
  return typeof value === 'string' && decimal.test(value) ? value : undefined;
}
