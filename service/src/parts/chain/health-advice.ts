/** What is wrong and what to do about it, in words for the operator. Nothing in them is private: /health is public. */

import type { HealthJson } from '@coinfront/api/chain-state.ts';
import type { FollowReport, FollowState } from '../../indexer/follow/follow.ts';
import type { MethodUse } from '../../node/methods.ts';

type HealthStatus = HealthJson['status'];

const advice: Readonly<Record<HealthStatus, string | undefined>> = {
  ready: undefined,
  lagging: undefined,
  syncing: undefined,
  starting: undefined,
  node_unavailable:
    'The node does not answer as it should: see `node.error`. Look after the node, or after COINFRONT_NODE_URL.',
  node_behind:
    'The node has a part of the indexed chain only. Let it catch up, or give it back the blocks that it lost.',
  node_pruned: 'The node has deleted blocks that are not indexed yet. Give a node that still has them.',
  reorg_too_deep:
    'The node left the indexed chain by more blocks than COINFRONT_REORG_HORIZON. If its chain is the right one, delete ' +
    'the index, so that it is built anew.',
  other_chain:
    'The node follows another chain than the coin profile. Set COINFRONT_NODE_URL to a node of this chain.',
  index_failed: 'Indexing fails on this side. The log of the service says why; it is tried again.',
  index_unavailable: 'The database does not answer. Look after it; nothing has to be done here.',
};

const DAMAGED =
  'A part of the index is damaged: what needs it is answered with 503. Stop the service, look after the disk, delete the ' +
  'index and start the service again: it is built anew from the node. Payments and all other precious data are not in it.';

/**
 * What is wrong and what to do; undefined while nothing has to be done.
 *
 * @param report the indexer's, where there is one
 * @param readsFail a read of the index has met damage
 */
export function explainHealth(
  status: HealthStatus,
  report: FollowReport | undefined,
  readsFail = false,
): string | undefined {
  const state = report?.state;
  if (status === 'index_failed' && isIndexDamaged(state, readsFail)) return DAMAGED;
  if (status === 'node_pruned' && state?.kind === 'node_pruned') {
    return (
      `The node has deleted its blocks below ${state.pruneHeight}, and block ${report!.height + 1} is needed next. ` +
      'Set COINFRONT_NODE_URL to a node that still has it, or start this one without prune and with -reindex until the ' +
      'index is at its tip; it may prune again then.'
    );
  }
  return advice[status];
}

/** What the node has to allow, and what does not work until then; undefined where nothing that is needed is missing. */
export function explainRefused(refused: readonly MethodUse[] | undefined): string | undefined {
  const missing = refused?.filter(({ optional }) => !optional) ?? [];
  if (missing.length === 0) return undefined;
  const effects = Map.groupBy(missing, ({ effect }) => effect);
  const told = [...effects].map(
    ([effect, uses]) => `without ${uses.map(({ method }) => method).join(', ')} ${effect}`,
  );
  return `The node refuses methods that are needed: ${told.join('; ')}. Allow them in its -rpcwhitelist.`;
}

/** Whether reads, or the indexer, have met damage in the index. */
export function isIndexDamaged(state: FollowState | undefined, readsFail: boolean): boolean {
  return readsFail || (state?.kind === 'failed' && state.isDamaged);
}

/** The status that a state of the indexer gives the service; undefined where it keeps nothing from working. */
export function findTrouble(state: FollowState | undefined): HealthStatus | undefined {
  switch (state?.kind) {
    case 'node_unavailable':
    case 'node_behind':
    case 'node_pruned':
    case 'reorg_too_deep':
    case 'other_chain':
      return state.kind;
    case 'failed':
      return 'index_failed';
    default:
      return undefined;
  }
}
