import { distributionSizes, TokenDistribution, TokenParams } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getToken } from './get-token.ts';
import { sharePpm } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import { listHolders } from './token-store.ts';

const MOST = Math.max(...distributionSizes);

/** `/tokens/{token_id}/distribution`. */
export function registerDistributionRoute(app: FastifyInstance, context: TokenRouteContext): void {
  registerRead(app, context, {
    path: '/tokens/:token_id/distribution',
    params: TokenParams,
    response: TokenDistribution,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'tokens',
      id: 'getTokenDistribution',
      tag: 'Tokens',
      summary: 'What the largest holders of a token have in all',
      description:
        'Balances of the largest holders, summed. A holder is an address: one person may have several, and an exchange holds for many.',
      errors: ['token_not_found'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: tokenExamples.distribution,
    },
    async read({ view, tip, params }) {
      const token = await getToken(view, params.token_id);
      const circulating = token.minted - token.burned;
      const largest = await listHolders(view.reader, token.number, undefined, MOST);
      const amount = (value: bigint) => formatAmount(value, token.terms.decimals);
      return {
        as_of: describeAsOf(tip),
        token_id: bytesToHex(token.tokenId),
        holders: token.holders,
        circulating: amount(circulating),
        largest: distributionSizes.map((size) => {
          const summed = largest.slice(0, size);
          const balance = summed.reduce((sum, holder) => sum + holder.amount, 0n);
          return {
            size,
            holders: summed.length,
            balance: amount(balance),
            share_ppm: sharePpm(balance, circulating),
          };
        }),
      };
    },
  });
}
