import { Health, type HealthJson, HealthQuery } from '@coinfront/api/chain-state.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { BlockRecord } from '../../chain/chain-view.ts';
import { registerCall } from '../../http/call-route.ts';
import type { ChainContext } from './chain-context.ts';
import { stateExamples } from './examples-state.ts';
import { explainHealth, explainRefused } from './health-advice.ts';
import { judgeHealth, judgeNode } from './health-rules.ts';
import { formatTime } from './serialise-block.ts';
import type { SyncProgress } from './sync-progress.ts';

/** `/health`: always answers, whatever the node and the database do. */
export function registerHealthRoute(app: FastifyInstance, context: ChainContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/health',
    query: HealthQuery,
    response: Health,
    cache: 'none',
    operation: {
      document: 'chain',
      id: 'getHealth',
      tag: 'Service',
      summary: 'Service health',
      description:
        'Liveness: 200 as long as the process answers, with its state in `status`. With `?require=ready` the same body ' +
        'comes with 503 unless `ready` is true, for load balancers.',
      errors: [],
      sameBodyStatuses: [503],
      example: stateExamples.health,
    },
    async call({ query, reply }) {
      const index = await readTip(context);
      const health = describeHealth(context, index, Date.now());
      if (query.require === 'ready' && !health.ready) reply.code(503).header('retry-after', '5');
      return health;
    },
  });
}

type IndexState = { available: boolean; tip: BlockRecord | undefined };

/** A database that says nothing for this long does not answer. */
const READ_TIMEOUT_MS = 3_000;

async function readTip({ readChain }: ChainContext): Promise<IndexState> {
  const unavailable: IndexState = { available: false, tip: undefined };
  const { promise: late, resolve } = Promise.withResolvers<IndexState>();
  const timer = setTimeout(() => resolve(unavailable), READ_TIMEOUT_MS);
  const read = readChain(async (view): Promise<IndexState> => ({ available: true, tip: view.tip }));
  const state = await Promise.race([read.catch(() => unavailable), late]);
  clearTimeout(timer);
  return state;
}

function describeHealth(context: ChainContext, { available, tip }: IndexState, nowMs: number): HealthJson {
  const node = context.getNodeState();
  const indexer = context.findIndexerReport();
  const readsFail = context.isIndexDamaged();
  const nodeNow = judgeNode(node, indexer);
  const refused = context.listRefusedMethods();
  const { status, ready, lagBlocks } = judgeHealth({
    node,
    indexer,
    tipHeight: tip?.height,
    indexAvailable: available,
    readsFail,
  });
  const problems = [explainHealth(status, indexer, readsFail), explainRefused(refused)].filter(
    (problem) => problem !== undefined,
  );
  return {
    status,
    ready,
    problem: problems.length === 0 ? null : problems.join(' '),
    lag_blocks: lagBlocks ?? null,
    sync: status === 'syncing' || status === 'starting' ? serialiseSync(context.findSyncProgress()) : null,
    index: {
      height: tip?.height ?? null,
      tip: tip === undefined ? null : toDisplayHash(tip.hash),
      tip_time: tip === undefined ? null : formatTime(tip.time),
      tip_age_seconds: tip === undefined ? null : Math.max(0, Math.floor(nowMs / 1000) - tip.time),
    },
    node: {
      available: nodeNow.available,
      height: node.value?.blocks ?? null,
      headers: node.value?.headers ?? null,
      since: nodeNow.sinceMs === undefined ? null : new Date(nodeNow.sinceMs).toISOString(),
      error: nodeNow.error ?? null,
      refused_methods: refused?.map(({ method, effect, optional }) => ({ method, effect, optional })) ?? null,
    },
    version: context.version,
  };
}

function serialiseSync(progress: SyncProgress | undefined): HealthJson['sync'] {
  if (!progress) return null;
  const { sinceMs, target, txs, txsPerSecond, secondsLeft } = progress;
  return {
    since: new Date(sinceMs).toISOString(),
    target_height: target.height,
    transactions: txs,
    target_transactions: target.txs ?? null,
    target_estimated: target.isEstimate,
    transactions_per_second: txsPerSecond === undefined ? null : Math.round(txsPerSecond),
    seconds_left: secondsLeft === undefined ? null : Math.ceil(secondsLeft),
  };
}
