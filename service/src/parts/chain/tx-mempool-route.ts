import { TxParams } from '@coinfront/api/chain-transactions.ts';
import { replacedLimit, TxMempool, type TxMempoolJson } from '@coinfront/api/chain-tx-mempool.ts';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { FastifyInstance } from 'fastify';
import { getTx } from '../../chain/chain-reads.ts';
import { findTxFamily } from '../../chain/tx-family.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { mempoolExample } from './examples-tx-mempool.ts';
import {
  describePlace,
  serialiseRelatives,
  serialiseReplacement,
  serialiseWaiting,
} from './serialise-mempool.ts';

/** `/tx/{txid}/mempool`. */
export function registerTxMempoolRoute(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  registerRead(app, context, {
    path: '/tx/:txid/mempool',
    params: TxParams,
    response: TxMempool,
    dependsOn: 'mempool',
    cost: { reserve: 11, rowsOfUnit: 10, of: 'transactions that hang together' },
    operation: {
      document: 'chain',
      id: 'getTransactionInMempool',
      tag: 'Transactions',
      summary: 'The place of a transaction in the mempool, and replacements',
      description:
        'How much waits in front of it, what it hangs on and what hangs on it, what it replaced, and for one that was replaced by what. ' +
        'A transaction that is in neither chain nor mempool is a 404 unless the service remembers what replaced it; ' +
        '`/tx/{txid}` is a 404 for it all the same.',
      errors: ['transaction_not_found'],
      parameterExamples: { txid: mempoolExample.txid },
      example: mempoolExample,
    },
    async read({ view, params, charge, countRows }): Promise<TxMempoolJson> {
      const txid = getValue(parseDisplayHash(params.txid));
      const record = await view.findTx(txid);
      const replacement = record === undefined ? await view.findReplacement(txid) : undefined;
      // Says that there is no such transaction.
      if (record === undefined && replacement === undefined) await getTx(view, params.txid);
      const replaced = await view.listReplaced(txid, replacedLimit);
      const common = {
        txid: params.txid.toLowerCase(),
        replaced: replaced.map((each) => serialiseReplacement(each, decimals)),
      };
      if (record === undefined)
        return {
          ...common,
          ...notWaiting,
          state: 'replaced',
          replaced_by: replacement === undefined ? null : serialiseReplacement(replacement, decimals),
        };
      if (record.status.confirmed) return { ...common, ...notWaiting, state: 'confirmed' };
      const family = await findTxFamily(view, record);
      charge(family.read.reduce((sum, { raw }) => sum + raw.length, 0));
      countRows(family.read.length);
      return {
        ...common,
        ...serialiseWaiting(record, family),
        state: 'waiting',
        place: describePlace(family.package, await view.getFeeHistogram(), view.mempool.vsize),
        ancestors: serialiseRelatives(family.ancestors, decimals),
        descendants: serialiseRelatives(family.descendants, decimals),
        replaced_by: null,
      };
    },
  });
}

const notWaiting = {
  fee_rate: null,
  effective_fee_rate: null,
  place: null,
  ancestors: null,
  descendants: null,
  replaced_by: null,
};
