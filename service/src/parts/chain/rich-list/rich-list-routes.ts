import { pageLimits } from '@coinfront/api/paging.ts';
import {
  BalanceDistribution,
  type BalanceDistributionJson,
  type RichListJson,
  RichListQuery,
  RichListView,
} from '@coinfront/api/rich-list.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../../chain/chain-reads.ts';
import { AppError } from '../../../errors.ts';
import { makeRowCursor, readRowCursor } from '../../../http/position-cursor.ts';
import { registerRead } from '../../../http/read-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import type { ChainContext } from '../chain-context.ts';
import { richListExamples } from '../examples-rich-list.ts';
import { RICHEST, type RichList, sharePpm, sumRichest } from './rank-balances.ts';

const list = { kind: 'rich', subject: '' } as const;
const sizes = [1, 10, 100, RICHEST] as const;
const about =
  'As of one block, which the answer names: the list is made anew after some blocks, where the operator has switched it on. Balances are confirmed ones; ' +
  'what can never be spent (OP_RETURN) is not counted.';

/** `/rich`, `/rich/distribution`. */
export function registerRichListRoutes(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  const amount = (value: bigint) => formatAmount(value, decimals);

  registerRead(app, context, {
    path: '/rich',
    query: RichListQuery,
    response: RichListView,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'getRichList',
      tag: 'Addresses',
      summary: 'The richest addresses',
      description: `The ${RICHEST.toLocaleString('en-US')} with the largest balances. ${about} A cursor is good for the list that it is of.`,
      errors: ['rich_list_off', 'rich_list_pending', 'invalid_cursor', 'cursor_expired'],
      example: richListExamples.list,
    },
    async read({ view, query }): Promise<RichListJson> {
      const rich = await findList(context);
      const from = await readRowCursor(view, list, query.cursor, 2);
      if (from !== undefined && (from.height !== rich.height || from.numbers[0] !== rich.madeAtMs))
        throw new AppError(
          'cursor_expired',
          'The list was made anew since the page before; begin the list anew.',
        );
      const first = from?.numbers[1] ?? 0;
      const shown = rich.richest.slice(first, first + (query.limit ?? pageLimits.default));
      const next = first + shown.length;
      return {
        ...(await describeList(view, rich)),
        items: shown.map(({ address, scriptType, scriptHash, balance, coins }, i) => ({
          rank: first + i + 1,
          address,
          script_type: scriptType,
          script_hash: scriptHash,
          balance: amount(balance),
          utxo_count: coins,
          share_ppm: sharePpm(balance, rich.balance),
        })),
        next_cursor:
          next < rich.richest.length
            ? await makeRowCursor(view, list, rich.height, [rich.madeAtMs, next])
            : null,
      };
    },
  });

  registerRead(app, context, {
    path: '/rich/distribution',
    response: BalanceDistribution,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'getBalanceDistribution',
      tag: 'Addresses',
      summary: 'How many addresses have how much',
      description: `All addresses by the size of their balance, and what the richest have of all. ${about}`,
      errors: ['rich_list_off', 'rich_list_pending'],
      example: richListExamples.distribution,
    },
    async read({ view }): Promise<BalanceDistributionJson> {
      const rich = await findList(context);
      return {
        ...(await describeList(view, rich)),
        addresses: rich.scripts,
        balance: amount(rich.balance),
        bands: rich.bands.map(({ digits, scripts, balance }) => ({
          from: amount(10n ** BigInt(digits - 1)),
          below: amount(10n ** BigInt(digits)),
          addresses: scripts,
          balance: amount(balance),
        })),
        largest: sizes.map((size) => {
          const sum = sumRichest(rich.richest, size);
          return {
            size,
            addresses: Math.min(size, rich.richest.length),
            balance: amount(sum),
            share_ppm: sharePpm(sum, rich.balance),
          };
        }),
      };
    },
  });
}

/** @throws AppError `rich_list_off`, `rich_list_pending` */
async function findList({ readRichList }: ChainContext): Promise<RichList> {
  if (readRichList === undefined)
    throw new AppError(
      'rich_list_off',
      'The operator of this service has not switched on the list of the richest addresses (COINFRONT_RICH_LIST).',
    );
  const rich = await readRichList();
  if (rich === undefined)
    throw new AppError('rich_list_pending', 'The first list is being made; try again later.', {
      'retry-after': '10',
    });
  return rich;
}

async function describeList(view: ChainView, { height, hash, madeAtMs }: RichList) {
  const block = await view.nameBlockAt(height);
  return {
    as_of: describeAsOf({ height, hash }),
    made_at: new Date(madeAtMs).toISOString(),
    stale: block === undefined || !equalBytes(block.hash, hash),
  };
}
