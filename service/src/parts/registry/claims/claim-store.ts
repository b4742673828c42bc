/** Claims: texts that node owners were asked to sign, each good once and for a while. */

import { sql } from 'kysely';
import type { RegistryClaimTable, RegistryQuery } from '../schema/registry-tables.ts';

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

/** The signed claim to an endpoint, by any of its names, that another node holds, by the token that the node there has to show. */
export async function findAwaiting(
  db: RegistryQuery,
  names: readonly string[],
  tokens: readonly string[],
  nowMs: number,
): Promise<RegistryClaimTable | undefined> {
  if (tokens.length === 0) return undefined;
  return await db
    .selectFrom('registry_claim')
    .selectAll()
    .where('endpoint_token', 'in', tokens)
    .where((eb) => eb.or([eb('endpoint', 'in', names), eb('reached', 'in', names)]))
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
