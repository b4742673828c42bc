import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { sql } from 'kysely';
import type { NameClient } from '../../../clients/client-names.ts';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import type { MetadataQuery } from './metadata-tables.ts';

/** What the routes of token descriptions are made with. */
export type TokenMetadataContext = {
  precious: Precious;
  profile: Pick<CoinProfile, 'address' | 'messageMagic' | 'genesisHash'>;
  /** What clients call this service; without it nothing can be signed for it. */
  publicUrl: string | undefined;
  /** A token of the chain as it is indexed now, by the hex of its id. */
  findToken: (tokenId: string) => Promise<{ issuerScript: Uint8Array } | undefined>;
  nameClient: NameClient;
  /** Submissions of one client a day (UTC); undefined means no limit. */
  submissionsPerClient: number | undefined;
  /** Unix milliseconds. */
  now: () => number;
};

/** Where the routes begin. */
export const metadataPrefix = '/api/v1';

/** Any fixed number: the name of the bounds among the advisory locks of the database. */
const BOUNDS_LOCK = 0x6d657461;

/** Counting and adding are one step until the transaction ends; on SQLite there is one writer anyway. */
export async function lockBounds(trx: MetadataQuery, engine: Precious['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${BOUNDS_LOCK})`.execute(trx);
}

/**
 * A token that has to be there.
 *
 * @throws AppError `token_not_found`
 */
export async function getToken(
  { findToken }: TokenMetadataContext,
  tokenId: string,
): Promise<{ issuerScript: Uint8Array }> {
  const token = await findToken(tokenId);
  if (token === undefined)
    throw new AppError('token_not_found', `The chain has no token ${tokenId} with confirmations.`);
  return token;
}

/**
 * The domain that signatures are bound to.
 *
 * @throws AppError `metadata_unavailable`
 */
export function getDomain({ publicUrl }: TokenMetadataContext): string {
  if (publicUrl !== undefined && publicUrl !== '') return new URL(publicUrl).host;
  const detail =
    'The operator has not told this service its public address (COINFRONT_PUBLIC_URL), which issuers sign for.';
  throw new AppError('metadata_unavailable', detail);
}

/** Hex of an id of a path, as ids are written. */
export function readTokenId(given: string): string {
  return given.toLowerCase();
}
