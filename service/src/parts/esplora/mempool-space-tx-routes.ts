import {
  EsploraCpfp,
  type EsploraCpfpJson,
  EsploraMempoolBlock,
  EsploraTxParams,
  TransactionTimesQuery,
} from '@coinfront/api/esplora.ts';
import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { TxRecord } from '../../chain/chain-reads.ts';
import { findTxFamily } from '../../chain/tx-family.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describeMempoolBlocks } from './mempool-blocks.ts';
import { describeOfMempoolSpace } from './route-kit.ts';
import { toBaseUnits } from './serialise.ts';

/** `/v1/cpfp`, `/v1/fees/mempool-blocks` and `/v1/transaction-times`. */
export function registerMempoolSpaceTxRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/v1/cpfp/:txid',
    dependsOn: 'mempool',
    params: EsploraTxParams,
    cost: { reserve: 11, rowsOfUnit: 10, of: 'transactions' },
    response: EsploraCpfp,
    operation: describeOfMempoolSpace(
      'cpfp',
      'What a transaction of the mempool hangs on, and what hangs on it; no ancestors for any other',
      ['overloaded'],
      esploraExamples.cpfp,
    ),
    async read({ view, params, charge, countRows }): Promise<EsploraCpfpJson> {
      const record = await view.findUnconfirmedTx(getValue(parseDisplayHash(params.txid)));
      if (record === undefined) return { ancestors: [] };
      const family = await findTxFamily(view, record);
      const { ancestors, descendants } = family;
      charge(family.read.reduce((sum, { raw }) => sum + raw.length, 0));
      countRows(family.read.length);
      if (ancestors === undefined || descendants === undefined)
        throw new AppError('overloaded', 'Too many transactions hang together with this one.');
      return {
        ancestors: ancestors.map(serialise),
        descendants: descendants.map(serialise),
        bestDescendant: null,
        fee: toBaseUnits(record.fee ?? 0n),
        adjustedVsize: record.weight / 4,
        ...(family.package && {
          effectiveFeePerVsize: Number(formatFeeRate(family.package.fee, family.package.weight)),
        }),
      };
    },
  });
  registerRead(app, context, {
    path: '/v1/fees/mempool-blocks',
    dependsOn: 'mempool',
    cache: 'volatile',
    response: Type.Array(EsploraMempoolBlock),
    operation: describeOfMempoolSpace(
      'mempoolBlocks',
      'The mempool in blocks by the steps of its histogram, best paying first; the eighth has all the rest',
      [],
      [esploraExamples.mempoolBlock],
    ),
    read: async ({ view }) => describeMempoolBlocks(await view.getFeeHistogram(), view.mempool.fees),
  });
  registerRead(app, context, {
    path: '/v1/transaction-times',
    dependsOn: 'mempool',
    query: TransactionTimesQuery,
    cost: 3,
    response: Type.Array(Type.Integer({ minimum: 0 })),
    operation: describeOfMempoolSpace(
      'transactionTimes',
      'When transactions of the mempool were seen first, seconds since 1970; 0 for any other',
      [],
      [1_764_000_000, 0],
      { parameterExamples: { 'txId[]': esploraExamples.tx.txid } },
    ),
    async read({ view, query }) {
      const times: number[] = [];
      for (const text of query['txId[]'].split(',')) {
        const record = await view.findUnconfirmedTx(getValue(parseDisplayHash(text)));
        times.push(record?.status.confirmed === false ? Math.floor(record.status.firstSeenMs / 1000) : 0);
      }
      return times;
    },
  });
}

function serialise({ txid, fee, weight }: TxRecord) {
  return { txid: toDisplayHash(txid), fee: toBaseUnits(fee ?? 0n), weight };
}
