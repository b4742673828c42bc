import { BlockDetail, BlockList, BlockParams } from '@coinfront/api/chain-blocks.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt, getBlockById } from '../../chain/chain-reads.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import type { ChainContext } from './chain-context.ts';
import { blockExamples } from './examples-chain.ts';
import { serialiseBlockDetail, serialiseBlockSummary, serialiseBlockTx } from './serialise-block.ts';

/** `/blocks` and `/block/{id}`. */
export function registerBlockRoutes(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;

  registerRead(app, context, {
    path: '/blocks',
    query: PageQuery,
    response: BlockList,
    dependsOn: 'tip',
    operation: {
      document: 'chain',
      id: 'listBlocks',
      tag: 'Blocks',
      summary: 'Recent blocks',
      description:
        'Blocks of the best chain from the tip downwards. A cursor goes on below the last one shown, and expires when ' +
        'that one was replaced.',
      errors: ['cursor_expired'],
      example: blockExamples.list,
    },
    async read({ view, tip, query, charge }) {
      const limit = query.limit ?? pageLimits.default;
      const list = { kind: 'blocks', subject: '' };
      const above = await readRowCursor(view, list, query.cursor, 0);
      const blocks = await view.listBlocks(above === undefined ? tip.height : above.height - 1, limit);
      const tags = await view.listCoinbaseTags(blocks, charge);
      const last = blocks.at(-1)?.height ?? 0;
      return {
        items: blocks.map((block, i) => serialiseBlockSummary(block, tip, decimals, tags[i])),
        next_cursor: last > 0 ? await makeRowCursor(view, list, last, []) : null,
      };
    },
  });

  registerRead(app, context, {
    path: '/block/:id',
    params: BlockParams,
    query: PageQuery,
    response: BlockDetail,
    dependsOn: 'tip',
    operation: {
      document: 'chain',
      id: 'getBlock',
      tag: 'Blocks',
      summary: 'A block by height or hash',
      description:
        'The block with a page of its transactions in block order. With 100 confirmations the answer may be kept ' +
        'for ten minutes: only `confirmations` changes in it, and `X-Chain-Height` says for which tip it was right.',
      errors: ['block_not_found'],
      parameterExamples: { id: 812345 },
      example: blockExamples.detail,
    },
    async read({ view, tip, params, query, keep, charge }) {
      const block = await getBlockById(view, params.id);
      const limit = query.limit ?? pageLimits.default;
      const subject = toDisplayHash(block.hash);
      const from = decodeCursor('block-txs', subject, query.cursor, 1)?.[0] ?? 0;
      const txs = await view.listBlockTxs(block, from, limit);
      const next = await view.nameBlockAt(block.height + 1);
      const [tag] = await view.listCoinbaseTags([block], charge);
      const end = from + txs.length;
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('buried');
      return serialiseBlockDetail({
        block,
        next,
        tip,
        decimals,
        tag,
        transactions: {
          items: txs.map((tx) => serialiseBlockTx(tx, decimals)),
          next_cursor:
            end < block.txCount && txs.length > 0 ? encodeCursor('block-txs', subject, [end]) : null,
        },
      });
    },
  });
}
