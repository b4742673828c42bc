import { setTimeout as delay } from 'node:timers/promises';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView, ReadChain } from '../../chain/chain-view.ts';
import type { Precious } from '../../db/precious.ts';
import { AppError } from '../../errors.ts';
import { findCursor } from './ledger/ledger-store.ts';
import type { TreasuryTables } from './schema/treasury-tables.ts';

/** An index that is further behind does not know what is older than an intent. */
const MAX_BEHIND_MS = 120_000;
/** The marks of whole states are a few milliseconds late after each block and each look at the mempool, the ledger too. */
const ATTEMPTS = 40;
const PAUSE_MS = 50;

export type SyncContext = {
  now: () => number;
  /** Height of the node's best block, when it last answered. */
  findNodeHeight: () => number | undefined;
};

/**
 * Reads a state of the index that is what the node had a moment ago, and that the ledger has reached.
 *
 * @param read is given the version of the ledger
 * @throws AppError `service_behind_node` when there is none
 */
export async function readSynced<T>(
  context: SyncContext & { readChain: ReadChain; precious: Precious },
  read: (view: ChainView, version: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(PAUSE_MS);
    const cursor = await findCursor(context.precious.query<TreasuryTables>());
    if (cursor === undefined) continue;
    const found = await context.readChain(async (view) => {
      if (view.tip === undefined || toDisplayHash(view.tip.hash) !== cursor.hash) return undefined;
      if (!(await isCurrent(view, context))) return undefined;
      return { value: await read(view, cursor.version) };
    });
    if (found !== undefined) return found.value;
  }
  throw behindNode();
}

/** Whether a view holds what the node had a moment ago: its blocks, and its mempool. */
export async function isCurrent(view: ChainView, { findNodeHeight, now }: SyncContext): Promise<boolean> {
  const synced = view.tip && (await view.getSynced());
  if (view.tip === undefined || synced === undefined) return false;
  return view.tip.height >= (findNodeHeight() ?? 0) && now() - synced.atMs <= MAX_BEHIND_MS;
}

/** The error of a service that does not know yet what the node knows. */
export function behindNode(): AppError {
  return new AppError(
    'service_behind_node',
    'The service is behind the node at the moment, so this cannot be said yet. Try again; see /api/treasury/health.',
    { 'retry-after': '5' },
  );
}
