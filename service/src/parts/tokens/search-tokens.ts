import type { TokenSort } from '@coinfront/api/tokens.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { IndexedToken } from './token-rows.ts';
import { listTokens, listTokensById, listTokensByTicker, type TokenFilter } from './token-store.ts';

/** What is looked for, checked by the schema of the query. */
export type TokenSearch = {
  q?: string | undefined;
  sort?: TokenSort | undefined;
  cursor?: string | undefined;
  limit: number;
};

type Found = { tokens: IndexedToken[]; cursor: string | null };

const TICKER = /^[A-Za-z0-9]{1,12}$/;
const ID_START = /^[0-9a-fA-F]{8,64}$/;
const ID_DIGITS = 64;

/**
 * A page of the tokens that fit a search.
 *
 * @throws AppError `invalid_parameter`, `invalid_cursor`, `cursor_expired`
 */
export async function searchTokens(
  view: ChainView,
  search: TokenSearch,
  profile: CoinProfile,
): Promise<Found> {
  const { q, sort = 'newest', limit } = search;
  const text = q?.trim();
  if (text === undefined || text === '') return await listPage(view, { kind: 'all' }, 'all', search);
  const isStart = ID_START.test(text);
  if (TICKER.test(text)) {
    // A ticker can be made of the first digits of another token's id: it must not hide that one.
    const named = isStart && search.cursor === undefined ? await listByStart(view, text, limit - 1) : [];
    const ticker = text.toUpperCase();
    const rest = { ...search, limit: limit - named.length };
    const page = await listPage(view, { kind: 'ticker', ticker }, `ticker ${ticker}`, rest);
    const others = page.tokens.filter(({ number }) => named.every((token) => token.number !== number));
    const isLast = page.cursor === null && search.cursor === undefined;
    const room = limit - named.length - others.length;
    // Who has typed half of a ticker finds the rest behind those that have it.
    const longer = isLast && room > 0 ? await listTokensByTicker(view.reader, ticker, room) : [];
    if (others.length + longer.length > 0 || !isStart)
      return { tokens: [...named, ...others, ...longer], cursor: page.cursor };
  }
  if (isStart) return { tokens: await listByStart(view, text, limit), cursor: null };
  const decoded = decodeAddress(text, profile);
  if (!decoded.ok) {
    const detail = '"q" is no ticker, no 8 or more hex digits of an id, and no address of this network.';
    throw new AppError('invalid_parameter', detail);
  }
  if (sort === 'holders') {
    const detail =
      '"sort" is "holders", which the tokens of an issuer are not listed by; use "newest" or "oldest".';
    throw new AppError('invalid_parameter', detail);
  }
  const issuerHash = sha256(decoded.value.script);
  return await listPage(view, { kind: 'issuer', issuerHash }, `issuer ${bytesToHex(issuerHash)}`, search);
}

async function listPage(
  view: ChainView,
  filter: TokenFilter,
  subject: string,
  { sort = 'newest', cursor, limit }: TokenSearch,
): Promise<Found> {
  const list = { kind: `tokens ${sort}`, subject };
  const from = await readRowCursor(view, list, cursor, 2);
  const after = from && { holders: from.numbers[0]!, number: from.numbers[1]! };
  const found = await listTokens(view.reader, filter, sort, after, limit + 1);
  const tokens = found.slice(0, limit);
  const last = tokens.at(-1);
  return {
    tokens,
    cursor:
      found.length > limit && last !== undefined
        ? await makeRowCursor(view, list, last.createdHeight, [last.holders, last.number])
        : null,
  };
}

/** Ids are hashes: as many as a page has begin alike only when somebody worked for it. */
async function listByStart(view: ChainView, digits: string, limit: number): Promise<IndexedToken[]> {
  const start = digits.toLowerCase();
  const low = getHexBytes(start.padEnd(ID_DIGITS, '0'));
  const high = getHexBytes(start.padEnd(ID_DIGITS, 'f'));
  return await listTokensById(view.reader, low, high, limit);
}
