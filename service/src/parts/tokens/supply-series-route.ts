import { seriesPoints } from '@coinfront/api/chain-series.ts';
import { PartSeriesQuery, TokenSupplySeries } from '@coinfront/api/part-series.ts';
import { TokenParams } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { describeBehindBlocks, findSpan, pickEvenly } from '../../chain/series-span.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getToken } from './get-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import { countSupplyChanges, findSupplyChange, type SupplyChange } from './token-history.ts';

/** Points that are there whatever happened: where the span begins and ends. */
const ENDS = 2;

/** `/tokens/{token_id}/series`. */
export function registerSupplySeriesRoute(app: FastifyInstance, context: TokenRouteContext): void {
  registerRead(app, context, {
    path: '/tokens/:token_id/series',
    params: TokenParams,
    query: PartSeriesQuery,
    response: TokenSupplySeries,
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'tokens',
      id: 'getTokenSupplySeries',
      tag: 'Tokens',
      summary: 'Supply and number of holders of a token over time',
      description:
        'In so many points at most. Each is exact: the blocks that changed the figures are kept with them, and of many such blocks ' +
        'some are picked.',
      errors: ['token_not_found'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: tokenExamples.supplySeries,
    },
    async read({ view, tip, params, query }) {
      const { reader } = view;
      const token = await getToken(view, params.token_id);
      const changeOf = (change: number) => findSupplyChange(reader, token.number, change);
      const { decimals } = token.terms;
      const { from, to } = await findSpan(view, tip, query, 'all');
      const said = { as_of: describeAsOf(tip), token_id: bytesToHex(token.tokenId), decimals };
      if (to < token.createdHeight) return { ...said, points: [] };
      const start = Math.max(from, token.createdHeight);
      const first = await countSupplyChanges(reader, token, start);
      const last = (await countSupplyChanges(reader, token, to + 1)) - 1;
      const picked = pickEvenly(first, last, (query.points ?? seriesPoints.default) - ENDS);
      const behind = new Map<number, SupplyChange>();
      // The block that created it is itself a change.
      behind.set(start, (await changeOf(start === token.createdHeight ? first : first - 1))!);
      for (const change of await Promise.all(picked.map(changeOf))) behind.set(change!.height, change!);
      behind.set(to, (await changeOf(last))!);
      const points = await describeBehindBlocks(view, behind);
      return {
        ...said,
        points: points.map(({ height, time, value: { minted, burned, holders } }) => ({
          height,
          time,
          circulating: formatAmount(minted - burned, decimals),
          minted: formatAmount(minted, decimals),
          burned: formatAmount(burned, decimals),
          holders,
        })),
      };
    },
  });
}
