import type { ContributionReceiptJson } from '@coinfront/api/treasury.ts';
import { hashAttribution } from '@coinfront/protocol/treasury/ledger-entry.ts';
import { checkLedgerEntry, ENTRY_FAULTS, type TrustedLedger } from './check-ledger-entry.ts';

/** Why a receipt of a contribution proves nothing. */
export const CONTRIBUTION_RECEIPT_FAULTS = {
  ...ENTRY_FAULTS,
  other_contributor: 'The entry is not of the contributor that the receipt names.',
} as const;
export type ContributionReceiptFault = keyof typeof CONTRIBUTION_RECEIPT_FAULTS;

/**
 * Checks offline that the service has signed an entry of its ledger, and that it is this contributor's. Whether the ledger of now still
 * holds it says {@link verifyLedger}, given the entry's `sequence` and `hash` to remember.
 *
 * @param trusted from a source other than the receipt
 * @example
 * const verdict = verifyContributionReceipt(receipt, { serviceKeys: [serviceKey], genesisHash });
 */
export function verifyContributionReceipt(
  receipt: ContributionReceiptJson,
  trusted: TrustedLedger,
):
  | { ok: true; sequence: number; hash: string; contributorId: string }
  | { ok: false; code: ContributionReceiptFault } {
  // It may come from a file that somebody has kept: anything.
  if (typeof receipt !== 'object' || receipt === null) return { ok: false, code: 'entry_malformed' };
  const { entry, opening } = receipt;
  const checked = checkLedgerEntry(entry, trusted);
  if (!checked.ok) return checked;
  const { attribution, hash } = checked.seal;
  if (typeof opening !== 'object' || opening === null || attribution !== hashAttribution(opening))
    return { ok: false, code: 'other_contributor' };
  return { ok: true, sequence: entry.sequence, hash, contributorId: opening.contributor_id };
}
