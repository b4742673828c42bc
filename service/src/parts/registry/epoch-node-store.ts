/** How nodes did in an epoch. */

import type { RegistryQuery } from './registry-tables.ts';
import type { EpochNode } from './reward-rules.ts';

/** All nodes that an epoch has judged, or those of these keys. */
export async function listEpochNodes(
  db: RegistryQuery,
  epoch: number,
  nodeKeys?: readonly string[],
): Promise<EpochNode[]> {
  if (nodeKeys !== undefined && nodeKeys.length === 0) return [];
  let query = db.selectFrom('registry_epoch_node').selectAll().where('epoch', '=', epoch);
  if (nodeKeys !== undefined) query = query.where('node_key', 'in', nodeKeys);
  return (await query.execute()).map((row) => ({
    nodeKey: row.node_key,
    passed: Number(row.passed),
    failed: Number(row.failed),
    voided: Number(row.voided),
    network: row.network,
    payoutAddress: row.payout_address,
    endpointProven: row.endpoint_proven !== null && Number(row.endpoint_proven) === 1,
  }));
}
