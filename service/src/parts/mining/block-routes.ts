import { PoolBlockList } from '@coinfront/api/mining.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { getHexBytes, reverseBytes } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../chain/chain-view.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getPool } from './get-pool.ts';
import { readEfforts } from './luck/luck-route.ts';
import type { MiningContext } from './mining-context.ts';
import { miningExamples } from './mining-examples.ts';
import { listPoolBlocks, type PoolBlock } from './pool-block-store.ts';
import { listLeftBlocks, type MiningTables } from './seen-block-store.ts';
import { serialisePoolBlock } from './serialise-pool.ts';

const list = { kind: 'pool-blocks', subject: '' };
/** Orphaned blocks of one height that a cursor counts: there are one or two. */
const MAX_OF_HEIGHT = 1_000;

type ListedBlock = { block: PoolBlock; isOrphaned: boolean };

/** `/pool/blocks`. */
export function registerPoolBlockRoute(app: FastifyInstance, context: MiningContext): void {
  registerRead(app, context, {
    path: '/pool/blocks',
    query: PageQuery,
    response: PoolBlockList,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'listPoolBlocks',
      tag: 'Mining',
      summary: 'Recent tagged pool blocks',
      description:
        'Blocks whose coinbase carries the tag of the pool, newest first, with the split that the coinbase pays. Those ' +
        'that a reorganisation replaced stay in the list as `orphaned`, if this service saw them in the chain.',
      errors: ['pool_not_found', 'invalid_cursor', 'cursor_expired'],
      example: miningExamples.blocks,
    },
    async read({ view, tip, query }) {
      const pool = getPool(context);
      const from = await readRowCursor(view, list, query.cursor, 1);
      const below = from ? from.height + 1 : tip.height + 1;
      // A height may have several blocks: a cursor counts how many of its own were shown.
      const shown = Math.min(from?.numbers[0] ?? 0, MAX_OF_HEIGHT);
      const end = shown + (query.limit ?? pageLimits.default);
      const rows = await listBlocks(context, view, below, end + 1);
      const page = rows.slice(shown, end);
      const last = page.at(-1)?.block;
      const shownOfLast = rows.slice(0, end).filter(({ block }) => block.height === last?.height).length;
      const efforts = await readEfforts(
        context,
        page.map(({ block }) => block.hash),
      );
      return {
        as_of: describeAsOf(tip),
        items: page.map(({ block, isOrphaned }) =>
          serialisePoolBlock(block, {
            tip,
            profile: context.profile,
            pool,
            effort: efforts.get(block.hash),
            isOrphaned,
          }),
        ),
        next_cursor:
          rows.length > end && last !== undefined
            ? await makeRowCursor(view, list, last.height, [shownOfLast])
            : null,
      };
    },
  });
}

/** Blocks of the chain and orphaned ones, newest first, those of one height by their hash. */
async function listBlocks(
  { precious }: MiningContext,
  view: ChainView,
  belowHeight: number,
  limit: number,
): Promise<ListedBlock[]> {
  const blocks: ListedBlock[] = (await listPoolBlocks(view.reader, belowHeight, limit)).map((block) => ({
    block,
    isOrphaned: false,
  }));
  for (const block of await listLeftBlocks(precious.query<MiningTables>(), belowHeight, limit)) {
    // It may be back in this view already.
    const isBack = (await view.findBlock(reverseBytes(getHexBytes(block.hash)))) !== undefined;
    if (!isBack) blocks.push({ block, isOrphaned: true });
  }
  return blocks
    .sort((a, b) => b.block.height - a.block.height || (a.block.hash < b.block.hash ? -1 : 1))
    .slice(0, limit);
}
