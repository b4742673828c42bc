import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { EpochList } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { findEpochAnchors } from './epoch-anchors.ts';
import { listEpochs } from './epoch-store.ts';
import { countEpoch } from './receipt-store.ts';
import { findNow } from './registry-now.ts';
import { serialiseEpoch } from './serialise-log.ts';

/** `GET /epochs`. */
export function registerEpochRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { precious, rules } = context;
  registerCall(app, {
    method: 'GET',
    path: '/epochs',
    query: PageQuery,
    response: EpochList,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'listEpochs',
      tag: 'Receipts',
      summary: 'Epochs',
      description:
        'Epochs are so many blocks long, newest first: the open one, and closed ones with the signed Merkle root of their ' +
        'receipts. Epochs without receipts are not listed. A closed one stays as it is, whatever the chain does; `anchor` names the ' +
        'checkpoint of the log by which the chain holds it.',
      errors: ['index_unavailable'],
      example: { items: registryExamples.epochs, next_cursor: null },
    },
    async call({ query }) {
      const db = precious.query<RegistryTables>();
      const limit = query.limit ?? pageLimits.default;
      const [below] = decodeCursor('epochs', '', query.cursor, 1) ?? [];
      const closed = await listEpochs(db, below, limit + 1);
      const { openEpoch } = below === undefined ? await findNow(context) : { openEpoch: undefined };
      const open =
        openEpoch === undefined
          ? []
          : [{ epoch: openEpoch, receipts: (await countEpoch(db, openEpoch)).receipts }];
      const rows = [...open, ...closed];
      const page = rows.slice(0, limit);
      const anchors = await findEpochAnchors(
        db,
        page.flatMap((each) => ('text' in each ? [each.epoch] : [])),
      );
      return {
        items: page.map((each) => serialiseEpoch(each, rules.epochBlocks, anchors.get(each.epoch))),
        next_cursor: rows.length > limit ? encodeCursor('epochs', '', [page.at(-1)!.epoch]) : null,
      };
    },
  });
}
