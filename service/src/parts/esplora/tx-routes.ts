import {
  EsploraMerkleProof,
  EsploraOutspend,
  type EsploraOutspendJson,
  EsploraStatus,
  EsploraTx,
  EsploraTxBody,
  EsploraTxParams,
  OutputParams,
} from '@coinfront/api/esplora.ts';
import { bytesToHex, concatBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { merkleBranch } from '@coinfront/protocol/merkle.ts';
import { buildMerkleBlock } from '@coinfront/protocol/merkle-block.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type ChainView, getTx, type Spend } from '../../chain/chain-reads.ts';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import { registerRead } from '../../http/read-route.ts';
import { answerTx } from './answer-txs.ts';
import type { EsploraContext } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { blockTxidsCost, describe, lookUpCost, plainText } from './route-kit.ts';
import { readStatus } from './serialise.ts';

const errors = ['transaction_not_found'] as const;

/** `/tx`. */
export function registerTxRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/tx/:txid',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    response: EsploraTx,
    operation: describe('tx', 'A transaction', [...errors, 'overloaded'], esploraExamples.tx),
    read: async ({ view, params, charge }) => answerTx(view, await getTx(view, params.txid, charge), context),
  });
  registerRead(app, context, {
    path: '/tx/:txid/status',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    cost: lookUpCost,
    response: EsploraStatus,
    operation: describe(
      'txStatus',
      'Where a transaction is; one that is not known is not confirmed',
      [],
      esploraExamples.tx.status,
    ),
    async read({ view, params, charge }) {
      const record = await view.findTx(getValue(parseDisplayHash(params.txid)));
      charge(record?.raw.length ?? 0);
      return readStatus(view, record?.status.confirmed ? record.status.height : undefined);
    },
  });
  registerRead(app, context, {
    path: '/tx/:txid/hex',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    cost: lookUpCost,
    response: Type.String(),
    operation: describe('txHex', 'A transaction in hex', errors, '01000000…', plainText),
    read: async ({ view, params }) => bytesToHex((await getTx(view, params.txid)).raw),
  });
  registerRead(app, context, {
    path: '/tx/:txid/raw',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    cost: lookUpCost,
    response: Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' }),
    operation: describe('txRaw', 'The bytes of a transaction', errors, '…', {
      contentType: 'application/octet-stream',
    }),
    read: async ({ view, params }) => Buffer.from((await getTx(view, params.txid)).raw),
  });
  registerRead(app, context, {
    path: '/tx/:txid/merkle-proof',
    dependsOn: 'tip',
    params: EsploraTxParams,
    cost: blockTxidsCost,
    response: EsploraMerkleProof,
    operation: describe('txMerkleProof', 'Merkle proof of a transaction', errors, esploraExamples.proof),
    async read({ view, params, charge, countRows }) {
      const { status } = await getTx(view, params.txid, charge);
      const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
      if (!status.confirmed || block === undefined) {
        throw new AppError('transaction_not_found', 'Transaction not found or is unconfirmed');
      }
      countRows(block.txCount);
      const branch = merkleBranch(await view.listBlockTxids(block), status.position);
      return { block_height: block.height, merkle: branch.map(toDisplayHash), pos: status.position };
    },
  });
  registerRead(app, context, {
    path: '/tx/:txid/merkleblock-proof',
    dependsOn: 'tip',
    params: EsploraTxParams,
    cost: blockTxidsCost,
    response: Type.String(),
    operation: describe(
      'txMerkleBlockProof',
      'Merkle proof of a transaction as a BIP-37 merkleblock in hex',
      errors,
      '0000002043e8…',
      plainText,
    ),
    async read({ view, params, charge, countRows }) {
      const { status } = await getTx(view, params.txid, charge);
      const block = status.confirmed ? await view.findBlockAt(status.height) : undefined;
      if (!status.confirmed || block === undefined) {
        throw new AppError('transaction_not_found', 'Transaction not found or is unconfirmed');
      }
      countRows(block.txCount);
      const txids = await view.listBlockTxids(block);
      const header = concatBytes(block.header, await view.readAuxpow(block));
      return bytesToHex(buildMerkleBlock(header, txids, status.position));
    },
  });
  registerRead(app, context, {
    path: '/tx/:txid/outspends',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    cost: { reserve: 2, rowsOfUnit: 200, of: 'outputs' },
    response: Type.Array(EsploraOutspend),
    operation: describe('txOutspends', 'Whether the outputs are spent', errors, [{ spent: false }]),
    async read({ view, params, charge, countRows }) {
      const record = await getTx(view, params.txid, charge);
      const spends = await view.listSpends(record);
      countRows(spends.length);
      const outspends: EsploraOutspendJson[] = [];
      for (const spend of spends) {
        outspends.push(spend === undefined ? { spent: false } : await readOutspend(view, spend));
      }
      return outspends;
    },
  });
  registerRead(app, context, {
    path: '/tx/:txid/outspend/:vout',
    dependsOn: 'mempool',
    params: OutputParams,
    response: EsploraOutspend,
    operation: describe('txOutspend', 'Whether an output is spent', errors, { spent: false }),
    async read({ view, params, charge }) {
      const record = await getTx(view, params.txid, charge);
      const spends = await view.listSpends(record);
      if (params.vout >= spends.length) throw new AppError('transaction_not_found', 'Output not found');
      const spend = spends[params.vout];
      return spend === undefined ? { spent: false } : readOutspend(view, spend);
    },
  });
  app.register(async (scope) => registerBroadcast(scope, context));
}

function registerBroadcast(app: FastifyInstance, context: EsploraContext): void {
  // Wallets send the hex with any content type, or with none: also as JSON, which it is not.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) =>
      context.bodies.readText(request, text as string),
  );
  registerCall(app, {
    method: 'POST',
    path: '/tx',
    body: EsploraTxBody,
    bodyLimit: 2_001_024,
    cost: 10,
    cache: 'none',
    response: Type.String(),
    operation: describe(
      'broadcastTx',
      'Submit a signed transaction',
      ['transaction_undecodable', 'broadcast_rejected', 'node_unavailable'],
      esploraExamples.tx.txid,
      { ...plainText, bodyContentType: 'text/plain', bodyExample: '01000000…' },
    ),
    async call({ body, reply }) {
      const { txid, visibility } = await broadcastAsEsplora(context, body.trim());
      reply.header('x-chain-visibility', visibility);
      return txid;
    },
  });
}

/** Wallets of Esplora know one status for every refusal: 400. */
async function broadcastAsEsplora(context: EsploraContext, rawTxHex: string) {
  try {
    return await context.broadcast(rawTxHex);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) throw new AppError('invalid_body', error.message);
    throw error;
  }
}

/** A spend as it is told. */
export async function readOutspend(view: ChainView, spend: Spend): Promise<EsploraOutspendJson> {
  const status = await readStatus(view, spend.height);
  return { spent: true, txid: toDisplayHash(spend.txid), vin: spend.vin, status };
}
