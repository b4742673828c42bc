/** Challenges: texts that issuers were asked to sign, each good once and for a while. */

import { sql } from 'kysely';
import type { NamedClient } from '../../../clients/client-names.ts';
import type { MetadataChallengeTable, MetadataQuery } from './metadata-tables.ts';

/**
 * How many challenges may be open at once: of a client for one token, of a client (times its share of a network around it), of
 * a token, in all.
 */
export type ChallengeBounds = { ofClientAndToken: number; ofClient: number; ofToken: number; all: number };

/** Challenges that one request forgets: a few more than it adds. */
const PURGED_AT_ONCE = 4;
/** For so long an expired challenge is remembered, to say that it expired. */
const REMEMBERED_MS = 86_400_000;

const clientColumns = ['client', 'client_56', 'client_48'] as const;

/** What a challenge says of who asked. */
export function clientOfChallenge(
  client: NamedClient,
): Pick<MetadataChallengeTable, (typeof clientColumns)[number]> {
  const [own, wider, widest] = client;
  return { client: own.name, client_56: wider?.name ?? null, client_48: widest?.name ?? null };
}

/**
 * Adds a challenge. Where there are too many, one that nobody has answered yet gives way: of the same client for the same
 * token the oldest; of a token, or of all, the oldest of whoever has the most. So nobody keeps an issuer out, or takes its
 * challenge from it.
 *
 * @returns false, and adds nothing, when the client has its share of challenges
 */
export async function addChallenge(
  trx: MetadataQuery,
  row: MetadataChallengeTable,
  client: NamedClient,
  bounds: ChallengeBounds,
): Promise<boolean> {
  const nowMs = row.issued_at;
  await forgetOld(trx, nowMs);
  const [own] = client;
  const ofToken = { token_id: row.token_id };
  const ownOfToken: Scope = { ...ofToken, columns: ['client'], names: own.names };
  if ((await countOpen(trx, nowMs, ownOfToken)) >= bounds.ofClientAndToken)
    await giveWay(trx, nowMs, ownOfToken);
  for (const [i, { names, share }] of client.entries()) {
    const scope: Scope = { columns: [clientColumns[i]!], names };
    if ((await countOpen(trx, nowMs, scope)) >= bounds.ofClient * share) return false;
  }
  for (const [scope, most] of [[ofToken, bounds.ofToken] as const, [{}, bounds.all] as const]) {
    if ((await countOpen(trx, nowMs, scope)) < most) continue;
    const largest = await findLargestHolder(trx, nowMs, scope);
    await giveWay(trx, nowMs, { ...scope, columns: ['client_48', 'client'], names: [largest] });
  }
  await trx.insertInto('metadata_challenge').values(row).execute();
  return true;
}

/** Challenges of a token, of whoever has one of the names in one of the columns, or both. */
type Scope = {
  token_id?: string;
  columns?: readonly (typeof clientColumns)[number][];
  names?: readonly string[];
};

function selectOpen(trx: MetadataQuery, nowMs: number, { token_id, columns = [], names = [] }: Scope) {
  let query = trx
    .selectFrom('metadata_challenge')
    .where('used_at', 'is', null)
    .where('expires_at', '>', nowMs);
  if (token_id !== undefined) query = query.where('token_id', '=', token_id);
  if (columns.length > 0)
    query = query.where(({ or, eb }) => or(columns.map((column) => eb(column, 'in', names))));
  return query;
}

async function countOpen(trx: MetadataQuery, nowMs: number, scope: Scope): Promise<number> {
  const { count } = await selectOpen(trx, nowMs, scope)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Forgets the oldest of a scope. */
async function giveWay(trx: MetadataQuery, nowMs: number, scope: Scope): Promise<void> {
  const oldest = await selectOpen(trx, nowMs, scope)
    .select('nonce')
    .orderBy('issued_at')
    .orderBy('nonce')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await trx.deleteFrom('metadata_challenge').where('nonce', '=', oldest.nonce).execute();
}

/** Who has the most of a scope: a /48, or a client that is in none. */
async function findLargestHolder(trx: MetadataQuery, nowMs: number, scope: Scope): Promise<string> {
  const { holder } = await selectOpen(trx, nowMs, scope)
    .select(sql<string>`coalesce(client_48, client)`.as('holder'))
    .groupBy(sql`coalesce(client_48, client)`)
    .orderBy(sql`count(*)`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return holder;
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
