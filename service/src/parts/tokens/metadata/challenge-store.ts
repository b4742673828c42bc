/** Challenges: texts that issuers were asked to sign, each good once and for a while. */

import type { MetadataChallengeTable, MetadataQuery } from './metadata-tables.ts';

/** How many challenges may be open at once: of a client for one token, of a client, of a token, in all. */
export type ChallengeBounds = { clientAndToken: number; client: number; token: number; all: number };

/** Challenges that one request forgets: a few more than it adds. */
const PURGED_AT_ONCE = 4;
/** For so long an expired challenge is remembered, to say that it expired. */
const REMEMBERED_MS = 86_400_000;

/**
 * Adds a challenge, unless a bound is reached; gives the name of that bound. Clients that ask for the token of another
 * fill their own share first, so that they do not keep its issuer out.
 */
export async function addChallenge(
  trx: MetadataQuery,
  row: MetadataChallengeTable,
  bounds: ChallengeBounds,
): Promise<keyof ChallengeBounds | undefined> {
  const nowMs = row.issued_at;
  await forgetOld(trx, nowMs);
  const countOpen = async (...columns: ('token_id' | 'client')[]): Promise<number> => {
    let query = trx
      .selectFrom('metadata_challenge')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('used_at', 'is', null)
      .where('expires_at', '>', nowMs);
    for (const column of columns) query = query.where(column, '=', row[column]);
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  if ((await countOpen('token_id', 'client')) >= bounds.clientAndToken) return 'clientAndToken';
  if ((await countOpen('client')) >= bounds.client) return 'client';
  if ((await countOpen('token_id')) >= bounds.token) return 'token';
  if ((await countOpen()) >= bounds.all) return 'all';
  await trx.insertInto('metadata_challenge').values(row).execute();
  return undefined;
}

async function forgetOld(trx: MetadataQuery, nowMs: number): Promise<void> {
  const old = await trx
    .selectFrom('metadata_challenge')
    .select('nonce')
    .where('expires_at', '<', nowMs - REMEMBERED_MS)
    .orderBy('expires_at')
    .limit(PURGED_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await trx
    .deleteFrom('metadata_challenge')
    .where(
      'nonce',
      'in',
      old.map(({ nonce }) => nonce),
    )
    .execute();
}

/** A challenge of a token. */
export async function findChallenge(
  db: MetadataQuery,
  tokenId: string,
  nonce: string,
): Promise<MetadataChallengeTable | undefined> {
  return await db
    .selectFrom('metadata_challenge')
    .selectAll()
    .where('nonce', '=', nonce)
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
}

/** Uses a challenge up; false when it was used or has expired meanwhile. Of many at once exactly one gets true. */
export async function useChallenge(trx: MetadataQuery, nonce: string, nowMs: number): Promise<boolean> {
  const used = await trx
    .updateTable('metadata_challenge')
    .set({ used_at: nowMs })
    .where('nonce', '=', nonce)
    .where('used_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .returning('nonce')
    .executeTakeFirst();
  return used !== undefined;
}
