/** Walks the whole ledger, and finds whatever does not follow from it: coins, standings, sums. */

import type { Precious } from '../../../db/precious.ts';
import { emptyTotals, type LedgerTotals, type MovingKind, readTotals } from '../ledger/ledger-rules.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import type { CursorTable, TreasuryQuery, TreasuryTables } from '../schema/treasury-tables.ts';
import { countCoins, listAuditedEntries, listStandingsAfter } from './audit-store.ts';
import { type AuditedEntry, checkEntry, holdsCoin } from './check-entry.ts';

/** What was found; `isCut` says that there is more than {@link MOST_FAULTS}. */
export type Audit = { faults: string[]; isCut: boolean };

type Standing = { total: bigint; contributions: number; firstHeight: number };
/** What the entries come to. */
type Sums = {
  sequence: number;
  balance: bigint;
  totals: LedgerTotals;
  coins: number;
  unspent: bigint;
  standings: Map<string, Standing>;
};
type Report = (fault: string) => void;

const TRIES = 20;
const PAGE = 500;
const MOST_FAULTS = 100;

/** Audits the books at one state of them; undefined when they were written to all the time. */
export async function auditBooks(precious: Precious): Promise<Audit | undefined> {
  const db = precious.query<TreasuryTables>();
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const audit: Audit = { faults: [], isCut: false };
    const cursor = await findCursor(db);
    if (cursor === undefined) return audit;
    const report: Report = (fault) => {
      if (audit.faults.length < MOST_FAULTS) audit.faults.push(fault);
      else audit.isCut = true;
    };
    const sums = await walkEntries(db, report);
    checkTotals(cursor, sums, report);
    if ((await countCoins(db)) !== sums.coins)
      report('There are coins that no entry has, or none where one has.');
    await checkStandings(db, sums.standings, report);
    if ((await findCursor(db))?.version === cursor.version) return audit;
  }
  return undefined;
}

async function walkEntries(db: TreasuryQuery, report: Report): Promise<Sums> {
  const sums: Sums = {
    sequence: 0,
    balance: 0n,
    totals: emptyTotals(),
    coins: 0,
    unspent: 0n,
    standings: new Map(),
  };
  for (;;) {
    const page = await listAuditedEntries(db, sums.sequence, PAGE);
    for (const entry of page) {
      for (const fault of checkEntry(entry, sums)) report(fault);
      addEntry(sums, entry);
    }
    if (page.length < PAGE) return sums;
  }
}

function addEntry(sums: Sums, entry: AuditedEntry): void {
  const amount = BigInt(entry.amount);
  sums.sequence = entry.sequence;
  sums.balance += amount;
  if (entry.kind !== 'reversal' && entry.reversed_by === null)
    sums.totals[entry.kind as MovingKind] += amount;
  if (!holdsCoin(entry)) return;
  sums.coins += 1;
  if (entry.coin_spent_by === null) sums.unspent += amount;
  if (entry.kind !== 'contribution') return;
  if (entry.coin_verified_at === null) sums.totals.waiting += amount;
  else if (entry.contributor_id !== null) {
    const { total, contributions, firstHeight } = sums.standings.get(entry.contributor_id) ?? {
      ...{ total: 0n, contributions: 0, firstHeight: entry.height },
    };
    sums.standings.set(entry.contributor_id, {
      total: total + amount,
      contributions: contributions + 1,
      firstHeight: Math.min(firstHeight, entry.height),
    });
  }
}

function checkTotals(cursor: CursorTable, sums: Sums, report: Report): void {
  if (cursor.sequence !== sums.sequence)
    report(`The ledger ends with entry ${sums.sequence}, and ${cursor.sequence} were written.`);
  if (BigInt(cursor.balance) !== sums.balance)
    report('The balance that is kept is not the sum of the entries.');
  if (sums.unspent !== sums.balance) report('The unspent coins that are kept are not worth the balance.');
  const kept = readTotals(cursor.totals);
  for (const kind of Object.keys(sums.totals) as (keyof LedgerTotals)[])
    if (kept[kind] !== sums.totals[kind])
      report(`The sum that is kept of "${kind}" is not the sum of its entries.`);
}

async function checkStandings(
  db: TreasuryQuery,
  expected: Map<string, Standing>,
  report: Report,
): Promise<void> {
  for (let after = ''; ; ) {
    const page = await listStandingsAfter(db, after, PAGE);
    for (const { contributor_id, total, contributions, first_height } of page) {
      const sum = expected.get(contributor_id);
      expected.delete(contributor_id);
      const isSame =
        sum !== undefined &&
        sum.total === BigInt(total) &&
        sum.contributions === contributions &&
        sum.firstHeight === first_height;
      if (!isSame) report(`The standing of ${contributor_id} is not the sum of its verified contributions.`);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.contributor_id;
  }
  for (const contributorId of expected.keys())
    report(`${contributorId} has verified contributions, and no standing.`);
}
