import {
  EsploraOutspend,
  type EsploraOutspendJson,
  EsploraPackageAnswer,
  EsploraPackageBody,
  EsploraPackageQuery,
  OutspendsQuery,
} from '@coinfront/api/esplora.ts';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import { registerRead } from '../../http/read-route.ts';
import { isMethodRefused, isNodeError } from '../../node/node-error.ts';
import { NO_PACKAGES } from '../../node/submit-package.ts';
import { type EsploraContext, maxListed } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describe } from './route-kit.ts';
import { readOutspend } from './tx-routes.ts';

/** `/txs`: several transactions at once. */
export function registerManyTxsRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/txs/outspends',
    dependsOn: 'mempool',
    query: OutspendsQuery,
    cost: { reserve: 25, rowsOfUnit: 200, of: 'outputs' },
    response: Type.Array(Type.Array(EsploraOutspend)),
    operation: describe(
      'txsOutspends',
      `Whether the outputs of several transactions are spent; an empty list for one that is not known, an error above ${maxListed.outspends} outputs`,
      [],
      [[{ spent: false }], []],
      { parameterExamples: { txids: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16' } },
    ),
    async read({ view, query, charge, countRows }) {
      const answer: EsploraOutspendJson[][] = [];
      let rows = 0;
      for (const text of query.txids.split(',')) {
        const record = await view.findTx(getValue(parseDisplayHash(text)));
        const spends = record === undefined ? [] : await view.listSpends(record);
        charge(record?.raw.length ?? 0);
        rows += spends.length;
        countRows(rows);
        if (rows > maxListed.outspends) {
          throw new AppError('invalid_parameter', `Too many outputs (>${maxListed.outspends}). Name fewer.`);
        }
        const outspends: EsploraOutspendJson[] = [];
        for (const spend of spends) {
          outspends.push(spend === undefined ? { spent: false } : await readOutspend(view, spend));
        }
        answer.push(outspends);
      }
      return answer;
    },
  });
  app.register(async (scope) => registerPackage(scope, context));
}

function registerPackage(app: FastifyInstance, context: EsploraContext): void {
  // Clients send the list with any content type, or with none.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string | Buffer) =>
      readList(await context.bodies.readText(request, text as string)),
  );
  registerCall(app, {
    method: 'POST',
    path: '/txs/package',
    query: EsploraPackageQuery,
    body: EsploraPackageBody,
    bodyLimit: 2_001_024,
    cost: 40,
    cache: 'none',
    response: EsploraPackageAnswer,
    operation: describe(
      'broadcastPackage',
      'Submit a package of signed transactions: parents and the child that pays for them',
      ['broadcast_rejected', 'node_unavailable'],
      { package_msg: 'success', 'tx-results': {}, 'replaced-transactions': [] },
      { bodyExample: [esploraExamples.rawTx] },
    ),
    async call({ body, query, reply }) {
      const limits = { maxFeeRate: query.maxfeerate, maxBurnAmount: query.maxburnamount };
      const { answer, visibility } = await context.sendPackage(body, limits).catch((error: unknown) => {
        throw describeRefusal(error);
      });
      reply.header('x-chain-visibility', visibility);
      return answer as Record<string, unknown>;
    },
  });
}

function readList(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_body', 'The body is no JSON: a list of transactions in hex is expected.');
  }
}

/** Wallets of Esplora know one status for what the node refuses: 400. */
function describeRefusal(error: unknown): unknown {
  if (isMethodRefused(error)) return new AppError('node_unavailable', NO_PACKAGES);
  if (isNodeError(error, 'rpc')) {
    return new AppError(
      'invalid_body',
      `The node refused the package: ${error.message.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 300)}`,
    );
  }
  if (isNodeError(error)) {
    const detail =
      'The node could not be asked; whether it has the package is unknown. Send it again: that is safe.';
    return new AppError('node_unavailable', detail, { 'retry-after': '5' });
  }
  if (error instanceof AppError && error.status < 500) return new AppError('invalid_body', error.message);
  return error;
}
