import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import {
  HolderList,
  TokenAnswer,
  type TokenJson,
  TokenList,
  TokenListQuery,
  TokenParams,
} from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { getToken } from './get-token.ts';
import { searchTokens } from './search-tokens.ts';
import { serialiseOwner, serialiseToken, sharePpm } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { makeAmountCursor, readAmountCursor } from './token-cursor.ts';
import { tokenExamples } from './token-examples.ts';
import type { IndexedToken } from './token-rows.ts';
import { listHolders } from './token-store.ts';

/** `/tokens`, `/tokens/{token_id}` and `/tokens/{token_id}/holders`. */
export function registerTokenRoutes(app: FastifyInstance, context: TokenRouteContext): void {
  const { profile, findReviewedMetadata } = context;

  const serialiseAll = async (view: ChainView, tokens: readonly IndexedToken[]): Promise<TokenJson[]> => {
    const metadata = await findReviewedMetadata(tokens.map(({ tokenId }) => bytesToHex(tokenId)));
    return await Promise.all(
      tokens.map((token) => serialiseToken(view, token, metadata.get(bytesToHex(token.tokenId)), profile)),
    );
  };

  registerRead(app, context, {
    path: '/tokens',
    query: TokenListQuery,
    response: TokenList,
    // What is reviewed changes without a block.
    dependsOn: 'volatile',
    cost: 5,
    operation: {
      document: 'tokens',
      id: 'listTokens',
      tag: 'Tokens',
      summary: 'Search or list tokens',
      description:
        'All tokens, or those of a ticker, of an issuer, or whose id begins with some digits. Tickers are not unique: look at ' +
        'the id, the issuer and the number of holders.',
      errors: ['cursor_expired'],
      example: tokenExamples.list,
    },
    async read({ view, tip, query }) {
      const limit = query.limit ?? pageLimits.default;
      const { tokens, cursor } = await searchTokens(view, { ...query, limit }, profile);
      return { as_of: describeAsOf(tip), items: await serialiseAll(view, tokens), next_cursor: cursor };
    },
  });

  registerRead(app, context, {
    path: '/tokens/:token_id',
    params: TokenParams,
    response: TokenAnswer,
    dependsOn: 'volatile',
    operation: {
      document: 'tokens',
      id: 'getToken',
      tag: 'Tokens',
      summary: 'A token: issuer, supply, reviewed metadata',
      description:
        '`metadata` is null until the issuer proved to be it and a person approved what it submitted; all else is from the chain.',
      errors: ['token_not_found'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: { as_of: tokenExamples.tip, token: tokenExamples.token },
    },
    async read({ view, tip, params }) {
      const found = await getToken(view, params.token_id);
      const [token] = await serialiseAll(view, [found]);
      return { as_of: describeAsOf(tip), token: token! };
    },
  });

  registerRead(app, context, {
    path: '/tokens/:token_id/holders',
    params: TokenParams,
    query: PageQuery,
    response: HolderList,
    dependsOn: 'tip',
    operation: {
      document: 'tokens',
      id: 'listTokenHolders',
      tag: 'Tokens',
      summary: 'Positive balances of a token, the largest first',
      description:
        'Each page is of the tip that `as_of` names. A page goes on below the last balance that was shown: whose balance ' +
        'changes between two pages can be on both, or on none. When the block of a page is replaced its cursor expires.',
      errors: ['token_not_found', 'cursor_expired'],
      parameterExamples: { token_id: tokenExamples.token.token_id },
      example: tokenExamples.holders,
    },
    async read({ view, tip, params, query }) {
      const limit = query.limit ?? pageLimits.default;
      const token = await getToken(view, params.token_id);
      const id = bytesToHex(token.tokenId);
      const list = { kind: 'holders', subject: id };
      const after = await readAmountCursor(view, list, query.cursor);
      const rows = await listHolders(view.reader, token.number, after, limit + 1);
      const shown = rows.slice(0, limit);
      const scripts = await view.getScripts(shown.map(({ scriptId }) => scriptId));
      const last = rows[limit - 1];
      const circulating = token.minted - token.burned;
      return {
        as_of: describeAsOf(tip),
        token_id: id,
        holders: token.holders,
        items: shown.map(({ amount }, i) => ({
          ...serialiseOwner(scripts[i]!, profile),
          balance: formatAmount(amount, token.terms.decimals),
          share_ppm: sharePpm(amount, circulating),
        })),
        next_cursor:
          rows.length > limit && last !== undefined ? await makeAmountCursor(view, tip, list, last) : null,
      };
    },
  });
}
