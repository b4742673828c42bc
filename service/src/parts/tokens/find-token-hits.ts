import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import type { Reader } from '../../db/database.ts';
import { tokenPrefix } from './token-context.ts';
import type { IndexedToken } from './token-rows.ts';
import { findToken, listTokens, listTokensByTicker } from './token-store.ts';

type Hit = { kind: 'token'; id: string; path: string };

/** Tokens of one ticker that a search shows: those with the most holders. */
const SHOWN_OF_TICKER = 5;

const TICKER_START = /^[A-Za-z0-9]{1,12}$/;

/** Finds tokens by their id or their ticker, for the search. */
export async function findTokenHits(text: string, { reader }: ChainView): Promise<Hit[]> {
  if (/^[0-9a-fA-F]{64}$/.test(text)) {
    const token = await findToken(reader, getHexBytes(text.toLowerCase()));
    return token === undefined ? [] : [hit(token)];
  }
  return (await listByTicker(reader, text, SHOWN_OF_TICKER)).map(hit);
}

/** Suggests tokens by how their tickers begin. */
export async function suggestTokens(
  text: string,
  { reader }: ChainView,
  limit: number,
): Promise<(Hit & { label: string })[]> {
  const tokens = await listByTicker(reader, text, limit);
  return tokens.map((token) => ({ ...hit(token), label: token.terms.ticker }));
}

/** Tokens of a ticker, those with the most holders first, and behind them those whose tickers begin with it. */
async function listByTicker(reader: Reader, text: string, limit: number): Promise<IndexedToken[]> {
  if (!TICKER_START.test(text)) return [];
  const ticker = text.toUpperCase();
  const exact = await listTokens(reader, { kind: 'ticker', ticker }, 'holders', undefined, limit);
  return [...exact, ...(await listTokensByTicker(reader, ticker, limit - exact.length))];
}

function hit({ tokenId }: IndexedToken): Hit {
  const id = bytesToHex(tokenId);
  return { kind: 'token', id, path: `${tokenPrefix}/tokens/${id}` };
}
