import { Health, type HealthJson, HealthQuery } from '@coinfront/api/chain-state.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../http/route.ts';
import type { ChainContext } from './chain-context.ts';
import type { BlockRecord } from './chain-view.ts';
import { stateExamples } from './examples-state.ts';
import { judgeHealth } from './health-rules.ts';
import { formatTime } from './serialise-block.ts';

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

async function readTip(context: ChainContext): Promise<IndexState> {
  try {
    return { available: true, tip: await context.readChain(async (view) => view.tip) };
  } catch {
    return { available: false, tip: undefined };
  }
}

function describeHealth(context: ChainContext, { available, tip }: IndexState, nowMs: number): HealthJson {
  const node = context.getNodeState();
  const { status, ready, lagBlocks } = judgeHealth(node, tip?.height, available);
  return {
    status,
    ready,
    lag_blocks: lagBlocks ?? null,
    index: {
      height: tip?.height ?? null,
      tip: tip === undefined ? null : toDisplayHash(tip.hash),
      tip_time: tip === undefined ? null : formatTime(tip.time),
      tip_age_seconds: tip === undefined ? null : Math.max(0, Math.floor(nowMs / 1000) - tip.time),
    },
    node: {
      available: node.value !== undefined && node.error === undefined,
      height: node.value?.blocks ?? null,
      headers: node.value?.headers ?? null,
      since: node.sinceMs === undefined ? null : new Date(node.sinceMs).toISOString(),
      error: node.error ?? null,
    },
    version: context.version,
  };
}
