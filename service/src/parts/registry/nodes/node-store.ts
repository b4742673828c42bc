/** Nodes of the registry, by their keys. */

import type { NodeState } from '@coinfront/api/registry.ts';
import { sql } from 'kysely';
import { PATIENCE } from '../probing/slot-rules.ts';
import type { RegistryClaimTable, RegistryNodeTable, RegistryQuery } from '../schema/registry-tables.ts';

const numbers = [
  'registered_at',
  'verified_at',
  'first_passed_at',
  'last_passed_at',
  'passed',
  'failed',
  'voided',
  'fails_in_row',
  'judged_until',
  'next_look_at',
  'last_sequence',
  'lag',
  'protocol_version',
  'endpoint_proven',
] as const satisfies readonly (keyof RegistryNodeTable)[];

/** Nodes of one place that are looked at: a name and an address. */
const MAX_HOLDERS = 8;

/** As it stands in the indexes: SQLite takes a partial index for a condition of the same words only. */
const isActive = sql<boolean>`state = 'active'`;

/** Drivers give 64-bit integers as they like. */
function toNode(row: RegistryNodeTable): RegistryNodeTable {
  const read = Object.fromEntries(
    numbers.map((name) => [name, row[name] === null ? null : Number(row[name])]),
  );
  return { ...row, ...read };
}

export async function findNode(db: RegistryQuery, nodeKey: string): Promise<RegistryNodeTable | undefined> {
  const row = await db
    .selectFrom('registry_node')
    .selectAll()
    .where('node_key', '=', nodeKey)
    .executeTakeFirst();
  return row && toNode(row);
}

/** An endpoint as it was registered, and where it leads, if that is a host name. */
export type Place = Pick<RegistryNodeTable, 'endpoint' | 'reached'>;

/** Where a node is looked at, for receipts and for what others did there: `ip:port`, of a host name, too, once it led anywhere. */
export function placeOf({ endpoint, reached }: Place): string {
  return reached ?? endpoint;
}

/** Active nodes besides one that have an endpoint, be it by another name. At most two, but for host names that moved. */
export async function listHolders(
  db: RegistryQuery,
  nodeKey: string,
  place: Place,
): Promise<RegistryNodeTable[]> {
  const names = [...new Set([place.endpoint, placeOf(place)])];
  const rows = await db
    .selectFrom('registry_node')
    .selectAll()
    .where((eb) => eb.or([eb('endpoint', 'in', names), eb('reached', 'in', names)]))
    .where('node_key', '!=', nodeKey)
    .where(isActive)
    .orderBy('verified_at')
    .limit(MAX_HOLDERS)
    .execute();
  return rows.map(toNode);
}

/** Says where the host name of a node leads now; its registration must not have changed meanwhile. */
export async function moveNode(
  trx: RegistryQuery,
  { node_key, claim_id }: RegistryNodeTable,
  to: { reached: string | null; network: string },
): Promise<void> {
  await trx
    .updateTable('registry_node')
    .set(to)
    .where('node_key', '=', node_key)
    .where('claim_id', '=', claim_id)
    .where(isActive)
    .execute();
}

/** Active nodes besides one: all, or those of a network. */
export async function countOthers(db: RegistryQuery, nodeKey: string, network?: string): Promise<number> {
  let query = db
    .selectFrom('registry_node')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isActive)
    .where('node_key', '!=', nodeKey);
  if (network !== undefined) query = query.where('network', '=', network);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Nodes by state. */
