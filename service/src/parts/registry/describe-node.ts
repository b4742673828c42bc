import type { NodeJson } from '@coinfront/api/registry.ts';
import { findOpenEpoch } from './receipt-log.ts';
import { findLastReceipt, type StoredReceipt } from './receipt-store.ts';
import type { RegistryContext } from './registry-context.ts';
import type { RegistryNodeTable, RegistryTables } from './registry-tables.ts';
import { serialiseNode } from './serialise-registry.ts';
import { listEpochNodes } from './verdict-store.ts';

/** Where the registry is now. */
export type RegistryNow = {
  tip: { height: number; hash: Uint8Array } | undefined;
  last: StoredReceipt | undefined;
  /** The epoch that a receipt would be in; undefined before the first block is indexed. */
  openEpoch: number | undefined;
};

/** Looks where the registry is. */
export async function findNow({ precious, readChain, rules }: RegistryContext): Promise<RegistryNow> {
  const query = precious.query<RegistryTables>();
  const tip = await readChain(async (view) => view.tip);
  const last = await findLastReceipt(query);
  const openEpoch =
    tip === undefined ? undefined : await findOpenEpoch(query, last, rules.epochBlocks, tip.height);
  return { tip, last, openEpoch };
}

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
