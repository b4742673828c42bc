import { type StaleBlockJson, StaleBlockList, StaleBlocksQuery } from '@coinfront/api/chain-blocks.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { bytesToHex, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import { readHeaderFields } from '../../chain/chain-reads.ts';
import type { ChainView, StaleBlock } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import { MOST_STALE_BLOCKS } from '../../indexer/connect/stale-blocks.ts';
import type { ChainContext } from './chain-context.ts';
import { staleBlocksExample } from './examples-blocks.ts';
import { formatTime } from './serialise-block.ts';

/** `/blocks/stale`. */
export function registerStaleBlocksRoute(app: FastifyInstance, context: ChainContext): void {
  registerRead(app, context, {
    path: '/blocks/stale',
    query: StaleBlocksQuery,
    response: StaleBlockList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'chain',
      id: 'listStaleBlocks',
      tag: 'Blocks',
      summary: 'Blocks that left the best chain',
      description:
        `As far as this service saw it: the latest ${MOST_STALE_BLOCKS}, what left last first. One that is back is not listed; a block that was never in the best ` +
        'chain while the service followed it is not known.',
      errors: [],
      example: staleBlocksExample,
    },
    async read({ view, query }) {
      const left = await findStale(view, query);
      return { items: await Promise.all(left.map((block) => serialise(view, block))) };
    },
  });
}

async function findStale(view: ChainView, query: { limit?: number; hash?: string }): Promise<StaleBlock[]> {
  if (query.hash === undefined) return await view.listStaleBlocks(query.limit ?? pageLimits.default);
  const block = await view.findStaleBlock(getValue(parseDisplayHash(query.hash)));
  return block === undefined ? [] : [block];
}

async function serialise(
  view: ChainView,
  { hash, height, header, txCount, leftAtMs }: StaleBlock,
): Promise<StaleBlockJson> {
  const replacement = await view.nameBlockAt(height);
  const time = new DataView(header.buffer, header.byteOffset).getUint32(68, true);
  return {
    hash: toDisplayHash(hash),
    height,
    time: formatTime(time),
    tx_count: txCount,
    previous_hash: toDisplayHash(readHeaderFields(header).prevHash),
    header: bytesToHex(header),
    left_at: new Date(leftAtMs).toISOString(),
    replaced_by: replacement === undefined ? null : toDisplayHash(replacement.hash),
  };
}
