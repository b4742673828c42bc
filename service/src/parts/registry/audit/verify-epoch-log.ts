/** Compares the signed log with the closed epochs that it is of. */

import { logOrigin } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { findHead } from '../../../signed-log/log-store.ts';
import { onLogTables } from '../../../signed-log/log-tables.ts';
import { verifyLog } from '../../../signed-log/verify-log.ts';
import { findEpochLog } from '../log/epoch-log.ts';
import type { StoredEpoch } from '../log/epoch-store.ts';
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
  // Nobody has looked at nodes since there are logs, or with this key: the log begins when somebody does.
  if (origin === undefined || (await findHead(log, origin)) === undefined) return;
  const { entries } = await verifyLog(log, origin, report, (entry, place) => {
    const expected = epochs[place];
    // Epochs may have been closed meanwhile.
    if (expected !== undefined && expected.text !== entry)
      report(`epoch ${expected.epoch}: the log has another`);
  });
  for (const { epoch } of epochs.slice(entries)) report(`epoch ${epoch}: the log does not have it`);
}