export async function countNodes(db: RegistryQuery): Promise<Map<NodeState, number>> {
  const rows = await db
    .selectFrom('registry_node')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

/** Nodes in the order of their keys. */
export async function listNodes(
  db: RegistryQuery,
  options: {
    state: NodeState | undefined;
    afterKey: string | undefined;
    limit: number;
    /** Only those that showed their token when they last passed. */
    onlyProven?: boolean;
  },
): Promise<RegistryNodeTable[]> {
  let query = db.selectFrom('registry_node').selectAll().orderBy('node_key').limit(options.limit);
  if (options.state !== undefined) query = query.where('state', '=', options.state);
  if (options.afterKey !== undefined) query = query.where('node_key', '>', options.afterKey);
  if (options.onlyProven === true) query = query.where('endpoint_proven', '=', 1);
  return (await query.execute()).map(toNode);
}

/** Makes a claim's node active: a new one, or the same one again, whose counts go on. */
export async function activateNode(
  trx: RegistryQuery,
  claim: RegistryClaimTable,
  nowMs: number,
): Promise<void> {
  const registration = {
    state: 'active' as const,
    endpoint: claim.endpoint,
    reached: claim.reached,
    network: claim.network,
    payout_address: claim.payout_address,
    claim_id: claim.id,
    verified_at: nowMs,
    fails_in_row: 0,
    next_look_at: 0,
  };
  await trx
    .insertInto('registry_node')
    .values({
      ...registration,
      node_key: claim.node_key,
      registered_at: nowMs,
      first_passed_at: null,
      last_passed_at: null,
      passed: 0,
      failed: 0,
      voided: 0,
      judged_until: null,
      last_verdict: null,
      last_reason: null,
      last_sequence: null,
      lag: null,
      user_agent: null,
      protocol_version: null,
      endpoint_proven: null,
    })
    .onConflict((conflict) =>
      conflict.column('node_key').doUpdateSet((eb) => ({
        ...registration,
        // What another endpoint or address showed is not shown for this one; and time away is not judged.
        endpoint_proven: eb
          .case()
          .when(
            eb.and([
              eb('registry_node.endpoint', '=', claim.endpoint),
              eb('registry_node.payout_address', '=', claim.payout_address),
            ]),
          )
          .then(eb.ref('registry_node.endpoint_proven'))
          .else(null)
          .end(),
        judged_until: eb
          .case()
          .when('registry_node.state', '=', 'active')
          .then(eb.ref('registry_node.judged_until'))
          .else(null)
          .end(),
      })),
    )
    .execute();
}

/** Changes a node's state; false when it was in none of these. */
export async function changeNodeState(
  trx: RegistryQuery,
  nodeKey: string,
  from: readonly NodeState[],
  to: NodeState,
): Promise<boolean> {
  const changed = await trx
    .updateTable('registry_node')
    .set({ state: to })
    .where('node_key', '=', nodeKey)
    .where('state', 'in', from)
    .returning('node_key')
    .executeTakeFirst();
  return changed !== undefined;
}

/** Reasons why a node is never looked at, which are its own: it would stay for ever. */
const neverLooked = ['no_route', 'endpoint_refused', 'endpoint_taken'];

/**
 * The node that gives way where there is no room for another: of all, or of a network. It was looked for in vain, and did not pass
 * since it was registered; the one that was registered first. Who was not looked at yet stays.
 */
export async function findGivingWay(
  db: RegistryQuery,
  nodeKey: string,
  network?: string,
): Promise<string | undefined> {
  let query = db
    .selectFrom('registry_node')
    .select('node_key')
    .where(isActive)
    .where('node_key', '!=', nodeKey)
    .where((eb) =>
      eb.or([eb('last_passed_at', 'is', null), eb('last_passed_at', '<', eb.ref('verified_at'))]),
    )
    .where((eb) => eb.or([eb('failed', '>', 0), eb('last_reason', 'in', neverLooked)]));
  if (network !== undefined) query = query.where('network', '=', network);
  const row = await query.orderBy('verified_at').orderBy('node_key').limit(1).executeTakeFirst();
  return row?.node_key;
}

/**
 * Lets nodes lapse that neither passed nor were registered since, and were looked for in vain again and again: that nobody
 * looked, because the registry was down or its clock is wrong, is no fault of theirs.
 *
 * @returns their keys
 */
export async function lapseNodes(trx: RegistryQuery, sinceMs: number): Promise<string[]> {
  const lapsed = await trx
    .updateTable('registry_node')
    .set({ state: 'lapsed' })
    .where('state', '=', 'active')
    .where('verified_at', '<', sinceMs)
    .where((eb) => eb.or([eb('last_passed_at', 'is', null), eb('last_passed_at', '<', sinceMs)]))
    .where((eb) => eb.or([eb('fails_in_row', '>', PATIENCE), eb('last_reason', 'in', neverLooked)]))
    .returning('node_key')
    .execute();
  return lapsed.map(({ node_key }) => node_key);
}
