import { ReleaseList } from '@coinfront/api/chain-releases.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../http/call-route.ts';
import type { ChainContext } from './chain-context.ts';
import { stateExamples } from './examples-state.ts';

/** `/releases`. */
export function registerReleaseRoute(app: FastifyInstance, context: ChainContext): void {
  registerCall(app, {
    method: 'GET',
    path: '/releases',
    response: ReleaseList,
    cache: 'tip',
    operation: {
      document: 'chain',
      id: 'listReleases',
      tag: 'Network',
      summary: 'Software releases with checksums',
      description: "The operator's manifest. Check the SHA-256 of what you download against it.",
      errors: [],
      example: stateExamples.releases,
    },
    async call() {
      const { configured, changedAtMs, items } = await context.readReleases();
      return {
        configured,
        as_of: changedAtMs === undefined ? null : new Date(changedAtMs).toISOString(),
        items,
      };
    },
  });
}
