import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';
import type { IndexedToken } from './token-rows.ts';
import { findToken } from './token-store.ts';

/**
 * The token of an id in hex.
 *
 * @throws AppError `token_not_found`
 */
export async function getToken(view: ChainView, tokenId: string): Promise<IndexedToken> {
  const token = await findToken(view.reader, getHexBytes(tokenId.toLowerCase()));
  if (token !== undefined) return token;
  throw new AppError('token_not_found', `No token ${tokenId.toLowerCase()} in the best chain.`);
}
