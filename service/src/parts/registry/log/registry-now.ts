import type { RegistryContext } from '../registry-context.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { findOpenEpoch } from './receipt-log.ts';
import { findLastReceipt, type StoredReceipt } from './receipt-store.ts';

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
