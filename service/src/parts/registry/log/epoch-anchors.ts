/** Which checkpoints of the log were given to the chain for closed epochs. */

import type { LogAnchorJson } from '@coinfront/api/signed-log.ts';
import { listAnchorsFrom } from '../../../signed-log/anchor-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import { findEpochLog } from './epoch-log.ts';
import { countEpochsBefore } from './epoch-store.ts';

/** The anchor of each of some closed epochs that follow one another, by its number; those that have none are missing. */
export async function findEpochAnchors(
  db: RegistryQuery,
  epochs: readonly number[],
): Promise<Map<number, LogAnchorJson>> {
  const ascending = [...epochs].sort((a, b) => a - b);
  const [oldest] = ascending;
  const origin = await findEpochLog(db);
  const found = new Map<number, LogAnchorJson>();
  if (oldest === undefined || origin === undefined) return found;
  const firstPlace = await countEpochsBefore(db, oldest);
  const anchors = await listAnchorsFrom(onLogTables(db), origin, firstPlace + 1, ascending.length + 1);
  for (const [i, epoch] of ascending.entries()) {
    const anchor = anchors.find(({ size }) => size > firstPlace + i);
    if (anchor !== undefined) found.set(epoch, { log_size: anchor.size, digest: anchor.digest });
  }
  return found;
}
