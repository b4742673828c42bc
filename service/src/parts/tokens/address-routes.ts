import { AddressParams } from '@coinfront/api/common.ts';
import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { AddressTokenList } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView } from '../../chain/chain-view.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import { mintableOf, readAddress, serialiseOwner } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import type { IndexedToken } from './token-rows.ts';
import { findNumberedToken, findScriptNumber, listHeldBalances, listIssuedTokens } from './token-store.ts';

/** `/addresses/{address}/tokens`. */
export function registerAddressTokenRoute(app: FastifyInstance, context: TokenRouteContext): void {
  const { profile } = context;
  registerRead(app, context, {
    path: '/addresses/:address/tokens',
    params: AddressParams,
    query: PageQuery,
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
        'the tip that `as_of` names.',
      errors: ['address_invalid', 'cursor_expired'],
      parameterExamples: { address: tokenExamples.address },
      example: tokenExamples.addressTokens,
    },
    async read({ view, tip, params, query }) {
      const limit = query.limit ?? pageLimits.default;
      const script = readAddress(params.address, profile);
      const list = { kind: 'address tokens', subject: bytesToHex(script) };
      const after = (await readRowCursor(view, list, query.cursor, 1))?.numbers[0] ?? -1;
      const found = await listTokensOf(view, script, after, limit + 1);
      const last = found[limit - 1];
      return {
        as_of: describeAsOf(tip),
        ...serialiseOwner(script, profile),
        items: found.slice(0, limit).map(({ token, balance }) => {
          const { decimals, ticker } = token.terms;
          const isIssuer = equalBytes(token.issuer, script);
          const mintable = isIssuer ? mintableOf(token) : undefined;
          return {
            token_id: bytesToHex(token.tokenId),
            ticker,
            decimals,
            balance: formatAmount(balance, decimals),
            is_issuer: isIssuer,
            mintable: mintable === undefined ? null : formatAmount(mintable, decimals),
          };
        }),
        next_cursor:
          found.length > limit && last !== undefined
            ? await makeRowCursor(view, list, last.token.createdHeight, [last.token.number])
            : null,
      };
    },
  });
}

/** Tokens that a script has or issued whose numbers are above `after`, the oldest first. */
async function listTokensOf(
  { reader }: ChainView,
  script: Uint8Array,
  after: number,
  limit: number,
): Promise<{ token: IndexedToken; balance: bigint }[]> {
  const scriptId = await findScriptNumber(reader, script);
  const held = scriptId === undefined ? [] : await listHeldBalances(reader, scriptId, after, limit);
  const issued = await listIssuedTokens(reader, sha256(script), after, limit);
  const tokens = new Map(issued.map((token) => [token.number, token]));
  const balances = new Map(held.map(({ tokenNumber, amount }) => [tokenNumber, amount]));
  const numbers = [...new Set([...tokens.keys(), ...balances.keys()])].sort((a, b) => a - b).slice(0, limit);
  const found: { token: IndexedToken; balance: bigint }[] = [];
  for (const number of numbers) {
    const token = tokens.get(number) ?? (await findNumberedToken(reader, number));
    if (token === undefined) throw new Error(`there is a balance of token ${number}, which does not exist`);
    found.push({ token, balance: balances.get(number) ?? 0n });
  }
  return found;
}
