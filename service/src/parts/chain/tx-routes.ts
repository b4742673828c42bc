import {
  TxDetail,
  TxParams,
  TxProof,
  TxQuery,
  TxRaw,
  txPartLimit,
  txWitnessLimit,
} from '@coinfront/api/chain-transactions.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransactionPart } from '@coinfront/protocol/transaction-part.ts';
import type { FastifyInstance } from 'fastify';
import { confirmationsAt, getTx } from '../../chain/chain-reads.ts';
import type { BlockRecord, ChainView, TxRecord } from '../../chain/chain-view.ts';
import { findMerkleProof } from '../../chain/merkle-proof.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import { buriedConfirmations } from '../../http/snapshot.ts';
import type { ChainContext } from './chain-context.ts';
import { txExamples } from './examples-chain.ts';

import { serialiseTx, type TxFrom, type TxParts } from './serialise-tx.ts';

/** Everything that is shown of a transaction, read from one view. */
export async function readTxParts(
  view: ChainView,
  record: TxRecord,
  tip: BlockRecord,
  from: TxFrom,
): Promise<TxParts> {
  const { status } = record;
  const [prevouts, spends, block] = await Promise.all([
    view.listPrevouts(record, { first: from.firstInput, count: txPartLimit }),
    view.listSpends(record, { first: from.firstOutput, count: txPartLimit }),
    status.confirmed ? view.nameBlockAt(status.height) : undefined,
  ]);
  const part = parseTransactionPart(record.raw, {
    input: from.firstInput,
    item: from.firstWitness,
    most: txWitnessLimit,
  });
  return { record, part: getValue(part), prevouts, spends, block, tip };
}

/** `/tx/{txid}`, `/tx/{txid}/raw` and `/tx/{txid}/proof`. */
export function registerTxRoutes(app: FastifyInstance, context: ChainContext): void {
  registerRead(app, context, {
    path: '/tx/:txid',
    params: TxParams,
    query: TxQuery,
    response: TxDetail,
    dependsOn: 'mempool',
    operation: {
      document: 'chain',
      id: 'getTransaction',
      tag: 'Transactions',
      summary: 'A transaction',
      description:
        'From the best chain or the mempool, with what it spends and what spends it. 500 inputs and 500 outputs are ' +
        'shown at once; `next_input` and `next_output` say where to go on, and nothing is left out silently. ' +
        `Of ${txWitnessLimit} witness items a page ends early; an input with more has \`witness_count\`, and \`first_witness\` reads on.`,
      errors: ['transaction_not_found'],
      parameterExamples: { txid: txExamples.detail.txid },
      example: txExamples.detail,
    },
    async read({ view, tip, params, query, charge }) {
      const record = await getTx(view, params.txid, charge);
      const from = {
        firstInput: query.first_input ?? 0,
        firstWitness: query.first_witness ?? 0,
        firstOutput: query.first_output ?? 0,
      };
      const parts = await readTxParts(view, record, tip, from);
      return serialiseTx(parts, from, context.profile);
    },
  });

  registerRead(app, context, {
    path: '/tx/:txid/raw',
    params: TxParams,
    response: TxRaw,
    dependsOn: 'mempool',
    operation: {
      document: 'chain',
      id: 'getRawTransaction',
      tag: 'Transactions',
      summary: 'A transaction, serialised',
      description:
        'The bytes with witness, as they are relayed. With 100 confirmations they may be kept for ever.',
      errors: ['transaction_not_found'],
      parameterExamples: { txid: txExamples.detail.txid },
      example: txExamples.raw,
    },
    async read({ view, tip, params, keep }) {
      const { status, raw, txid } = await getTx(view, params.txid);
      if (status.confirmed && confirmationsAt(status.height, tip) >= buriedConfirmations) keep('fixed');
      return { txid: toDisplayHash(txid), raw_tx: bytesToHex(raw), size: raw.length };
    },
  });

  registerRead(app, context, {
    path: '/tx/:txid/proof',
    params: TxParams,
    response: TxProof,
    dependsOn: 'tip',
    cost: { reserve: 5, rowsOfUnit: 1_000, of: 'transactions of the block' },
    operation: {
      document: 'chain',
      id: 'getTransactionProof',
      tag: 'Transactions',
      summary: 'Merkle proof that a block has a transaction',
      description:
        'The branch from the txid to the merkle root, and the header that carries the root. Hash pairs with double ' +
        'SHA-256, in internal byte order; the bits of `position`, lowest first, say whether the sibling stands left (1).',
      errors: ['transaction_not_found', 'proof_unavailable'],
      parameterExamples: { txid: txExamples.detail.txid },
      example: txExamples.proof,
    },
    async read({ view, tip, params, keep, charge, countRows }) {
      const record = await getTx(view, params.txid, charge);
      const proof = await findMerkleProof(view, record);
      if (proof === undefined) {
        throw new AppError('proof_unavailable', 'The transaction is in the mempool; a proof needs a block.');
      }
      const { block, position } = proof;
      countRows(block.txCount);
      const confirmations = confirmationsAt(block.height, tip);
      if (confirmations >= buriedConfirmations) keep('buried');
      return {
        txid: toDisplayHash(record.txid),
        block_hash: toDisplayHash(block.hash),
        block_height: block.height,
        confirmations,
        position,
        tx_count: block.txCount,
        branch: proof.branch.map(toDisplayHash),
        merkle_root: toDisplayHash(proof.merkleRoot),
        header: bytesToHex(block.header),
        ambiguous: proof.isAmbiguous,
      };
    },
  });
}
