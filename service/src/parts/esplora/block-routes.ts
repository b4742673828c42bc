import {
  EsploraBlock,
  EsploraBlockStatus,
  EsploraTx,
  HashIndexParams,
  HashParams,
  HeightParams,
} from '@coinfront/api/esplora.ts';
import { bytesToHex, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  type BlockRecord,
  type ChainView,
  confirmationsAt,
  getBlockAt,
  getBlockById,
} from '../../chain/chain-reads.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import { answerTxs } from './answer-txs.ts';
import { type EsploraContext, pageSize } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { blockTxidsCost, describe, lookUpCost, plainText, txListCost } from './route-kit.ts';
import { serialiseBlock } from './serialise.ts';

const listLength = 10;

/** `/blocks`, `/block` and `/block-height`. */
export function registerBlockRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerLists(app, context);
  registerOfBlock(app, context);
}

function registerLists(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/blocks',
    dependsOn: 'tip',
    response: Type.Array(EsploraBlock),
    operation: describe('blocks', 'The ten newest blocks', [], [esploraExamples.block]),
    read: async ({ view, tip }) => (await view.listBlocks(tip.height, listLength)).map(serialiseBlock),
  });
  registerRead(app, context, {
    path: '/blocks/:height',
    dependsOn: 'tip',
    params: HeightParams,
    response: Type.Array(EsploraBlock),
    operation: describe(
      'blocksFrom',
      'Ten blocks from a height downwards',
      ['block_not_found'],
      [esploraExamples.block],
    ),
    async read({ view, params }) {
      const { height } = await getBlockAt(view, params.height);
      return (await view.listBlocks(height, listLength)).map(serialiseBlock);
    },
  });
  registerRead(app, context, {
    path: '/blocks/tip/height',
    dependsOn: 'tip',
    cost: lookUpCost,
    response: Type.String(),
    operation: describe('tipHeight', 'Height of the tip', [], '812345', plainText),
    read: async ({ tip }) => String(tip.height),
  });
  registerRead(app, context, {
    path: '/blocks/tip/hash',
    dependsOn: 'tip',
    cost: lookUpCost,
    response: Type.String(),
    operation: describe('tipHash', 'Hash of the tip', [], esploraExamples.block.id, plainText),
    read: async ({ tip }) => toDisplayHash(tip.hash),
  });
  registerRead(app, context, {
    path: '/block-height/:height',
    dependsOn: 'tip',
    params: HeightParams,
    cost: lookUpCost,
    response: Type.String(),
    operation: describe(
      'blockHash',
      'Hash of the block at a height',
      ['block_not_found'],
      esploraExamples.block.id,
      {
        ...plainText,
      },
    ),
    read: async ({ view, params }) => toDisplayHash((await getBlockAt(view, params.height)).hash),
  });
}

