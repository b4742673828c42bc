import {
  EsploraCpfp,
  type EsploraCpfpJson,
  EsploraMempoolBlock,
  EsploraTxParams,
  TransactionTimesQuery,
} from '@coinfront/api/esplora.ts';
import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ChainView, TxRecord } from '../../chain/chain-reads.ts';
import { AppError } from '../../errors.ts';
import { registerRead } from '../../http/read-route.ts';
import type { EsploraContext } from './esplora-context.ts';
import { esploraExamples } from './examples.ts';
import { describeMempoolBlocks } from './mempool-blocks.ts';
import { describeOfMempoolSpace } from './route-kit.ts';
import { toBaseUnits } from './serialise.ts';

/** Relatives of a transaction that are looked at; nodes let no more hang together. */
const mostRelatives = 100;
/** Bytes of relatives that are read: as much as nodes let hang together, with room. */
const mostBytes = 2_000_000;

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
      const ancestors = await walk(view, record, listParents);
      const descendants = await walk(view, record, listChildren);
      const all = [record, ...ancestors, ...descendants];
      charge(all.reduce((sum, { raw }) => sum + raw.length, 0));
      countRows(all.length);
      return {
        ancestors: ancestors.map(serialise),
        descendants: descendants.map(serialise),
        bestDescendant: null,
        fee: toBaseUnits(record.fee ?? 0n),
        adjustedVsize: record.weight / 4,
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

type ListNext = (view: ChainView, tx: TxRecord) => Promise<Uint8Array[]>;

const listParents: ListNext = async (view, tx) =>
  (await view.listPrevouts(tx)).flatMap((prevout) =>
    prevout !== undefined && prevout.height === undefined ? [prevout.txid] : [],
  );

const listChildren: ListNext = async (view, tx) =>
  (await view.listSpends(tx)).flatMap((spend) => (spend === undefined ? [] : [spend.txid]));

/** All that can be reached from a transaction, nearest first. */
async function walk(view: ChainView, from: TxRecord, listNext: ListNext): Promise<TxRecord[]> {
  const seen = new Set([toDisplayHash(from.txid)]);
  const found: TxRecord[] = [];
  let bytes = from.raw.length;
  for (let tx: TxRecord | undefined = from, at = 0; tx !== undefined; tx = found[at++]) {
    for (const txid of await listNext(view, tx)) {
      if (seen.has(toDisplayHash(txid))) continue;
      seen.add(toDisplayHash(txid));
      const next = await view.findUnconfirmedTx(txid);
      if (next === undefined) continue;
      bytes += next.raw.length;
      if (found.length === mostRelatives || bytes > mostBytes) {
        throw new AppError('overloaded', 'Too many transactions hang together with this one.');
      }
      found.push(next);
    }
  }
  return found;
}

function serialise({ txid, fee, weight }: TxRecord) {
  return { txid: toDisplayHash(txid), fee: toBaseUnits(fee ?? 0n), weight };
}
