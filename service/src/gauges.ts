import type { ReadChain } from './chain/chain-reads.ts';
import type { PoolLoad } from './db/postgres-pool.ts';
import type { ReplicaState } from './db/replica-watch.ts';
import type { GaugeSource, LabelledSource } from './http/metrics-server.ts';
import type { FollowReport } from './indexer/follow/follow.ts';
import type { NodeFacts } from './node/node-facts.ts';
import { judgeHealth } from './parts/chain/health-rules.ts';
import type { PollState } from './poll.ts';

/** What `/metrics` tells of index and node; unknown values are absent. */
export function listGauges(
  readChain: ReadChain,
  getNodeState: () => PollState<NodeFacts>,
  findIndexerReport: () => FollowReport | undefined,
  isIndexDamaged: () => boolean,
): GaugeSource[] {
  const readView = <T>(read: (view: Parameters<Parameters<ReadChain>[0]>[0]) => T) =>
    readChain(async (view) => read(view)).catch(() => undefined);
  return [
    {
      name: 'coinfront_index_height',
      help: 'Height of the index.',
      read: () => readView((view) => view.tip?.height),
    },
    {
      name: 'coinfront_index_tip_time_seconds',
      help: 'Time of the block at the tip of the index, seconds since 1970.',
      read: () => readView((view) => view.tip?.time),
    },
    {
      name: 'coinfront_index_transactions',
      help: 'Confirmed transactions in the index.',
      read: () => readView((view) => view.tip?.totals.txs),
    },
    {
      name: 'coinfront_index_unspent_outputs',
      help: 'Unspent outputs in the index.',
      read: () => readView((view) => view.tip?.totals.utxos),
    },
    {
      name: 'coinfront_mempool_transactions',
      help: 'Transactions in the mirrored mempool.',
      read: () => readView((view) => view.mempool.txs),
    },
    {
      name: 'coinfront_mempool_vbytes',
      help: 'Virtual bytes in the mirrored mempool.',
      read: () => readView((view) => view.mempool.vsize),
    },
    {
      name: 'coinfront_node_height',
      help: 'Height of the node; absent until it has answered.',
      read: () => getNodeState().value?.blocks,
    },
    {
      name: 'coinfront_node_up',
      help: '1 while the node answers, 0 while it does not.',
      read: () => (getNodeState().error === undefined && getNodeState().value !== undefined ? 1 : 0),
    },
    {
      name: 'coinfront_node_prune_height',
      help: 'Lowest block that a pruned node still has; absent while it has all.',
      read: () => getNodeState().value?.pruneHeight,
    },
    {
      name: 'coinfront_ready',
      help: '1 while /health is ready or lagging, 0 while it is not.',
      read: async () => {
        const index = await readChain(async (view) => ({ tipHeight: view.tip?.height })).catch(
          () => undefined,
        );
        const { ready } = judgeHealth({
          node: getNodeState(),
          indexer: findIndexerReport(),
          tipHeight: index?.tipHeight,
          indexAvailable: index !== undefined,
          readsFail: isIndexDamaged(),
        });
        return ready ? 1 : 0;
      },
    },
    {
      name: 'coinfront_indexer_active',
      help: '1 while the indexer of this process follows the node, 0 while it cannot; absent without one, and while another process has its place.',
      read: () => {
        const kind = findIndexerReport()?.state.kind;
        return kind === undefined ? undefined : Number(kind === 'ready' || kind === 'syncing');
      },
    },
    {
      name: 'coinfront_mempool_complete',
      help: "1 while the mirror has all of the node's mempool, 0 while it is being filled; absent without an indexer here.",
      read: () => {
        const report = findIndexerReport();
        return report === undefined ? undefined : Number(report.mempoolComplete);
      },
    },
    {
      name: 'coinfront_lag_blocks',
      help: 'Blocks that the index is behind the node; absent while one of them does not answer.',
      read: () =>
        readView((view) => {
          const { value, error } = getNodeState();
          return error !== undefined || !value || !view.tip
            ? undefined
            : Math.max(0, value.blocks - view.tip.height);
        }),
    },
  ];
}

/** The replicas that requests are read from, where there are some. */
export function listReplicaGauges(
  listReplicas: (() => ReadonlyMap<string, ReplicaState>) | undefined,
): LabelledSource[] {
  if (!listReplicas) return [];
  return [
    {
      kind: 'gauge',
      name: 'coinfront_replica_in_use',
      help: '1 while the replica has what was shown and is read from, 0 while it is behind or does not answer.',
      label: 'replica',
      list: () => new Map([...listReplicas()].map(([name, state]) => [name, state === 'in' ? 1 : 0])),
    },
  ];
}

/** What `/metrics` tells of the pools of connections to PostgreSQL; on SQLite these have no values. */
export function listPoolGauges(listPools: () => ReadonlyMap<string, PoolLoad>): LabelledSource[] {
  const each = (name: string, help: string, pick: (load: PoolLoad) => number): LabelledSource => ({
    kind: 'summed gauge',
    name,
    help,
    label: 'pool',
    list: () => new Map([...listPools()].map(([pool, load]) => [pool, pick(load)])),
  });
  return [
    each('coinfront_pool_open', 'Connections to PostgreSQL that are open, by pool.', ({ open }) => open),
    each('coinfront_pool_busy', 'Those of them that are in use.', ({ busy }) => busy),
    each('coinfront_pool_waiting', 'Who waits for a connection, by pool.', ({ waiting }) => waiting),
  ];
}
