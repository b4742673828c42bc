import { pageLimits } from '@coinfront/api/paging.ts';
import { NodeList, NodeParams, NodeQuery, NodeView } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { describeNode, describeNodes } from './describe-node.ts';
import { decodeNodeCursor, encodeNodeCursor } from './node-cursor.ts';
import { findNode, listNodes } from './node-store.ts';

/** `GET /nodes`, `GET /nodes/{node_key}`. */
export function registerNodeRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { precious } = context;
  registerCall(app, {
    method: 'GET',
    path: '/nodes',
    query: NodeQuery,
    response: NodeList,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'listNodes',
      tag: 'Nodes',
      summary: 'Nodes',
      description:
        'Registered nodes in the order of their keys, with what their slots say. Uptime is counted in slots that were judged; ' +
        'void ones count neither way. Where the operator says so (`endpoint_proof`), only nodes that showed their token.',
      errors: ['index_unavailable'],
      example: { items: [registryExamples.node], next_cursor: null },
    },
    async call({ query }) {
      const state = query.state ?? 'active';
      const limit = query.limit ?? pageLimits.default;
      const rows = await listNodes(precious.query<RegistryTables>(), {
        state: state === 'all' ? undefined : state,
        afterKey: decodeNodeCursor('nodes', state, query.cursor),
        limit: limit + 1,
        onlyProven: context.rules.requireProof,
      });
      const page = rows.slice(0, limit);
      return {
        items: await describeNodes(context, page),
        next_cursor: rows.length > limit ? encodeNodeCursor('nodes', state, page.at(-1)!.node_key) : null,
      };
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/nodes/:node_key',
    params: NodeParams,
    response: NodeView,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'getNode',
      tag: 'Nodes',
      summary: 'One node',
      description: 'A node that is or was registered, by its key.',
      errors: ['node_not_found', 'index_unavailable'],
      parameterExamples: { node_key: registryExamples.node.node_key },
      example: registryExamples.node,
    },
    async call({ params }) {
      const row = await findNode(precious.query<RegistryTables>(), params.node_key.toLowerCase());
      if (row === undefined)
        throw new AppError('node_not_found', 'No node with this key was ever registered here.');
      return await describeNode(context, row);
    },
  });
}
