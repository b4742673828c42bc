/** What has to be true of the seal of an entry. */

import { hashEntryText, writeSignedEntryText } from '@coinfront/protocol/treasury/ledger-entry.ts';
import { isSignedBy } from '../../../signing/is-signed-by.ts';
import { isSealed, type MaybeSealed } from '../ledger/ledger-store.ts';
import { type SealRules, writeStoredText } from '../ledger/seal-entries.ts';
import type { EntryTable } from '../schema/treasury-tables.ts';

/** What is wrong with a seal; `previousHash` is of the entry before. */
export function checkSeal(entry: EntryTable & MaybeSealed, previousHash: string, rules: SealRules): string[] {
  const faults: string[] = [];
  const fault = (what: string) => faults.push(`Entry ${entry.sequence}: ${what}.`);
  if (!isSealed(entry)) {
    fault('it has no seal');
    return faults;
  }
  const { previous_hash, hash, service_key, signature } = entry;
  if (hashEntryText(writeStoredText(entry, entry, rules)) !== hash) fault('it is not what was sealed');
  if (previous_hash !== previousHash) fault('its seal does not follow that of the entry before');
  if (!isSignedBy(service_key, writeSignedEntryText(hash), signature)) fault('its signature is wrong');
  return faults;
}
