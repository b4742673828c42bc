import type { NodeJson } from '@coinfront/api/registry.ts';
import { findNow } from '../log/registry-now.ts';
import type { RegistryContext } from '../registry-context.ts';
import { listEpochNodes } from '../rewards/verdict-store.ts';
import type { RegistryNodeTable, RegistryTables } from '../schema/registry-tables.ts';
import { serialiseNode } from './serialise-node.ts';

/** Nodes as the interface shows them, with their slots of the open epoch. */
export async function describeNodes(
  context: RegistryContext,
  rows: readonly RegistryNodeTable[],
): Promise<NodeJson[]> {
  const { openEpoch } = await findNow(context);
  const keys = rows.map(({ node_key }) => node_key);
  const counts =
    openEpoch === undefined
      ? []
      : await listEpochNodes(context.precious.query<RegistryTables>(), openEpoch, keys);
  const byKey = new Map(counts.map((each) => [each.nodeKey, each]));
  return rows.map((row) => serialiseNode(row, byKey.get(row.node_key)));
}

/** One node. */
export async function describeNode(context: RegistryContext, row: RegistryNodeTable): Promise<NodeJson> {
  const [node] = await describeNodes(context, [row]);
  return node!;
}
