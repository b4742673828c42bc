import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { tokenPrefix } from './token-context.ts';
import { findToken, listTokens, listTokensByTicker } from './token-store.ts';

type Hit = { kind: 'token'; id: string; path: string };

/** Tokens of one ticker that a search shows: those with the most holders. */
const SHOWN_OF_TICKER = 5;

/** Finds tokens by their id or their ticker, for the search. */
export async function findTokenHits(text: string, { reader }: ChainView): Promise<Hit[]> {
  if (/^[0-9a-fA-F]{64}$/.test(text)) {
    const token = await findToken(reader, getHexBytes(text.toLowerCase()));
    return token === undefined ? [] : [hit(token.tokenId)];
  }
  if (!/^[A-Za-z0-9]{1,12}$/.test(text)) return [];
  const filter = { kind: 'ticker', ticker: text.toUpperCase() } as const;
  const tokens = await listTokens(reader, filter, 'holders', undefined, SHOWN_OF_TICKER);
  const longer = await listTokensByTicker(reader, filter.ticker, SHOWN_OF_TICKER - tokens.length);
  return [...tokens, ...longer].map(({ tokenId }) => hit(tokenId));
}

function hit(tokenId: Uint8Array): Hit {
  const id = bytesToHex(tokenId);
  return { kind: 'token', id, path: `${tokenPrefix}/tokens/${id}` };
}
