/** Nodes of the registry, by their keys. */

import type { NodeState } from '@coinfront/api/registry.ts';
import type { Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { sql } from 'kysely';
import type { RegistryClaimTable, RegistryNodeTable, RegistryQuery } from './registry-tables.ts';

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

/** The active node of an endpoint. */
export async function findHolder(
  db: RegistryQuery,
  endpoint: string,
): Promise<RegistryNodeTable | undefined> {
  const row = await db
    .selectFrom('registry_node')
    .selectAll()
    .where('endpoint', '=', endpoint)
    .where(isActive)
    .executeTakeFirst();
  return row && toNode(row);
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
  options: { state: NodeState | undefined; afterKey: string | undefined; limit: number },
): Promise<RegistryNodeTable[]> {
  let query = db.selectFrom('registry_node').selectAll().orderBy('node_key').limit(options.limit);
  if (options.state !== undefined) query = query.where('state', '=', options.state);
  if (options.afterKey !== undefined) query = query.where('node_key', '>', options.afterKey);
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

/** Lets nodes lapse that neither passed nor were registered since. */
export async function lapseNodes(trx: RegistryQuery, sinceMs: number): Promise<void> {
  await trx
    .updateTable('registry_node')
    .set({ state: 'lapsed' })
    .where('state', '=', 'active')
    .where('verified_at', '<', sinceMs)
    .where((eb) => eb.or([eb('last_passed_at', 'is', null), eb('last_passed_at', '<', sinceMs)]))
    .execute();
}

/** Slots that a node's receipts judge. */
export type SlotTally = { passed: number; failed: number; voided: number };

/** What a slot changes of a node. */
export type NodeUpdate = SlotTally & {
  node: RegistryNodeTable;
  epoch: number;
  judgedUntilMs: number;
  verdict: Verdict;
  reason: string | null;
  sequence: number;
  nextLookAtMs: number;
  /** What was seen; undefined is what was not seen this time, and stays as it was. */
  lag: number | undefined;
  userAgent: string | undefined;
  protocolVersion: number | undefined;
  endpointProven: boolean | undefined;
};

/** Writes what a slot says of a node. Its registration may have changed meanwhile, and stays as it is now. */
export async function recordVerdict(trx: RegistryQuery, update: NodeUpdate): Promise<void> {
  const { node, verdict, judgedUntilMs } = update;
  const isPass = verdict === 'pass';
  const proven = update.endpointProven === undefined ? undefined : Number(update.endpointProven);
  await trx
    .updateTable('registry_node')
    .set((eb) => ({
      passed: eb('passed', '+', update.passed),
      failed: eb('failed', '+', update.failed),
      voided: eb('voided', '+', update.voided),
      judged_until: judgedUntilMs,
      last_verdict: verdict,
      last_reason: update.reason,
      last_sequence: update.sequence,
      ...(isPass
        ? {
            first_passed_at: node.first_passed_at ?? judgedUntilMs,
            last_passed_at: judgedUntilMs,
            fails_in_row: 0,
            next_look_at: 0,
          }
        : {}),
      ...(verdict === 'fail'
        ? { fails_in_row: eb('fails_in_row', '+', 1), next_look_at: update.nextLookAtMs }
        : {}),
      ...(update.lag === undefined ? {} : { lag: update.lag }),
      ...(update.userAgent === undefined ? {} : { user_agent: update.userAgent }),
      ...(update.protocolVersion === undefined ? {} : { protocol_version: update.protocolVersion }),
    }))
    .where('node_key', '=', node.node_key)
    .execute();
  if (isPass && proven !== undefined) {
    await trx
      .updateTable('registry_node')
      .set({ endpoint_proven: proven })
      .where('node_key', '=', node.node_key)
      .where('claim_id', '=', node.claim_id)
      .execute();
  }
  await addToEpoch(trx, update.epoch, node, update, proven ?? node.endpoint_proven);
}

/** Slots in which the registry did not look; times are Unix milliseconds. */
export type MissedSlots = { startMs: number; endMs: number; slotMs: number };

/** Slots of the span that a node was registered for and not judged in: whole ones, from the first after its registration. */
function missedSlots({ startMs, endMs, slotMs }: MissedSlots) {
  const from = sql`coalesce(judged_until, (verified_at + ${sql.lit(slotMs - 1)}) / ${sql.lit(slotMs)} * ${sql.lit(slotMs)})`;
  const counted = sql`case when ${from} < ${sql.lit(startMs)} then ${sql.lit(startMs)} else ${from} end`;
  return sql<number>`(${sql.lit(endMs)} - (${counted}) + ${sql.lit(Math.floor(slotMs / 2))}) / ${sql.lit(slotMs)}`;
}

/** Whether any node has slots in this span. */
export async function hasMissedSlots(db: RegistryQuery, span: MissedSlots): Promise<boolean> {
  const row = await db
    .selectFrom('registry_node')
    .select('node_key')
    .where(isActive)
    .where(sql<boolean>`${missedSlots(span)} > 0`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds the slots of this span, void, to all nodes that have any: in two statements, however many these are. */
export async function recordMissedSlots(
  trx: RegistryQuery,
  span: MissedSlots,
  { epoch, sequence }: { epoch: number; sequence: number },
): Promise<void> {
  const slots = missedSlots(span);
  const hasMissed = sql<boolean>`${slots} > 0`;
  await trx
    .insertInto('registry_epoch_node')
    .columns([
      'epoch',
      'node_key',
      'passed',
      'failed',
      'voided',
      'network',
      'payout_address',
      'endpoint_proven',
    ])
    .expression(
      trx
        .selectFrom('registry_node')
        .select([
          sql.lit(epoch).as('epoch'),
          'node_key',
          sql.lit(0).as('passed'),
          sql.lit(0).as('failed'),
          slots.as('voided'),
          'network',
          'payout_address',
          'endpoint_proven',
        ])
        .where(isActive)
        .where(hasMissed),
    )
    .onConflict((conflict) =>
      conflict.columns(['epoch', 'node_key']).doUpdateSet((eb) => ({
        voided: eb('registry_epoch_node.voided', '+', eb.ref('excluded.voided')),
        network: eb.ref('excluded.network'),
        payout_address: eb.ref('excluded.payout_address'),
        endpoint_proven: eb.ref('excluded.endpoint_proven'),
      })),
    )
    .execute();
  await trx
    .updateTable('registry_node')
    .set({
      voided: sql<number>`voided + ${slots}`,
      judged_until: span.endMs,
      last_verdict: 'void',
      last_reason: 'registry_down',
      last_sequence: sequence,
    })
    .where(isActive)
    .where(hasMissed)
    .execute();
}

async function addToEpoch(
  trx: RegistryQuery,
  epoch: number,
  { node_key, network, payout_address }: RegistryNodeTable,
  { passed, failed, voided }: SlotTally,
  endpoint_proven: number | null,
): Promise<void> {
  const registration = { network, payout_address, endpoint_proven };
  await trx
    .insertInto('registry_epoch_node')
    .values({ epoch, node_key, passed, failed, voided, ...registration })
    .onConflict((conflict) =>
      conflict.columns(['epoch', 'node_key']).doUpdateSet((eb) => ({
        ...registration,
        passed: eb('registry_epoch_node.passed', '+', passed),
        failed: eb('registry_epoch_node.failed', '+', failed),
        voided: eb('registry_epoch_node.voided', '+', voided),
      })),
    )
    .execute();
}
