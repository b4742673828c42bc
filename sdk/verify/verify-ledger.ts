import type { LedgerEntryJson, LedgerView } from '@coinfront/api/treasury.ts';
import { LEDGER_START } from '@coinfront/protocol/treasury/ledger-entry.ts';
import type { Static } from 'typebox';
import { iterateItems } from '../client/iterate-pages.ts';
import { checkLedgerEntry, ENTRY_FAULTS, type TrustedLedger } from './check-ledger-entry.ts';

/** Why a ledger is not sound. */
export const LEDGER_FAULTS = {
  ...ENTRY_FAULTS,
  not_linked: 'It does not follow the entry before.',
  balance_wrong: 'Its balance is not the one before and its amount.',
  reversal_wrong:
    'A reversal is not the opposite of an earlier entry that it takes back, or takes it back a second time.',
  note_wrong: 'A note moves something, or is not about an earlier spend of the transaction that it names.',
  not_whole: 'The ledger does not go back to its first entry.',
  not_extended: 'The ledger does not hold the entry that was seen earlier: it was rewritten.',
} as const;
export type LedgerFault = keyof typeof LEDGER_FAULTS;

/** The newest entry of a ledger: its hash stands for all of it. Keep it, and give it as `remembered` the next time. */
export type LedgerHead = { sequence: number; hash: string };

export type LedgerVerdict =
  | { ok: true; head: LedgerHead | undefined; entries: number }
  | { ok: false; code: LedgerFault; sequence: number | undefined };

export type VerifyLedgerOptions = {
  /** Head of an earlier look: the ledger has to hold it. */
  remembered?: LedgerHead;
  /** Is given each entry when it was checked, newest first. */
  onEntry?: (entry: LedgerEntryJson) => void;
  maxPages?: number;
};

/** Reads the page of a cursor, newest entries first; undefined is the first one. */
export type ReadLedgerPage = (cursor: string | undefined) => Promise<Static<typeof LedgerView>>;

const MAX_PAGES = 1_000_000;

/**
 * Verifies a whole ledger, from its newest entry to its first: hashes, signatures, how entries follow one another, balances, reversals, notes.
 * Of entries nothing is kept but what reversals and notes still have to meet.
 *
 * @throws CoinfrontError of the reads
 * @example
 * const verdict = await verifyLedger((cursor) => listLedger(client, { limit: 100, cursor }), { serviceKeys, genesisHash });
 */
export function verifyLedger(
  readPage: ReadLedgerPage,
  trusted: TrustedLedger,
  { remembered, onEntry, maxPages = MAX_PAGES }: VerifyLedgerOptions = {},
): Promise<LedgerVerdict> {
  return walk(readPage, trusted, { remembered, onEntry, stopsThere: false, maxPages });
}

/**
 * Verifies that a ledger goes on from a head that was seen earlier, and reads no further back than that: everything before it is what it was.
 *
 * @throws CoinfrontError of the reads
 * @example
 * const verdict = await verifyLedgerSince((cursor) => listLedger(client, { cursor }), { serviceKeys, genesisHash }, head);
 */
export function verifyLedgerSince(
  readPage: ReadLedgerPage,
  trusted: TrustedLedger,
  remembered: LedgerHead,
  { onEntry, maxPages = MAX_PAGES }: Omit<VerifyLedgerOptions, 'remembered'> = {},
): Promise<LedgerVerdict> {
  return walk(readPage, trusted, { remembered, onEntry, stopsThere: true, maxPages });
}

type Options = {
  remembered: LedgerHead | undefined;
  onEntry: ((entry: LedgerEntryJson) => void) | undefined;
  stopsThere: boolean;
  maxPages: number;
};

