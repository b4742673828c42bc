import { NodeParams, NodeUptimeView } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { findNode } from '../nodes/node-store.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import { uptimePpm } from '../rewards/reward-parts.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { dayOf, SHOWN_DAYS, writeDay } from './day-rules.ts';
import { listDays } from './day-store.ts';

/** `GET /nodes/{node_key}/uptime`. */
export function registerUptimeRoute(app: FastifyInstance, { precious, now }: RegistryContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/nodes/:node_key/uptime',
    params: NodeParams,
    response: NodeUptimeView,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'getNodeUptime',
      tag: 'Nodes',
      summary: 'Uptime of a node by day',
      description:
        'The latest 90 days (UTC), oldest first. Of a day without a slot that was judged nothing is known: its `uptime_ppm` is null. ' +
        'Days are counted since the service knows of them; earlier ones are unknown, too.',
      errors: ['node_not_found', 'index_unavailable'],
      parameterExamples: { node_key: registryExamples.node.node_key },
      example: registryExamples.uptime,
    },
    async call({ params }) {
      const db = precious.query<RegistryTables>();
      const nodeKey = params.node_key.toLowerCase();
      if ((await findNode(db, nodeKey)) === undefined)
        throw new AppError('node_not_found', 'No node with this key was ever registered here.');
      const first = dayOf(now()) - SHOWN_DAYS + 1;
      const known = new Map((await listDays(db, nodeKey, first)).map((each) => [each.day, each]));
      return {
        node_key: nodeKey,
        days: Array.from({ length: SHOWN_DAYS }, (_, i) => {
          const { passed = 0, failed = 0 } = known.get(first + i) ?? {};
          const uptime_ppm = uptimePpm({ passed, failed }) ?? null;
          return { day: writeDay(first + i), passed, failed, uptime_ppm };
        }),
      };
    },
  });
}
