import {
  AddressBalances,
  AddressTxList,
  AddressTxQuery,
  BalancesQuery,
  balancePoints,
} from '@coinfront/api/chain-addresses.ts';
import { AddressParams } from '@coinfront/api/common.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { FastifyInstance } from 'fastify';
import { listHistoryPage } from '../../chain/chain-reads.ts';
import type { ChainView, HistoryEntry } from '../../chain/chain-view.ts';
import { MOST_READ, searchHistoryPage } from '../../chain/search-history.ts';
import { makePositionCursor, readPositionCursor } from '../../http/position-cursor.ts';
import { bytesOfUnit } from '../../http/rate-limit.ts';
import { registerRead } from '../../http/read-route.ts';
import type { ChainContext } from './chain-context.ts';
import { addressExamples } from './examples-chain.ts';
import { readHistoryFilter } from './history-filter.ts';
import { parseAddress } from './serialise-address.ts';
import { formatTime } from './serialise-block.ts';
import { serialiseHistory } from './serialise-history.ts';
import { planSeries } from './series-rules.ts';

/** What a filtered page is charged for, as bytes: what it looks through, and balances that do not follow from one another. */
const bytesOfSearch = bytesOfUnit;
const bytesOfBalances = 3 * bytesOfUnit;

/** `/address/{address}/txs` and `/address/{address}/balances`. */
export function registerAddressHistoryRoutes(app: FastifyInstance, context: ChainContext): void {
  const { profile } = context;

  registerRead(app, context, {
    path: '/address/:address/txs',
    params: AddressParams,
    query: AddressTxQuery,
    response: AddressTxList,
    dependsOn: 'mempool',
    operation: {
      document: 'chain',
      id: 'listAddressTransactions',
      tag: 'Addresses',
      summary: 'History of an address',
      description:
        'Newest first: what is in the mempool, then the chain. However long it is, each page costs the same. ' +
        `With a filter a request looks at ${MOST_READ} transactions at most: a page can be short, even empty, and \`next_cursor\` alone says whether there is more. ` +
        'It costs 1 more request unit, with balances 3 more.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.txs,
    },
    async read({ view, tip, params, query, charge }) {
      const { script, fields } = parseAddress(params.address, profile);
      const filter = readHistoryFilter(query);
      const subject = filter === undefined ? fields.address : `${fields.address} ${Object.values(filter)}`;
      const list = { kind: 'history', subject, script };
      const from = await readPositionCursor(view, list, query.cursor);
      const limit = query.limit ?? pageLimits.default;
      const { entries, last } =
        filter === undefined
          ? await readPage(view, script, from, limit)
          : await searchHistoryPage(view, tip, script, filter, from, limit);
      if (filter !== undefined) charge(query.balances === 'true' ? bytesOfBalances : bytesOfSearch);
      const balances =
        query.balances === 'true'
          ? await listBalances(view, script, entries, filter === undefined)
          : undefined;
      return {
        items: await serialiseHistory(view, entries, tip, profile.decimals, balances),
        next_cursor: last === undefined ? null : await makePositionCursor(view, list, last),
      };
    },
  });

  registerRead(app, context, {
    path: '/address/:address/balances',
    params: AddressParams,
    query: BalancesQuery,
    response: AddressBalances,
    dependsOn: 'tip',
    cost: { reserve: 7, rowsOfUnit: 50, of: 'points' },
    operation: {
      document: 'chain',
      id: 'listAddressBalances',
      tag: 'Addresses',
      summary: 'Balance of an address over time',
      description:
        'From its first transaction to the tip, in so many points at most. Each is exact, and costs the same however long the history is; what ' +
        'waits in the mempool is not counted.',
      errors: ['address_invalid'],
      parameterExamples: { address: addressExamples.summary.address },
      example: addressExamples.balances,
    },
    async read({ view, tip, params, query, countRows }) {
      const { script, fields } = parseAddress(params.address, profile);
      const first = await view.findFirstOutput(script);
      const { address } = fields;
      if (first === undefined)
        return { address, from_height: null, to_height: tip.height, blocks_per_point: 1, points: [] };
      const plan = planSeries(first.height, tip.height, query.points ?? balancePoints.default);
      const heights = new Set(plan.ends.flatMap((end) => [end, end + 1]).filter((end) => end <= tip.height));
      const blocks = new Map((await view.listBlocksAt([...heights])).map((block) => [block.height, block]));
      // What lies below the first transaction of the next block.
      const ids = plan.ends.map((end) => blocks.get(end + 1)?.firstTxId ?? Number.MAX_SAFE_INTEGER);
      const balances = await view.ofScript(sha256(script)).listBalances(ids);
      countRows(plan.ends.length);
      return {
        address,
        from_height: plan.from,
        to_height: tip.height,
        blocks_per_point: plan.blocksPerPoint,
        points: plan.ends.map((height, i) => ({
          height,
          time: formatTime(blocks.get(height)!.medianTimePast),
          balance: formatAmount(balances[i]!, profile.decimals),
        })),
      };
    },
  });
}

async function readPage(
  view: ChainView,
  script: Uint8Array,
  from: { confirmed: boolean; id: number } | undefined,
  limit: number,
) {
  const { entries, more } = await listHistoryPage(view, script, from, limit);
  const last = more ? entries.at(-1) : undefined;
  const height = last?.status.confirmed ? last.status.height : undefined;
  return { entries, last: last && { id: last.txId, height } };
}

/** The balance behind each entry, newest first; of neighbours one is read, and the others follow from it. */
async function listBalances(
  view: ChainView,
  script: Uint8Array,
  entries: readonly HistoryEntry[],
  areNeighbours: boolean,
): Promise<(bigint | undefined)[]> {
  const confirmed = entries.filter(({ status }) => status.confirmed);
  const asked = areNeighbours ? confirmed.slice(0, 1) : confirmed;
  const read = await view.ofScript(sha256(script)).listBalances(asked.map(({ txId }) => txId + 1));
  let balance = read[0] ?? 0n;
  const balances = confirmed.map(({ delta }, i) => {
    const behind = areNeighbours ? balance : read[i];
    balance -= delta;
    return behind;
  });
  return [...entries.slice(confirmed.length).map(() => undefined), ...balances];
}