async function walk(
  readPage: ReadLedgerPage,
  trusted: TrustedLedger,
  { remembered, onEntry, stopsThere, maxPages }: Options,
): Promise<LedgerVerdict> {
  const reversals = new Map<number, LedgerEntryJson>();
  const notes = new Map<number, LedgerEntryJson>();
  let head: LedgerHead | undefined;
  let newer: LedgerEntryJson | undefined;
  let entries = 0;
  let isRemembered = remembered === undefined;
  const refuse = (code: LedgerFault, sequence = newer?.sequence): LedgerVerdict => ({
    ok: false,
    code,
    sequence,
  });

  for await (const entry of iterateItems(readPage, { maxPages })) {
    const checked = checkLedgerEntry(entry, trusted);
    if (!checked.ok) return refuse(checked.code, entry?.sequence);
    const { hash } = checked.seal;
    if (newer !== undefined) {
      const isLinked = newer.sequence === entry.sequence + 1 && newer.seal?.previous_hash === hash;
      if (!isLinked) return refuse('not_linked');
      if (!addsUp(newer, entry.balance)) return refuse('balance_wrong');
    }
    if (!isReversalRight(entry, reversals)) return refuse('reversal_wrong', entry.sequence);
    if (!isNoteRight(entry, notes)) return refuse('note_wrong', entry.sequence);
    onEntry?.(entry);
    head ??= { sequence: entry.sequence, hash };
    newer = entry;
    entries += 1;
    if (remembered?.sequence === entry.sequence) {
      if (remembered.hash !== hash) return refuse('not_extended');
      isRemembered = true;
      if (stopsThere) return { ok: true, head, entries };
    }
  }
  if (!isRemembered) return refuse('not_extended');
  if (newer !== undefined) {
    if (newer.sequence !== 1 || newer.seal?.previous_hash !== LEDGER_START) return refuse('not_whole');
    if (!addsUp(newer, undefined)) return refuse('balance_wrong');
  }
  if (reversals.size > 0) return refuse('reversal_wrong');
  if (notes.size > 0) return refuse('note_wrong');
  return { ok: true, head, entries };
}

/** What is checked of reversals, which come before what they take back. */
function isReversalRight(entry: LedgerEntryJson, open: Map<number, LedgerEntryJson>): boolean {
  const taker = open.get(entry.sequence);
  open.delete(entry.sequence);
  const takesThis =
    taker === undefined ||
    (entry.kind !== 'reversal' &&
      entry.kind !== 'note' &&
      taker.txid === entry.txid &&
      taker.vout === entry.vout &&
      isOpposite(taker.amount, entry.amount));
  const { reverses } = entry;
  if (entry.kind !== 'reversal') return takesThis && reverses === null;
  if (!isEarlier(reverses, entry) || open.has(reverses)) return false;
  open.set(reverses, entry);
  return takesThis;
}

/** What is checked of notes, which come before the spends that they are about; several may be about one. */
function isNoteRight(entry: LedgerEntryJson, open: Map<number, LedgerEntryJson>): boolean {
  const about = open.get(entry.sequence);
  open.delete(entry.sequence);
  const isMeant = about === undefined || (entry.kind === 'spend' && about.txid === entry.txid);
  const { refers_to, purpose, payee } = entry;
  if (entry.kind !== 'note') return isMeant && (refers_to ?? purpose ?? payee ?? null) === null;
  if (!isEarlier(refers_to, entry) || unitsOf(entry.amount) !== 0n) return false;
  const other = open.get(refers_to);
  if (other !== undefined && other.txid !== entry.txid) return false;
  open.set(refers_to, entry);
  return isMeant;
}

/** Whether a number is that of an entry before this one. */
function isEarlier(number: number | null, { sequence }: LedgerEntryJson): number is number {
  return number !== null && Number.isSafeInteger(number) && number >= 1 && number < sequence;
}

function addsUp({ balance, amount }: LedgerEntryJson, before: string | undefined): boolean {
  const [sum, added, start] = [unitsOf(balance), unitsOf(amount), unitsOf(before ?? '0')];
  if (sum === undefined || added === undefined || start === undefined) return false;
  const decimals = new Set(
    [balance, amount, before ?? balance].map((text) => text.split('.')[1]?.length ?? 0),
  );
  return decimals.size === 1 && start + added === sum;
}

function isOpposite(one: string, other: string): boolean {
  const [left, right] = [unitsOf(one), unitsOf(other)];
  return left !== undefined && right !== undefined && left === -right;
}

/** Coins in base units; the decimals of a ledger are always the same. */
function unitsOf(amount: string): bigint | undefined {
  return /^-?\d{1,40}(\.\d{1,18})?$/.test(amount) ? BigInt(amount.replace('.', '')) : undefined;
}
