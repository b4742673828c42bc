/** What /health and /status say of index and node, from what is known of both. */

import type { HealthJson } from '@coinfront/api/chain-state.ts';
import type { FollowReport } from '../../indexer/follow/follow.ts';
import type { NodeFacts } from '../../node/node-facts.ts';
import type { PollState } from '../../poll.ts';
import { findTrouble, isIndexDamaged } from './health-advice.ts';

export type HealthStatus = HealthJson['status'];

/** What is known when health is judged. */
export type HealthEvidence = {
  /** What the node last said of itself, and whether it still answers. */
  node: PollState<NodeFacts>;
  /** What this process' indexer says; undefined where there is none, or another process' indexer is at work. */
  indexer: FollowReport | undefined;
  /** Height of the index; undefined while nothing is indexed. */
  tipHeight: number | undefined;
  /** False when the database does not answer. */
  indexAvailable: boolean;
  /** A read of the index has met damage. */
  readsFail: boolean;
};

/** Whether the node can be asked, as the poller and the indexer see it. `sinceMs` is unknown when only the latter complains. */
export type NodeAvailability = { available: boolean; error: string | undefined; sinceMs: number | undefined };

/** Blocks behind the node that a passing block explains. */
export const readyLag = 1;
/** Blocks behind the node from which on it is a sync and no delay; between polls no more than these come. */
const syncingLag = 10;

/** The state of the service; `lagBlocks` is undefined while the node's height is not known for now. */
export function judgeHealth(evidence: HealthEvidence): {
  status: HealthStatus;
  ready: boolean;
  lagBlocks: number | undefined;
} {
  const { node, indexer, tipHeight } = evidence;
  const lagBlocks = tipHeight === undefined ? undefined : findLag(node, indexer, tipHeight);
  const status = judgeStatus(evidence, lagBlocks);
  return { status, ready: status === 'ready' || status === 'lagging', lagBlocks };
}

/** Blocks that the index is behind the node; undefined when the node's last word is not its present one. */
export function findLag(
  node: PollState<NodeFacts>,
  indexer: FollowReport | undefined,
  tipHeight: number,
): number | undefined {
  if (node.value === undefined || !judgeNode(node, indexer).available) return undefined;
  return Math.max(0, node.value.blocks - tipHeight);
}

/** Whether the node can be asked, and since when. */
export function judgeNode(node: PollState<NodeFacts>, indexer: FollowReport | undefined): NodeAvailability {
  const { value, error, sinceMs } = node;
  if (value === undefined || error !== undefined) return { available: false, error, sinceMs };
  const complaint = findComplaint(indexer);
  if (complaint !== undefined) return { available: false, error: complaint, sinceMs: undefined };
  return { available: true, error: undefined, sinceMs };
}

/** What the indexer has against the node, in the poller's words. */
function findComplaint(indexer: FollowReport | undefined): string | undefined {
  const state = indexer?.state;
  if (state?.kind === 'node_unavailable') return state.error;
  return state?.kind === 'other_chain' ? 'other_chain' : undefined;
}

function judgeStatus(evidence: HealthEvidence, lagBlocks: number | undefined): HealthStatus {
  const { node, indexer, tipHeight, indexAvailable, readsFail } = evidence;
  if (isIndexDamaged(indexer?.state, readsFail)) return 'index_failed';
  if (!indexAvailable) return 'index_unavailable';
  if (node.error !== undefined) return node.error === 'other_chain' ? 'other_chain' : 'node_unavailable';
  const trouble = findTrouble(indexer?.state);
  if (trouble !== undefined) return trouble;
  if (node.value === undefined || tipHeight === undefined || lagBlocks === undefined) return 'starting';
  // Only an indexer can tell blocks that the node lacks from those that an operator invalidated.
  if (indexer === undefined && node.value.blocks < tipHeight - syncingLag) return 'node_behind';
  if (lagBlocks > syncingLag) return 'syncing';
  // A regtest node calls itself syncing for ever once its last block is a day old: only missing blocks count.
  if (node.value.headers > node.value.blocks + syncingLag) return 'syncing';
  return lagBlocks > readyLag ? 'lagging' : 'ready';
}
