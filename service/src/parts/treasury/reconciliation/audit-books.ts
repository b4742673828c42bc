/** Walks the whole ledger, and finds whatever does not follow from it: coins, standings, sums. */

import { LEDGER_START } from '@coinfront/protocol/treasury/ledger-entry.ts';
import type { Precious } from '../../../db/precious.ts';
import { emptyTotals, type LedgerTotals, readTotals } from '../ledger/ledger-rules.ts';
import { findCursor } from '../ledger/ledger-store.ts';
import type { SealRules } from '../ledger/seal-entries.ts';
import type { CursorTable, TreasuryQuery, TreasuryTables } from '../schema/treasury-tables.ts';
import { countCoins, listAuditedEntries, listStandingsAfter } from './audit-store.ts';
import { type AuditedEntry, checkEntry, holdsCoin } from './check-entry.ts';
import { checkSeal } from './check-seal.ts';

export type AuditOptions = {
  precious: Precious;
  profile: SealRules;
  /** Keys that may have signed, hex; undefined when they are not known: whose key it was is not checked then. */
  serviceKeys: readonly string[] | undefined;
  /** Hash of an entry that was seen earlier, and has to be in the ledger. */
  head: string | undefined;
};

/** What was found. */
export type Audit = {
  /** One line each, the first {@link MOST_FAULTS}. */
  faults: string[];
  isCut: boolean;
  /** The newest entry: its hash stands for the whole ledger. */
  head: { sequence: number; hash: string } | undefined;
};

type Standing = { total: bigint; contributions: number; firstHeight: number };
/** What the entries come to. */
type Sums = {
  sequence: number;
  hash: string;
  keys: Set<string>;
  hasHead: boolean;
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
export async function auditBooks(options: AuditOptions): Promise<Audit | undefined> {
  const db = options.precious.query<TreasuryTables>();
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const audit: Audit = { faults: [], isCut: false, head: undefined };
    const cursor = await findCursor(db);
    const report: Report = (fault) => {
      if (audit.faults.length < MOST_FAULTS) audit.faults.push(fault);
      else audit.isCut = true;
    };
    const sums = await walkEntries(db, options, report);
    if (sums.sequence > 0) audit.head = { sequence: sums.sequence, hash: sums.hash };
    checkHead(sums, options, report);
    if (cursor !== undefined) checkTotals(cursor, sums, report);
    if ((await countCoins(db)) !== sums.coins)
      report('There are coins that no entry has, or none where one has.');
    await checkStandings(db, sums.standings, report);
    if ((await findCursor(db))?.version === cursor?.version) return audit;
  }
  return undefined;
}

async function walkEntries(
  db: TreasuryQuery,
  { profile, head }: AuditOptions,
  report: Report,
): Promise<Sums> {
  const sums: Sums = {
    sequence: 0,
    hash: LEDGER_START,
    keys: new Set(),
    hasHead: head === undefined,
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
      for (const fault of checkSeal(entry, sums.hash, profile)) report(fault);
      addEntry(sums, entry);
      sums.hash = entry.hash ?? '';
      if (entry.service_key !== null) sums.keys.add(entry.service_key);
      sums.hasHead ||= entry.hash === head;
    }
    if (page.length < PAGE) return sums;
  }
}

function addEntry(sums: Sums, entry: AuditedEntry): void {
  const amount = BigInt(entry.amount);
  sums.sequence = entry.sequence;
  sums.balance += amount;
  if (entry.kind !== 'reversal' && entry.kind !== 'note' && entry.reversed_by === null)
    sums.totals[entry.kind] += amount;
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

function checkHead({ keys, hasHead }: Sums, { serviceKeys, head }: AuditOptions, report: Report): void {
  if (!hasHead) report(`No entry has the hash ${head}, which was seen earlier.`);
  for (const key of keys) {
    if (serviceKeys !== undefined && !serviceKeys.includes(key))
      report(`The key ${key} has signed entries, and is not that of this service.`);
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
