import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';

type Entry = Pick<
  LedgerEntryJson,
  'kind' | 'reason' | 'late' | 'reverses' | 'assigned_by' | 'sequence' | 'refers_to' | 'purpose' | 'payee'
> & { note: LedgerEntryJson['note'] };

const assigners = { claim: 'claimed by its sender', operator: 'assigned by the operator' } as const;

/** Of a gift that was credited, and is nobody's again. */
const WITHDRAWN = 'taken from its contributor by the operator';

/** What is said of an entry beside its kind, each for itself. */
export function listEntryWords({ kind, reason, late, reverses, assigned_by }: Entry): string[] {
  return [
    reason?.replaceAll('_', ' '),
    late ? 'late' : undefined,
    reverses === null ? undefined : `takes ${reverses} back`,
    assigned_by === null ? undefined : kind === 'contribution' ? assigners[assigned_by] : WITHDRAWN,
  ].filter((words) => words !== undefined);
}

/**
 * What the operator says of a spend: at the spend with the number of the note, at the note with that of the spend. Nothing of the chain
 * says so.
 */
export function findOperatorsWords(
  entry: Entry,
): { purpose: string; payee: string; sequence: number } | undefined {
  if (entry.note !== null) return entry.note;
  const { kind, purpose, payee, refers_to, sequence } = entry;
  if (kind !== 'note' || purpose === null || payee === null) return undefined;
  return { purpose, payee, sequence: refers_to ?? sequence };
}
