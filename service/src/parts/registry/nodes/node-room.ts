import { AppError } from '../../../errors.ts';
import { boundOfNetwork, nodeBounds } from '../registry-bounds.ts';
import type { RegistryClaimTable, RegistryQuery } from '../schema/registry-tables.ts';
import { countOthers, findGivingWay, findNode } from './node-store.ts';

/**
 * Whether there is room for a node, or another gives way to it, which is told.
 *
 * @throws AppError `node_blocked`, `network_full`, `registry_full`
 */
export async function checkRoom(
  trx: RegistryQuery,
  { node_key, network }: RegistryClaimTable,
): Promise<string | undefined> {
  if ((await findNode(trx, node_key))?.state === 'blocked')
    throw new AppError('node_blocked', 'The operator of this registry has blocked this node key.');
  if ((await countOthers(trx, node_key, network)) >= boundOfNetwork(network)) {
    const givingWay = await findGivingWay(trx, node_key, network);
    if (givingWay !== undefined) return givingWay;
    const detail = `${network} has ${boundOfNetwork(network)} nodes already, which is the most that are looked at.`;
    throw new AppError('network_full', detail);
  }
  if ((await countOthers(trx, node_key)) < nodeBounds.all) return undefined;
  const givingWay = await findGivingWay(trx, node_key);
  if (givingWay !== undefined) return givingWay;
  throw new AppError('registry_full', `The registry has ${nodeBounds.all} nodes already.`);
}
