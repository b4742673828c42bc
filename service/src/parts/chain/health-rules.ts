/** What /health says, from what is known of the index and of the node. */

import type { HealthJson } from '@coinfront/api/chain-state.ts';
import type { NodeFacts } from '../../node/node-facts.ts';
import type { PollState } from '../../poll.ts';

export type HealthStatus = HealthJson['status'];

/** Blocks behind the node that a passing block explains. */
const readyLag = 1;
/** Blocks behind the node from which on it is a sync and no delay. */
const syncingLag = 10;

/**
 * The state of the service; `tipHeight` is undefined while nothing is indexed, and `indexAvailable` false when the
 * database does not answer.
 */
export function judgeHealth(
  node: PollState<NodeFacts>,
  tipHeight: number | undefined,
  indexAvailable: boolean,
): { status: HealthStatus; ready: boolean; lagBlocks: number | undefined } {
  const facts = node.value;
  const lagBlocks =
    facts === undefined || tipHeight === undefined ? undefined : Math.max(0, facts.blocks - tipHeight);
  const status = judgeStatus(node, tipHeight, indexAvailable, lagBlocks);
  return { status, ready: status === 'ready' || status === 'lagging', lagBlocks };
}

function judgeStatus(
  node: PollState<NodeFacts>,
  tipHeight: number | undefined,
  indexAvailable: boolean,
  lagBlocks: number | undefined,
): HealthStatus {
  if (!indexAvailable) return 'index_unavailable';
  if (node.error !== undefined || node.value === undefined) {
    return node.error === undefined ? 'starting' : 'node_unavailable';
  }
  if (tipHeight === undefined) return 'starting';
  if (lagBlocks !== undefined && lagBlocks > syncingLag) return 'syncing';
  // A regtest node calls itself syncing for ever once its last block is a day old: only missing blocks count.
  if (node.value.headers > node.value.blocks + syncingLag) return 'syncing';
  return lagBlocks !== undefined && lagBlocks > readyLag ? 'lagging' : 'ready';
}
