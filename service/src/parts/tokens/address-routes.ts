import { AddressParams } from '@coinfront/api/common.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import { AddressTokenList, AddressTokenQuery } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import { getBlockAt } from '../../chain/chain-reads.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { mintableOf, readAddress, serialiseOwner } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import { listTokensAt, listTokensOf } from './tokens-of-script.ts';

/** `/addresses/{address}/tokens`. */
export function registerAddressTokenRoute(app: FastifyInstance, context: TokenRouteContext): void {
  const { profile } = context;
  registerRead(app, context, {
    path: '/addresses/:address/tokens',
    params: AddressParams,
    query: AddressTokenQuery,
    response: AddressTokenList,
    dependsOn: 'tip',
    cost: 2,
    operation: {
      document: 'tokens',
      id: 'listAddressTokens',
      tag: 'Addresses',
      summary: 'Tokens of an address: balances, and those that it issued',
      description:
        'Tokens belong to the script of the address, not to its coins: spending coins does not move them. Each page is of ' +
        'the tip that `as_of` names. With `height` they are those behind that block; a page may then have fewer items than asked ' +
        'for although there is a `next_cursor`.',
      errors: ['address_invalid', 'cursor_expired', 'block_not_found'],
      parameterExamples: { address: tokenExamples.address },
      example: tokenExamples.addressTokens,
    },
    async read({ view, tip, params, query }) {
      const limit = query.limit ?? pageLimits.default;
      const script = readAddress(params.address, profile);
      const { height } = query;
      const at = height === undefined ? tip : await getBlockAt(view, height);
      const subject = bytesToHex(script);
      const list = {
        kind: 'address tokens',
        subject: height === undefined ? subject : `${subject} at ${height}`,
      };
      const after = (await readRowCursor(view, list, query.cursor, 1))?.numbers[0] ?? -1;
      const { items, last } =
        height === undefined
          ? await listTokensOf(view, script, after, limit)
          : await listTokensAt(view, script, height, after, limit);
      return {
        as_of: describeAsOf(tip),
        balances_at: describeAsOf(at),
        ...serialiseOwner(script, profile),
        items: items.map(({ token, balance, minting }) => {
          const { terms } = token;
          const isIssuer = equalBytes(token.issuer, script);
          const mintable = isIssuer ? mintableOf({ ...minting, terms }) : undefined;
          return {
            token_id: bytesToHex(token.tokenId),
            ticker: terms.ticker,
            decimals: terms.decimals,
            balance: formatAmount(balance, terms.decimals),
            is_issuer: isIssuer,
            mintable: mintable === undefined ? null : formatAmount(mintable, terms.decimals),
          };
        }),
        // Pages of a past block are all behind this one. Those of now are each of their own tip, and go on while the token stands.
        next_cursor:
          last === undefined
            ? null
            : await makeRowCursor(view, list, height ?? last.createdHeight, [last.number]),
      };
    },
  });
}
