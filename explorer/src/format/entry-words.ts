import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { sayCode, t } from '../language/messages.ts';

type Entry = Pick<
  LedgerEntryJson,
  'kind' | 'reason' | 'late' | 'reverses' | 'assigned_by' | 'sequence' | 'refers_to' | 'purpose' | 'payee'
> & { note: LedgerEntryJson['note'] };

const assigners = { claim: 'claimed by its sender', operator: 'assigned by the operator' } as const;

/** What is said of an entry beside its kind, each for itself. */
export function listEntryWords({ kind, reason, late, reverses, assigned_by }: Entry): string[] {
  return [
    reason === null ? undefined : sayCode(reason),
    late ? t('late') : undefined,
    reverses === null ? undefined : t('takes {entry} back', { entry: reverses }),
    assigned_by === null
      ? undefined
      : // Of a gift that was credited, and is nobody's again.
        t(kind === 'contribution' ? assigners[assigned_by] : 'taken from its contributor by the operator'),
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
