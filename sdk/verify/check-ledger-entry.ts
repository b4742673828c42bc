import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import {
  type EntrySeal,
  hashEntryText,
  verifyEntrySignature,
  writeEntryText,
} from '@coinfront/protocol/treasury/ledger-entry.ts';

/** Whose ledger it has to be, from a source other than the ledger. */
export type TrustedLedger = {
  /** Ed25519 keys of the service, hex; several where it has had several. */
  serviceKeys: readonly string[];
  genesisHash: string;
};

/** Why an entry is not one that the service has sealed. */
export const ENTRY_FAULTS = {
  entry_malformed: 'It has not the form of an entry.',
  not_sealed: 'It has no seal.',
  other_service: 'It was sealed by another service than the one that is trusted.',
  hash_mismatch: 'It is not what was sealed, or of another chain.',
  signature_invalid: 'The service has not signed it.',
} as const;
export type EntryFault = keyof typeof ENTRY_FAULTS;

/** Checks one entry by itself: text, hash, signature. No input throws. */
export function checkLedgerEntry(
  entry: LedgerEntryJson,
  { serviceKeys, genesisHash }: TrustedLedger,
): { ok: true; seal: EntrySeal } | { ok: false; code: EntryFault } {
  if (typeof entry !== 'object' || entry === null) return { ok: false, code: 'entry_malformed' };
  const { seal } = entry;
  if (typeof seal !== 'object' || seal === null) return { ok: false, code: 'not_sealed' };
  if (!serviceKeys.includes(seal.service_key)) return { ok: false, code: 'other_service' };
  let hash: string;
  try {
    hash = hashEntryText(writeEntryText(entry, seal, genesisHash));
  } catch {
    return { ok: false, code: 'entry_malformed' };
  }
  if (hash !== seal.hash) return { ok: false, code: 'hash_mismatch' };
  return verifyEntrySignature(seal) ? { ok: true, seal } : { ok: false, code: 'signature_invalid' };
}
