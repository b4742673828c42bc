/** Claims: texts that node owners were asked to sign, each good once and for a while. */

import { sql } from 'kysely';
import type { RegistryClaimTable, RegistryQuery } from './registry-tables.ts';

/** How many claims may be open at once: of a client, of a node key, of a payout address, in all. */
export type ClaimBounds = { client: number; node_key: number; payout_address: number; all: number };

/** Claims that one request forgets: a few more than it adds. */
const PURGED_AT_ONCE = 4;
/** For so long a claim that expired, or that a later one took the place of, is remembered, to say so. */
const REMEMBERED_MS = 86_400_000;

/** Adds a claim, unless a bound is reached; gives the name of that bound. */
export async function addClaim(
  trx: RegistryQuery,
  row: RegistryClaimTable,
  bounds: ClaimBounds,
): Promise<keyof ClaimBounds | undefined> {
  await forgetOld(trx, row.issued_at);
  for (const column of ['client', 'node_key', 'payout_address'] as const) {
    if ((await countOpenClaims(trx, row.issued_at, [column, row[column]])) >= bounds[column]) return column;
  }
  if ((await countOpenClaims(trx, row.issued_at)) >= bounds.all) return 'all';
  await trx.insertInto('registry_claim').values(row).execute();
  return undefined;
}

/** As it stands in the indexes: SQLite takes a partial index for a condition of the same words only. */
const isOpen = sql<boolean>`state in ('pending', 'awaiting_endpoint')`;
const isNotVerified = sql<boolean>`state <> 'verified'`;

/** Claims that await signatures or an endpoint: all, or those with this value in a column. */
export async function countOpenClaims(
  db: RegistryQuery,
  nowMs: number,
  having?: [column: 'client' | 'node_key' | 'payout_address', value: string],
): Promise<number> {
  let query = db
    .selectFrom('registry_claim')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isOpen)
    .where('open_until', '>', nowMs);
  if (having !== undefined) query = query.where(having[0], '=', having[1]);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

async function forgetOld(trx: RegistryQuery, nowMs: number): Promise<void> {
  const old = await trx
    .selectFrom('registry_claim')
    .select('id')
    .where(isNotVerified)
    .where('open_until', '<', nowMs - REMEMBERED_MS)
    // That of a node that lost its endpoint says how it was registered.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('registry_node').select('claim_id').whereRef('claim_id', '=', 'registry_claim.id')),
      ),
    )
    .orderBy('open_until')
    .limit(PURGED_AT_ONCE)
    .execute();
  if (old.length === 0) return;
  await trx
    .deleteFrom('registry_claim')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute();
}

/** A claim by its id. */
export async function findClaim(db: RegistryQuery, id: string): Promise<RegistryClaimTable | undefined> {
  const row = await db.selectFrom('registry_claim').selectAll().where('id', '=', id).executeTakeFirst();
  return (
    row && {
      ...row,
      issued_at: Number(row.issued_at),
      expires_at: Number(row.expires_at),
      open_until: Number(row.open_until),
      verified_at: row.verified_at === null ? null : Number(row.verified_at),
    }
  );
}

/** What a claim was signed with. */
export type ClaimSignatures = { address: string; node: string };

/**
 * Uses a claim up; `awaitUntilMs` is given when it has to wait for its endpoint. False when it was used or has
 * expired meanwhile. Of many at once exactly one gets true.
 */
export async function useClaim(
  trx: RegistryQuery,
  id: string,
  signatures: ClaimSignatures,
  nowMs: number,
  awaitUntilMs: number | undefined,
): Promise<boolean> {
  const used = await trx
    .updateTable('registry_claim')
    .set({
      state: awaitUntilMs === undefined ? 'verified' : 'awaiting_endpoint',
      ...(awaitUntilMs === undefined ? {} : { open_until: awaitUntilMs }),
      verified_at: nowMs,
      address_signature: signatures.address,
      node_signature: signatures.node,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', nowMs)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** All other claims of a node's key are over: the latest that was verified counts. */
export async function supersedeClaims(trx: RegistryQuery, nodeKey: string, keptId: string): Promise<void> {
  await trx
    .updateTable('registry_claim')
    .set({ state: 'superseded' })
    .where('node_key', '=', nodeKey)
    .where('id', '!=', keptId)
    .where('state', '!=', 'superseded')
    .execute();
}

/** The signed claim to an endpoint that another node holds, by the token that the node there has to show. */
export async function findAwaiting(
  db: RegistryQuery,
  endpoint: string,
  tokens: readonly string[],
  nowMs: number,
): Promise<RegistryClaimTable | undefined> {
  if (tokens.length === 0) return undefined;
  return await db
    .selectFrom('registry_claim')
    .selectAll()
    .where('endpoint_token', 'in', tokens)
    .where('endpoint', '=', endpoint)
    .where(sql<boolean>`state = 'awaiting_endpoint'`)
    .where('open_until', '>', nowMs)
    .orderBy('verified_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Moves a claim from one state to another; false when it was in another. */
export async function changeClaimState(
  trx: RegistryQuery,
  id: string,
  from: RegistryClaimTable['state'],
  to: RegistryClaimTable['state'],
): Promise<boolean> {
  const changed = await trx
    .updateTable('registry_claim')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
