import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { ReadChain } from '../../../chain/chain-view.ts';
import { sql } from '../../../db/statement.ts';
import { AppError } from '../../../errors.ts';
import type { TokenMetadataContext } from './metadata-context.ts';

const GET_ISSUER = sql<{ issuer: Uint8Array }>('select issuer from token where token_id = $1');

/**
 * Creates the look-up of tokens in the index, as the chain is now: a token that a reorganisation undid is not found.
 * It throws `not_ready` before the first block is indexed.
 */
export function createFindIssuer(readChain: ReadChain): TokenMetadataContext['findToken'] {
  return (tokenId) =>
    readChain(async (view) => {
      if (view.tip === undefined)
        throw new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', {
          'retry-after': '5',
        });
      const row = await view.reader.get(GET_ISSUER, [getHexBytes(tokenId)]);
      return row && { issuerScript: Uint8Array.from(row.issuer) };
    });
}
