/** Which alerts are sent next. */

import type { RegistryAlertTable, RegistryQuery } from '../schema/registry-tables.ts';
import { isPending } from './alert-store.ts';

/** What is under way already, and how much more may be. */
export type AlertRoom = {
  readonly limit: number;
  /** Alerts of one origin. */
  readonly perOrigin: number;
  /** Origins that have so many under way. */
  readonly fullOrigins: readonly string[];
  /** Nodes that have one under way. */
  readonly busyNodes: readonly string[];
};

/**
 * Alerts that are due: one of each node, and of each origin a few. What was tried least often comes first, and of that what waits longest: a
 * node whose receiver never answers, whatever names it has, keeps no other node's news waiting.
 */
export async function listDueAlerts(
  db: RegistryQuery,
  nowMs: number,
  { limit, perOrigin, fullOrigins, busyNodes }: AlertRoom,
): Promise<RegistryAlertTable[]> {
  const ofNodes = db
    .selectFrom('registry_alert')
    .select(({ fn }) => [
      ...(['id', 'origin', 'attempts', 'next_at'] as const),
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('node_key').orderBy('next_at').orderBy('id'))
        .as('place'),
    ])
    .where(isPending)
    .where('next_at', '<=', nowMs)
    .$if(fullOrigins.length > 0, (query) => query.where('origin', 'not in', fullOrigins))
    .$if(busyNodes.length > 0, (query) => query.where('node_key', 'not in', busyNodes));
  const ofOrigins = db
    .selectFrom(ofNodes.as('of_nodes'))
    .select(({ fn }) => [
      'id',
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('origin').orderBy('attempts').orderBy('next_at').orderBy('id'))
        .as('place'),
    ])
    .where('place', '=', 1);
  const rows = await db
    .selectFrom('registry_alert')
    .selectAll()
    .where('id', 'in', db.selectFrom(ofOrigins.as('of_origins')).select('id').where('place', '<=', perOrigin))
    .orderBy('attempts')
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    attempts: Number(row.attempts),
    next_at: Number(row.next_at),
    created_at: Number(row.created_at),
  }));
}
