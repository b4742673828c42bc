import { pageLimits } from '@coinfront/api/common.ts';
import { AddressTokenList, TokenAddressParams, TokenPageQuery } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, compareBytes, equalBytes } from '@coinfront/protocol/bytes.ts';
import type { FastifyInstance } from 'fastify';
import type { Reader } from '../../db/database.ts';
import { registerRead } from '../../http/route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { sha256 } from '../../indexer/hashes.ts';
import { mintableOf, readAddress, serialiseOwner } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { decodeHashCursor, encodeHashCursor } from './token-cursor.ts';
import { tokenExamples } from './token-examples.ts';
import type { IndexedToken } from './token-rows.ts';
import { findToken, listHeldBalances, listIssuedTokens } from './token-store.ts';

const KIND = 'address tokens';

/** `/addresses/{address}/tokens`. */
export function registerAddressTokenRoute(app: FastifyInstance, context: TokenRouteContext): void {
  const { profile } = context;
  registerRead(app, context, {
    path: '/addresses/:address/tokens',
    params: TokenAddressParams,
    query: TokenPageQuery,
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
      errors: ['address_invalid'],
      parameterExamples: { address: tokenExamples.address },
      example: tokenExamples.addressTokens,
    },
    async read({ view, tip, params, query }) {
      const limit = query.limit ?? pageLimits.default;
      const script = readAddress(params.address, profile);
      const scriptHash = sha256(script);
      const subject = bytesToHex(scriptHash);
      const after = decodeHashCursor(KIND, subject, query.cursor);
      const found = await listTokensOf(view.reader, scriptHash, after, limit + 1);
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
            ? encodeHashCursor(KIND, subject, last.token.tokenId)
            : null,
      };
    },
  });
}

/** Tokens that a script has or issued, in the order of ids. */
async function listTokensOf(
  reader: Reader,
  scriptHash: Uint8Array,
  after: Uint8Array,
  limit: number,
): Promise<{ token: IndexedToken; balance: bigint }[]> {
  const held = await listHeldBalances(reader, scriptHash, after, limit);
  const issued = await listIssuedTokens(reader, scriptHash, after, limit);
  const tokens = new Map(issued.map((token) => [bytesToHex(token.tokenId), token]));
  const balances = new Map(held.map(({ tokenId, amount }) => [bytesToHex(tokenId), amount]));
  const ids = [...held, ...issued].map(({ tokenId }) => tokenId).sort(compareBytes);
  const found: { token: IndexedToken; balance: bigint }[] = [];
  for (const [i, id] of ids.entries()) {
    if (found.length === limit) break;
    if (i > 0 && equalBytes(ids[i - 1]!, id)) continue;
    const hex = bytesToHex(id);
    const token = tokens.get(hex) ?? (await findToken(reader, id));
    if (token === undefined) throw new Error(`there is a balance of ${hex}, which is no token`);
    found.push({ token, balance: balances.get(hex) ?? 0n });
  }
  return found;
}
