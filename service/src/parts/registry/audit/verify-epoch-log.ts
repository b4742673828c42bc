/** Compares the signed log with the closed epochs that it is of. */

import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { findHead } from '../../../signed-log/log-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import { verifyLog } from '../../../signed-log/verify-log.ts';
import { findEpochLog } from '../log/epoch-log.ts';
import { listEpochsUp, type StoredEpoch } from '../log/epoch-store.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';

/**
 * Reports whatever the log does not have as it should.
 *
 * @param epochs - all closed ones, oldest first, read before
 */
export async function verifyEpochLog(
  db: RegistryQuery,
  registryKey: string | undefined,
  epochs: readonly Pick<StoredEpoch, 'epoch' | 'text'>[],
  report: (fault: string) => void,
): Promise<void> {
  const origin = registryKey === undefined ? await findEpochLog(db) : logOrigin('node-registry', registryKey);
  const log = onLogTables(db);
  if (origin === undefined || (await findHead(log, origin)) === undefined) {
    if (epochs.length > 0)
      report(
        `${epochs.length} epochs are closed, and there is no log of them: nobody has looked at nodes since there are logs, or with this key, or it was removed`,
      );
    return;
  }
  const beyond: { place: number; entry: string }[] = [];
  const { entries } = await verifyLog(log, origin, report, (entry, place) => {
    const expected = epochs[place];
    if (expected === undefined) beyond.push({ place, entry });
    else if (expected.text !== entry) report(`epoch ${expected.epoch}: the log has another`);
  });
  // Epochs may have been closed meanwhile: whatever else is there has none.
  const since = beyond.length === 0 ? [] : await listEpochsUp(db, epochs.at(-1)?.epoch ?? -1, beyond.length);
  for (const [i, { place, entry }] of beyond.entries())
    if (since[i]?.text !== entry) report(`log entry ${place}: there is no epoch that says so`);
  for (const { epoch } of epochs.slice(entries)) report(`epoch ${epoch}: the log does not have it`);
}
