import { AddressSummary, AddressTableQuery, UtxoList } from '@coinfront/api/chain-addresses.ts';
import { AddressParams } from '@coinfront/api/common.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { ScriptStats } from '../../chain/chain-view.ts';
import { chooseMatcher, findSpan } from '../../chain/search-history.ts';
import { makePositionCursor, readPositionCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { addressExamples } from './examples-chain.ts';
import { readHistoryFilter } from './history-filter.ts';
import { openHistoryTable, wholeHistory } from './history-table.ts';
import { behindConfirmed, listUtxoPage } from './list-utxos.ts';
import { isSpendable, parseAddress, serialiseTotals, serialiseUtxo } from './serialise-address.ts';

const noStats: ScriptStats = { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };

/** `/address/{address}`, `/utxos/{address}` and the table of a history. */
export function registerAddressRoutes(app: FastifyInstance, context: ChainContext): void {
  const { profile } = context;

  registerRead(app, context, {
    path: '/address/:address',
    params: AddressParams,
    response: AddressSummary,
    dependsOn: 'mempool',
    operation: {
      document: 'chain',
      id: 'getAddress',
      tag: 'Addresses',
      summary: 'Summary of an address, with unspent outputs',
      description:
        'Totals of the chain and of the mempool apart, and the first 25 unspent outputs - all of them, whether ' +
        'spendable now or not. For the rest follow `utxos.next_cursor` with `/utxos/{address}`, which lists from there ' +
        'on what is spendable. An address never used has zeros.',
      errors: ['address_invalid'],
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.summary,
    },
    async read({ view, tip, params }) {
      const { script, fields } = parseAddress(params.address, profile);
      const confirmed = await view.getScriptStats(script);
      const mempool = view.mempool.txs === 0 ? noStats : await view.getMempoolStats(script);
      const from = confirmed.fundedCount === confirmed.spentCount ? behindConfirmed : undefined;
      const page = await listUtxoPage(view, script, from, pageLimits.default, () => true);
      const list = { kind: 'utxos', subject: fields.address, script };
      return {
        ...fields,
        balance: formatAmount(confirmed.fundedSum - confirmed.spentSum, profile.decimals),
        confirmed: serialiseTotals(confirmed, profile.decimals),
        mempool: serialiseTotals(mempool, profile.decimals),
        utxos: {
          items: page.items.map((utxo) => serialiseUtxo(utxo, tip, profile)),
          next_cursor: page.last === undefined ? null : await makePositionCursor(view, list, page.last),
        },
      };
    },
  });

  registerRead(app, context, {
    path: '/utxos/:address',
    params: AddressParams,
    query: PageQuery,
    response: UtxoList,
    dependsOn: 'mempool',
    operation: {
      document: 'chain',
      id: 'listUtxos',
      tag: 'Addresses',
      summary: 'Spendable unspent outputs of an address',
      description:
        'Mature, and not spent in the mempool: confirmed ones from the oldest, then unconfirmed ones (`height` null, ' +
        '`confirmations` 0). A page can be short, even empty, where many outputs are not spendable; `next_cursor` alone ' +
        'says whether there is more.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.utxos,
    },
    async read({ view, tip, params, query }) {
      const { script, fields } = parseAddress(params.address, profile);
      const list = { kind: 'utxos', subject: fields.address, script };
      const from =
        query.cursor === undefined ? undefined : await readPositionCursor(view, list, query.cursor);
      const limit = query.limit ?? pageLimits.default;
      const page = await listUtxoPage(view, script, from, limit, (utxo) => isSpendable(utxo, tip, profile));
      return {
        ...fields,
        items: page.items.map((utxo) => serialiseUtxo(utxo, tip, profile)),
        next_cursor: page.last === undefined ? null : await makePositionCursor(view, list, page.last),
      };
    },
  });

  registerRead(app, context, {
    path: '/address/:address/transactions.csv',
    params: AddressParams,
    query: AddressTableQuery,
    response: Type.String(),
    dependsOn: 'tip',
    cache: 'mempool',
    operation: {
      document: 'chain',
      id: 'exportAddressTransactions',
      tag: 'Addresses',
      summary: 'Confirmed history of an address as a table, for spreadsheets',
      description:
        'CSV (RFC 4180), newest first: time of the block in UTC, height, txid, what the transaction adds to the address, and its ' +
        'balance behind that. All lines, however many, or those of a direction and of days; what waits in the mempool is not among them. A table that cannot be ' +
        'completed, since a block of it left the chain, is cut off: the transfer fails, it does not end early.',
      errors: ['address_invalid'],
      contentType: 'text/csv; charset=utf-8',
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.table,
    },
    async read({ view, tip, params, query }) {
      const { script } = parseAddress(params.address, profile);
      const filter = readHistoryFilter(query);
      const wanted = {
        matches: chooseMatcher(filter?.direction),
        span: filter === undefined ? wholeHistory : await findSpan(view, tip, filter),
      };
      return await openHistoryTable(view, context.readChain, { script, ...wanted }, profile.decimals);
    },
  });
}
