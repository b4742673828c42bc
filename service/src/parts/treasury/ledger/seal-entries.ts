/** Seals entries: each commits to the one before it, and is signed. Nothing here ever changes what was written. */

import { randomBytes } from 'node:crypto';
import {
  type EntrySeal,
  hashAttribution,
  hashEntryText,
  LEDGER_START,
  writeEntryText,
  writeSignedEntryText,
} from '@coinfront/protocol/treasury/ledger-entry.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import type { EntryTable, SealTable, TreasuryQuery } from '../schema/treasury-tables.ts';
import { entryFields } from './entry-fields.ts';
import { findLastSeal, insertSeals, listUnsealed } from './seal-store.ts';

/** What all texts of entries depend on. */
export type SealRules = { genesisHash: string; decimals: number };

const SALT_BYTES = 32;
const AT_ONCE = 500;

/**
 * Seals the entries that have no seal, `most` of them at most. The caller holds the cursor until the transaction ends.
 *
 * @returns whether there may be more
 */
export async function sealEntries(
  trx: TreasuryQuery,
  rules: SealRules & { signer: ServiceSigner },
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let last = await findLastSeal(trx);
  for (let sealed = 0; sealed < most; ) {
    const entries = await listUnsealed(trx, last?.sequence ?? 0, AT_ONCE);
    const seals: SealTable[] = [];
    for (const entry of entries) {
      last = sealEntry(entry, last?.hash ?? LEDGER_START, rules);
      seals.push(last);
    }
    await insertSeals(trx, seals);
    if (entries.length < AT_ONCE) return false;
    sealed += entries.length;
  }
  return true;
}

function sealEntry(
  entry: EntryTable,
  previousHash: string,
  { signer, ...rules }: SealRules & { signer: ServiceSigner },
): SealTable {
  const row = {
    sequence: entry.sequence,
    previous_hash: previousHash,
    salt: entry.contributor_id === null ? null : randomBytes(SALT_BYTES).toString('hex'),
    service_key: signer.publicKey,
  };
  const hash = hashEntryText(writeStoredText(entry, row, rules));
  return { ...row, hash, signature: signer.sign(writeSignedEntryText(hash)) };
}

/** The text of an entry as its rows have it now. */
export function writeStoredText(
  entry: EntryTable,
  seal: Pick<SealTable, 'previous_hash' | 'salt' | 'service_key'>,
  { genesisHash, decimals }: SealRules,
): string {
  const attribution = attributionOf(entry, seal.salt);
  return writeEntryText(entryFields(entry, decimals), { ...seal, attribution }, genesisHash);
}

/** A seal as it is shown. */
export function describeSeal(
  entry: Pick<EntryTable, 'contributor_id' | 'intent_id'>,
  { previous_hash, salt, hash, service_key, signature }: Omit<SealTable, 'sequence'>,
): EntrySeal {
  return { previous_hash, attribution: attributionOf(entry, salt), hash, service_key, signature };
}

function attributionOf(
  { contributor_id, intent_id }: Pick<EntryTable, 'contributor_id' | 'intent_id'>,
  salt: string | null,
): string | null {
  if (contributor_id === null || salt === null) return null;
  return hashAttribution({ contributor_id, intent_id, salt });
}
