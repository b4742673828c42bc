/** What slots say of nodes: their counts, over all time and in an epoch. */

import type { Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { sql } from 'kysely';
import { placeOf } from '../nodes/node-store.ts';
import type { RegistryNodeTable, RegistryQuery } from '../schema/registry-tables.ts';
import { addToEndpoint, listOthers } from './epoch-endpoint-store.ts';
import type { EpochNode } from './reward-parts.ts';

/** As it stands in the indexes: SQLite takes a partial index for a condition of the same words only. */
const isActive = sql<boolean>`state = 'active'`;

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
  /** Its autonomous system by the epoch's table; null when it has none, undefined when that table is not at hand. */
  asn: number | null | undefined;
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
  await addToEpoch(trx, update.epoch, node, update, {
    endpoint_proven: proven ?? node.endpoint_proven,
    proven: proven === 1 ? update.passed : 0,
    asn: update.asn,
  });
  await addToEndpoint(trx, update.epoch, { node_key: node.node_key, endpoint: placeOf(node) }, update);
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
      'endpoint',
      'network',
      'payout_address',
      'endpoint_proven',
      'proven',
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
          sql<string>`coalesce(reached, endpoint)`.as('endpoint'),
          'network',
          'payout_address',
          'endpoint_proven',
          sql.lit(0).as('proven'),
        ])
        .where(isActive)
        .where(hasMissed),
    )
    .onConflict((conflict) =>
      conflict.columns(['epoch', 'node_key']).doUpdateSet((eb) => ({
        voided: eb('registry_epoch_node.voided', '+', eb.ref('excluded.voided')),
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
  node: RegistryNodeTable,
  { passed, failed, voided }: SlotTally,
  {
    endpoint_proven,
    proven,
    asn,
  }: { endpoint_proven: number | null; proven: number; asn: number | null | undefined },
): Promise<void> {
  const { node_key, network, payout_address } = node;
  const endpoint = placeOf(node);
  const registration = { endpoint, network, payout_address, endpoint_proven };
  const isJudged = passed + failed > 0;
  await trx
    .insertInto('registry_epoch_node')
    .values({ epoch, node_key, passed, failed, voided, proven, asn: asn ?? null, ...registration })
    .onConflict((conflict) =>
      conflict.columns(['epoch', 'node_key']).doUpdateSet((eb) => ({
        // Slots that were proven at an endpoint stay there: nobody takes them into another network.
        ...(isJudged
          ? {
              ...registration,
              // What the table of the epoch said of an endpoint stays true of it.
              asn:
                asn ??
                sql<number | null>`case when registry_epoch_node.endpoint = ${endpoint}
                  then registry_epoch_node.asn end`,
              proven: sql<number>`case when registry_epoch_node.endpoint = ${endpoint}
                then registry_epoch_node.proven else 0 end + ${sql.lit(proven)}`,
            }
          : {}),
        passed: eb('registry_epoch_node.passed', '+', passed),
        failed: eb('registry_epoch_node.failed', '+', failed),
        voided: eb('registry_epoch_node.voided', '+', voided),
      })),
    )
    .execute();
}

/** All nodes that an epoch has judged, or those of these keys. */
export async function listEpochNodes(
  db: RegistryQuery,
  epoch: number,
  nodeKeys?: readonly string[],
): Promise<EpochNode[]> {
  if (nodeKeys !== undefined && nodeKeys.length === 0) return [];
  let query = db.selectFrom('registry_epoch_node').selectAll().where('epoch', '=', epoch);
  if (nodeKeys !== undefined) query = query.where('node_key', 'in', nodeKeys);
  const others = await listOthers(db, epoch, nodeKeys);
  return (await query.execute()).map((row) => ({
    nodeKey: row.node_key,
    passed: Number(row.passed),
    failed: Number(row.failed),
    voided: Number(row.voided),
    network: row.network,
    asn: row.asn === null ? null : Number(row.asn),
    payoutAddress: row.payout_address,
    proven: Number(row.proven),
    ...(others.get(row.node_key) ?? { othersPassed: 0, othersFailed: 0 }),
    endpointProven: row.endpoint_proven !== null && Number(row.endpoint_proven) === 1,
  }));
}
