import { pageLimits } from '@coinfront/api/paging.ts';
import {
  ReceiptList,
  ReceiptParams,
  ReceiptProofView,
  ReceiptQuery,
  ReceiptView,
} from '@coinfront/api/registry.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { findEpochAnchors } from './epoch-anchors.ts';
import { findEpoch } from './epoch-store.ts';
import { proveInclusion } from './epoch-tree.ts';
import { findReceipt, listReceipts, type StoredReceipt } from './receipt-store.ts';
import { serialiseEpoch, serialiseReceipt } from './serialise-log.ts';

/** `GET /receipts`, `GET /receipts/{sequence}`, `GET /receipts/{sequence}/proof`. */
export function registerReceiptRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { precious, rules } = context;
  registerCall(app, {
    method: 'GET',
    path: '/receipts',
    query: ReceiptQuery,
    response: ReceiptList,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'listReceipts',
      tag: 'Receipts',
      summary: 'Receipts',
      description:
        'What was seen of nodes, newest first: an append-only log, each receipt signed and bound to the one before by its ' +
        'hash. Receipts of outages are for all nodes and in no list of one.',
      errors: ['index_unavailable'],
      example: { items: [registryExamples.receipt], next_cursor: null },
    },
    async call({ query }) {
      const nodeKey = query.node_key?.toLowerCase();
      const limit = query.limit ?? pageLimits.default;
      const subject = nodeKey ?? '';
      const [below = query.below] = decodeCursor('receipts', subject, query.cursor, 1) ?? [];
      const rows = await listReceipts(precious.query<RegistryTables>(), {
        below,
        nodeKey,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return {
        items: page.map(serialiseReceipt),
        next_cursor: rows.length > limit ? encodeCursor('receipts', subject, [page.at(-1)!.sequence]) : null,
      };
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/receipts/:sequence',
    params: ReceiptParams,
    response: ReceiptView,
    cache: 'buried',
    operation: {
      document: 'nodes',
      id: 'getReceipt',
      tag: 'Receipts',
      summary: 'One receipt',
      description: 'A receipt by its place in the log. It never changes.',
      errors: ['receipt_not_found', 'index_unavailable'],
      parameterExamples: { sequence: registryExamples.receipt.receipt.sequence },
      example: registryExamples.receipt,
    },
    async call({ params }) {
      return serialiseReceipt(await getReceipt(context, params.sequence));
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/receipts/:sequence/proof',
    params: ReceiptParams,
    response: ReceiptProofView,
    cache: 'buried',
    cost: 10,
    operation: {
      document: 'nodes',
      id: 'proveReceipt',
      tag: 'Receipts',
      summary: 'Proof that a receipt is in its epoch',
      description:
        'The inclusion proof of RFC 6962 from the hash of the receipt to the root that the registry signed for the epoch. ' +
        'docs/protocols/registry.md says how to check it.',
      errors: ['receipt_not_found', 'epoch_open', 'index_unavailable'],
      parameterExamples: { sequence: registryExamples.receipt.receipt.sequence },
      example: registryExamples.proof,
    },
    async call({ params }) {
      const stored = await getReceipt(context, params.sequence);
      const epoch = await findEpoch(precious.query<RegistryTables>(), stored.epoch);
      if (epoch === undefined) {
        const detail = `Epoch ${stored.epoch} of the receipt is not closed yet; it is when the chain is past its last block.`;
        throw new AppError('epoch_open', detail);
      }
      const anchors = await findEpochAnchors(precious.query<RegistryTables>(), [epoch.epoch]);
      const { firstSequence, lastSequence } = epoch;
      const path = await proveInclusion(precious.query<RegistryTables>(), epoch, stored.sequence);
      return {
        ...serialiseReceipt(stored),
        index: stored.sequence - firstSequence,
        size: lastSequence - firstSequence + 1,
        path: path.map(bytesToHex),
        epoch: serialiseEpoch(epoch, rules.epochBlocks, anchors.get(epoch.epoch)),
      };
    },
  });
}

async function getReceipt({ precious }: RegistryContext, sequence: number): Promise<StoredReceipt> {
  const stored = await findReceipt(precious.query<RegistryTables>(), sequence);
  if (stored !== undefined) return stored;
  throw new AppError('receipt_not_found', `There is no receipt ${sequence} yet.`);
}
