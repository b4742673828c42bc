/** What nodes did on each day, for as many days as are shown. */

import type { RegistryQuery } from '../schema/registry-tables.ts';
import { dayOf, SHOWN_DAYS } from './day-rules.ts';

/** Slots of a node on a day that were judged; void ones say nothing. */
export type NodeDay = { day: number; passed: number; failed: number };

/** Adds slots of a node to a day. */
export async function addToDay(
  trx: RegistryQuery,
  nodeKey: string,
  { day, passed, failed }: NodeDay,
): Promise<void> {
  await trx
    .insertInto('registry_node_day')
    .values({ node_key: nodeKey, day, passed, failed })
    .onConflict((conflict) =>
      conflict.columns(['node_key', 'day']).doUpdateSet((eb) => ({
        passed: eb('registry_node_day.passed', '+', passed),
        failed: eb('registry_node_day.failed', '+', failed),
      })),
    )
    .execute();
}

/** Forgets days that are not shown any more. */
export async function forgetDays(trx: RegistryQuery, nowMs: number): Promise<void> {
  await trx
    .deleteFrom('registry_node_day')
    .where('day', '<=', dayOf(nowMs) - SHOWN_DAYS)
    .execute();
}

/** The days of a node that are known, from a day on. */
export async function listDays(db: RegistryQuery, nodeKey: string, fromDay: number): Promise<NodeDay[]> {
  const rows = await db
    .selectFrom('registry_node_day')
    .select(['day', 'passed', 'failed'])
    .where('node_key', '=', nodeKey)
    .where('day', '>=', fromDay)
    .orderBy('day')
    .execute();
  return rows.map(({ day, passed, failed }) => ({
    day: Number(day),
    passed: Number(passed),
    failed: Number(failed),
  }));
}
