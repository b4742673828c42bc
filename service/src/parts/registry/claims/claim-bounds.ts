/** How many claims there are, and which gives way where there are too many. */

import { sql } from 'kysely';
import type { NamedClient } from '../../../clients/client-names.ts';
import type { RegistryClaimTable, RegistryQuery } from '../schema/registry-tables.ts';

/**
 * How many claims may be open at once: of a client for one node key, of a client (times its share of a network around it), in
 * all; and of these how many may wait for their endpoint.
 */
export type ClaimBounds = { ofKey: number; ofClient: number; all: number; awaiting: number };

/** Claims that one request forgets: a few more than it adds. */
const PURGED_AT_ONCE = 4;
/** For so long a claim that expired, or that a later one took the place of, is remembered, to say so. */
const REMEMBERED_MS = 86_400_000;

const clientColumns = ['client', 'client_56', 'client_48'] as const;
type ClientColumn = (typeof clientColumns)[number];

/** What a claim says of who asked. */
export function clientOfClaim(client: NamedClient): Pick<RegistryClaimTable, ClientColumn> {
  const [own, wider, widest] = client;
  return { client: own.name, client_56: wider?.name ?? null, client_48: widest?.name ?? null };
}

/**
 * Adds a claim. Where there are too many, an unsigned one gives way: of the same client for the same key the oldest; of all
 * the oldest of whoever has the most. So nobody is kept out by what others ask for, nor loses a claim by it.
 *
 * @returns false, and adds nothing, when the client has its share of claims
 */
export async function addClaim(
  trx: RegistryQuery,
  row: RegistryClaimTable,
  client: NamedClient,
  bounds: ClaimBounds,
): Promise<boolean> {
  const nowMs = row.issued_at;
  await forgetOld(trx, nowMs);
  const own: ClaimScope = { columns: ['client'], names: client[0].names };
  if ((await countOpenClaims(trx, nowMs, { ...own, nodeKey: row.node_key })) >= bounds.ofKey)
    await giveWay(trx, nowMs, { ...own, nodeKey: row.node_key });
  for (const [i, { names, share }] of client.entries()) {
    const scope: ClaimScope = { columns: [clientColumns[i]!], names };
    if ((await countOpenClaims(trx, nowMs, scope)) >= bounds.ofClient * share) return false;
  }
  if ((await countOpenClaims(trx, nowMs)) >= bounds.all) {
    const largest = await findLargestHolder(trx, nowMs);
    // All are signed.
    if (largest === undefined) return false;
    await giveWay(trx, nowMs, { columns: ['client_48', 'client'], names: [largest] });
  }
  await trx.insertInto('registry_claim').values(row).execute();
  return true;
}

/** As it stands in the indexes: SQLite takes a partial index for a condition of the same words only. */
const isOpen = sql<boolean>`state in ('pending', 'awaiting_endpoint')`;
const isNotVerified = sql<boolean>`state <> 'verified'`;

/** Claims of whoever has one of the names in one of the columns, for one node key where it is given. */
type ClaimScope = { columns: readonly ClientColumn[]; names: readonly string[]; nodeKey?: string };

/** Claims that await signatures or an endpoint: all, or those of a scope. */
export async function countOpenClaims(db: RegistryQuery, nowMs: number, scope?: ClaimScope): Promise<number> {
  let query = db
    .selectFrom('registry_claim')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isOpen)
    .where('open_until', '>', nowMs);
  if (scope !== undefined)
    query = query.where(({ or, eb }) => or(scope.columns.map((column) => eb(column, 'in', scope.names))));
  if (scope?.nodeKey !== undefined) query = query.where('node_key', '=', scope.nodeKey);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Claims that wait for their endpoint. */
export async function countAwaiting(db: RegistryQuery, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('registry_claim')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sql<boolean>`state = 'awaiting_endpoint'`)
    .where('open_until', '>', nowMs)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Forgets the oldest claim of a scope that nobody has signed yet. */
async function giveWay(
  trx: RegistryQuery,
  nowMs: number,
  { columns, names, nodeKey }: ClaimScope,
): Promise<void> {
  let query = trx
    .selectFrom('registry_claim')
    .select('id')
    .where(sql<boolean>`state = 'pending'`)
    .where(isOpen)
    .where('open_until', '>', nowMs)
    .where(({ or, eb }) => or(columns.map((column) => eb(column, 'in', names))));
  if (nodeKey !== undefined) query = query.where('node_key', '=', nodeKey);
  const oldest = await query.orderBy('issued_at').orderBy('id').limit(1).executeTakeFirst();
  if (oldest === undefined) return;
  await trx.deleteFrom('registry_claim').where('id', '=', oldest.id).execute();
}

/** Who has the most claims that nobody has signed yet: a /48, or a client that is in none. */
async function findLargestHolder(trx: RegistryQuery, nowMs: number): Promise<string | undefined> {
  const row = await trx
    .selectFrom('registry_claim')
    .select(sql<string>`coalesce(client_48, client)`.as('holder'))
    .where(sql<boolean>`state = 'pending'`)
    .where(isOpen)
    .where('open_until', '>', nowMs)
    .groupBy(sql`coalesce(client_48, client)`)
    .orderBy(sql`count(*)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.holder;
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