function registerOfBlock(app: FastifyInstance, context: EsploraContext): void {
  const errors = ['block_not_found'] as const;
  registerRead(app, context, {
    path: '/block/:hash',
    dependsOn: 'tip',
    params: HashParams,
    cost: lookUpCost,
    response: EsploraBlock,
    operation: describe('block', 'A block', errors, esploraExamples.block),
    async read({ view, tip, params, keep }) {
      const block = await getBlockById(view, params.hash);
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('buried');
      return serialiseBlock(block);
    },
  });
  registerRead(app, context, {
    path: '/block/:hash/status',
    dependsOn: 'tip',
    params: HashParams,
    cost: lookUpCost,
    response: EsploraBlockStatus,
    operation: describe('blockStatus', 'Whether a block is in the best chain', [], {
      in_best_chain: true,
      height: 170,
      next_best: null,
    }),
    async read({ view, params }) {
      const hash = parseDisplayHash(params.hash);
      const block = hash.ok ? await view.findBlock(hash.value) : undefined;
      if (block === undefined) return { in_best_chain: false, height: null, next_best: null };
      const next = await view.nameBlockAt(block.height + 1);
      return { in_best_chain: true, height: block.height, next_best: next ? toDisplayHash(next.hash) : null };
    },
  });
  registerRead(app, context, {
    path: '/block/:hash/header',
    dependsOn: 'tip',
    params: HashParams,
    cost: lookUpCost,
    response: Type.String(),
    operation: describe('blockHeader', 'The 80 bytes of a header in hex', errors, '01000000…', plainText),
    read: async ({ view, params }) => bytesToHex((await getBlockById(view, params.hash)).header),
  });
  registerRead(app, context, {
    path: '/block/:hash/raw',
    dependsOn: 'tip',
    params: HashParams,
    cost: { reserve: 20, rowsOfUnit: 200, of: 'transactions' },
    response: Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' }),
    operation: describe('blockRaw', 'The bytes of a block', errors, '…', {
      contentType: 'application/octet-stream',
    }),
    async read({ view, tip, params, keep, countRows }) {
      const block = await getBlockById(view, params.hash);
      countRows(block.txCount);
      if (confirmationsAt(block.height, tip) >= buriedConfirmations) keep('fixed');
      return Buffer.from(await view.readRawBlock(block));
    },
  });
  registerRead(app, context, {
    path: '/block/:hash/txids',
    dependsOn: 'tip',
    params: HashParams,
    cost: blockTxidsCost,
    response: Type.Array(Type.String()),
    operation: describe('blockTxids', 'All txids of a block', errors, [esploraExamples.tx.txid]),
    async read({ view, params, countRows }) {
      const block = await getBlockById(view, params.hash);
      countRows(block.txCount);
      return (await view.listBlockTxids(block)).map(toDisplayHash);
    },
  });
  registerRead(app, context, {
    path: '/block/:hash/txid/:index',
    dependsOn: 'tip',
    params: HashIndexParams,
    response: Type.String(),
    operation: describe(
      'blockTxid',
      'The txid at an index of a block',
      ['block_not_found', 'transaction_not_found'],
      esploraExamples.tx.txid,
      plainText,
    ),
    async read({ view, params }) {
      const block = await getBlockById(view, params.hash);
      const [tx] = params.index < block.txCount ? await view.listBlockTxs(block, params.index, 1) : [];
      if (tx === undefined) throw new AppError('transaction_not_found', 'tx not found');
      return toDisplayHash(tx.txid);
    },
  });
  registerRead(app, context, {
    path: '/block/:hash/txs',
    dependsOn: 'tip',
    params: HashParams,
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(
      'blockTxs',
      'The first 25 transactions of a block',
      [...errors, 'overloaded'],
      [esploraExamples.tx],
    ),
    read: async ({ params, ...reading }) =>
      listTxs(reading, await getBlockById(reading.view, params.hash), 0, context),
  });
  registerRead(app, context, {
    path: '/block/:hash/txs/:index',
    dependsOn: 'tip',
    params: HashIndexParams,
    cost: txListCost,
    response: Type.Array(EsploraTx),
    operation: describe(
      'blockTxsFrom',
      '25 transactions of a block from an index',
      [...errors, 'transaction_not_found', 'overloaded'],
      [esploraExamples.tx],
    ),
    async read({ params, ...reading }) {
      if (params.index % pageSize !== 0) {
        throw new AppError('invalid_parameter', `start index must be a multiple of ${pageSize}`);
      }
      const block = await getBlockById(reading.view, params.hash);
      if (params.index >= block.txCount) {
        throw new AppError('transaction_not_found', 'start index out of range');
      }
      return listTxs(reading, block, params.index, context);
    },
  });
}

async function listTxs(
  { view, countRows }: { view: ChainView; countRows(rows: number): void },
  block: BlockRecord,
  from: number,
  context: EsploraContext,
) {
  const txs = await view.listBlockTxs(block, from, pageSize);
  countRows(txs.length);
  const listed = txs.map(({ id, txid, height, position }) => {
    return { id, txid, status: { confirmed: true, height, position } as const };
  });
  return answerTxs(view, listed, context);
}
