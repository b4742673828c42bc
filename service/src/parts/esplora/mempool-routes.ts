import { EsploraFees, EsploraMempool, EsploraRecent } from '@coinfront/api/esplora.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import { type EsploraContext, maxListed } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describe } from './route-kit.ts';
import { toBaseUnits } from './serialise.ts';

/** Targets that wallets of Esplora look for: each up to a day's worth of ten-minute blocks, then half a week, a week. */
const targets = [...Array.from({ length: 25 }, (_, i) => i + 1), 144, 504, 1008];

/** `/mempool` and `/fee-estimates`. */
export function registerMempoolRoutes(app: FastifyInstance, context: EsploraContext): void {
  registerRead(app, context, {
    path: '/mempool',
    dependsOn: 'mempool',
    cache: 'volatile',
    response: EsploraMempool,
    operation: describe('mempool', 'The mempool in sums', [], esploraExamples.mempool),
    async read({ view }) {
      const histogram = await view.getFeeHistogram();
      return {
        count: view.mempool.txs,
        vsize: view.mempool.vsize,
        total_fee: toBaseUnits(view.mempool.fees),
        fee_histogram: histogram.map((step) => [step.feeRateMilliSatsPerVb / 1000, step.vsize]),
      };
    },
  });
  registerRead(app, context, {
    path: '/mempool/txids',
    dependsOn: 'mempool',
    cost: { reserve: 20, rowsOfUnit: 10_000, of: 'transactions' },
    response: Type.Array(Type.String()),
    operation: describe(
      'mempoolTxids',
      `All txids of the mempool; an error above ${maxListed.mempoolTxids}`,
      [],
      [],
    ),
    async read({ view, countRows }) {
      if (view.mempool.txs > maxListed.mempoolTxids) {
        throw new AppError(
          'overloaded',
          `The mempool has ${view.mempool.txs} transactions, too many for one list.`,
        );
      }
      countRows(view.mempool.txs);
      return (await view.listMempoolTxids(maxListed.mempoolTxids)).map(toDisplayHash);
    },
  });
  registerRead(app, context, {
    path: '/mempool/recent',
    dependsOn: 'mempool',
    response: Type.Array(EsploraRecent),
    operation: describe('mempoolRecent', 'The ten transactions that came last', [], []),
    async read({ view }) {
      return (await view.listMempoolTxs(10)).map(({ txid, fee, vsize, value }) => ({
        txid: toDisplayHash(txid),
        fee: toBaseUnits(fee),
        vsize,
        value: toBaseUnits(value),
      }));
    },
  });
  registerRead(app, context, {
    path: '/fee-estimates',
    dependsOn: 'volatile',
    response: EsploraFees,
    operation: describe('feeEstimates', 'Fee rates by target', [], { 1: 3.21, 6: 1.005, 144: 1 }),
    async read({ view }) {
      const estimates = context.estimateFees(targets, await view.getFeeHistogram());
      return Object.fromEntries(
        estimates.map(({ targetBlocks, ratePerKvb }) => [String(targetBlocks), Number(ratePerKvb) / 1000]),
      );
    },
  });
}
