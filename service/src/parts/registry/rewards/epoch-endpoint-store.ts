/** What endpoints did in an epoch, whoever had them: a new key does not begin anew where an old one failed. */

import type { RegistryNodeTable, RegistryQuery } from '../schema/registry-tables.ts';

/** Slots that others passed and failed at a node's endpoints. */
export type OthersTally = { othersPassed: number; othersFailed: number };

/** Counts slots for a node at its endpoint, and takes over what others did there until now. */
export async function addToEndpoint(
  trx: RegistryQuery,
  epoch: number,
  { node_key, endpoint }: Pick<RegistryNodeTable, 'node_key' | 'endpoint'>,
  { passed, failed }: { passed: number; failed: number },
): Promise<void> {
  if (passed + failed === 0) return;
  const others = await trx
    .selectFrom('registry_epoch_endpoint')
    .select(({ fn }) => [
      fn.sum<number | null>('passed').as('passed'),
      fn.sum<number | null>('failed').as('failed'),
    ])
    .where('epoch', '=', epoch)
    .where('endpoint', '=', endpoint)
    .where('node_key', '!=', node_key)
    .executeTakeFirstOrThrow();
  const taken = {
    others_passed: Number(others.passed ?? 0),
    others_failed: Number(others.failed ?? 0),
  };
  await trx
    .insertInto('registry_epoch_endpoint')
    .values({ epoch, endpoint, node_key, passed, failed, ...taken })
    .onConflict((conflict) =>
      conflict.columns(['epoch', 'endpoint', 'node_key']).doUpdateSet((eb) => ({
        ...taken,
        passed: eb('registry_epoch_endpoint.passed', '+', passed),
        failed: eb('registry_epoch_endpoint.failed', '+', failed),
      })),
    )
    .execute();
}

/** What others did at the endpoints of an epoch's nodes, or of those of these keys; by key. */
export async function listOthers(
  db: RegistryQuery,
  epoch: number,
  nodeKeys?: readonly string[],
): Promise<Map<string, OthersTally>> {
  let query = db
    .selectFrom('registry_epoch_endpoint')
    .select(({ fn }) => [
      'node_key',
      fn.sum<number>('others_passed').as('passed'),
      fn.sum<number>('others_failed').as('failed'),
    ])
    .where('epoch', '=', epoch)
    .groupBy('node_key');
  if (nodeKeys !== undefined) query = query.where('node_key', 'in', nodeKeys);
  return new Map(
    (await query.execute()).map(({ node_key, passed, failed }) => [
      node_key,
      { othersPassed: Number(passed), othersFailed: Number(failed) },
    ]),
  );
}
