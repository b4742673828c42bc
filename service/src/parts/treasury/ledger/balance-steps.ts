/** The balance of the ledger as the blocks of its chain have it, made of entries that are in the order of writing: pure. */

import type { EntryKind } from '@coinfront/api/treasury.ts';
import type { EntryTable } from '../schema/treasury-tables.ts';

/** The balance from a block on, until the next step, and all that came in until then. Base units. */
export type BalanceStep = { height: number; balance: bigint; received: bigint };

/** What of an entry the balance of blocks follows from. */
export type SteppingEntry = Pick<EntryTable, 'kind' | 'height' | 'amount' | 'balance' | 'assigned_by'> & {
  /** Kind of the entry that a reversal takes back. */
  reversed_kind: EntryKind | null;
};

/** What comes in; change only comes back. */
const incoming: readonly (EntryKind | null)[] = ['contribution', 'unattributed', 'coinbase'];

/**
 * Takes entries in, oldest first.
 *
 * What blocks bring is written in the order of the chain, and what leaves it is taken back from above. So each such entry says what the
 * balance is from its block on, whatever was said of that block and of later ones before.
 *
 * What was only said of an older block - notes, and whose a gift is - moves nothing, and has the balance of a later block.
 *
 * @param steps in the order of heights; changed in place
 * @param next the entry behind the last one of `entries`, where there is one
 */
export function addSteps(
  steps: BalanceStep[],
  entries: readonly SteppingEntry[],
  next?: SteppingEntry,
): void {
  for (const [i, entry] of entries.entries()) {
    if (isSaying(entry, entries[i + 1] ?? next)) continue;
    // What is taken back was counted: its amount is the negative one.
    const came = incoming.includes(entry.reversed_kind ?? entry.kind) ? BigInt(entry.amount) : 0n;
    const received = (steps.at(-1)?.received ?? 0n) + came;
    while (steps.length > 0 && steps.at(-1)!.height >= entry.height) steps.pop();
    steps.push({ height: entry.height, balance: BigInt(entry.balance), received });
  }
}

/** An assignment is a reversal and, right behind it, the entry that says by whom it was assigned. */
function isSaying(entry: SteppingEntry, next: SteppingEntry | undefined): boolean {
  if (entry.kind === 'note' || entry.assigned_by !== null) return true;
  return entry.kind === 'reversal' && next !== undefined && next.assigned_by !== null;
}

/** How many steps are at or below a height: the balance there is that of the last of them. */
export function countStepsUpTo(steps: readonly BalanceStep[], height: number): number {
  let [from, to] = [0, steps.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (steps[middle]!.height <= height) from = middle + 1;
    else to = middle;
  }
  return from;
}
