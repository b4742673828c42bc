import { copyEntry, viewOf } from '../encoding/copy-entry.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { addToFilter, type RunFilter } from './run-filter.ts';
import {
  COIN_SIGN_AT,
  HISTORY_KIND_AT,
  HISTORY_TX_AT,
  HISTORY_VALUE_AT,
  MOST_COUNTED,
  type RunKind,
  readUint32,
  SPENDING,
  writeUint32,
} from './run-kinds.ts';
import { compareBytes, emptySums, type Sums } from './run-page.ts';
import type { BuiltPage, PageSink } from './run-target.ts';

/** Makes the pages of one kind of a run from its entries in ascending order. */
export type RunBuilder = {
  /**
   * Adds the next entry. Entries of one transaction, script and direction become one with their sum (`history`); an output
   * that is made and spent becomes nothing (`coin`).
   *
   * @param head its first 48 bits
   */
  add(source: Uint8Array, at: number, head: number): void;
  /** Ends the kind: all pages are with the sink then. */
  finish(): void;
  /** So far: entries, and distinct keys. */
  readonly entries: number;
  readonly keys: number;
};

const WORD = 2 ** 32;

/**
 * @param sink is given the pages
 * @param filter is told of every key, when there is one
 */
export function createRunBuilder(kind: RunKind, sink: PageSink, filter: RunFilter | undefined): RunBuilder {
  const { entryBytes, keyBytes, joins } = kind;
  const capacity = Math.floor(sink.room / entryBytes) * entryBytes;
  /** Entries of the page under way; at `used` lies one that may yet become one with the next. */
  let buffer = new Uint8Array(capacity + entryBytes);
  let view = viewOf(buffer);
  /** Those of the page that is waiting. */
  let other = new Uint8Array(capacity + entryBytes);
  /** Whoever adds entries adds many of one array. */
  let lastSource: Uint8Array = other;
  let sourceView = viewOf(other);
  let used = 0;
  let held = false;
  /** Its first 48 bits, and those of the one before: most neighbours are told apart by them. */
  let heldHead = 0;
  let lastHead = -1;
  let place = -1;
  let pageSums: Sums | undefined;
  /** A page that wants to know where the next one is. */
  let waiting: Omit<BuiltPage, 'next'> | undefined;
  let entries = 0;
  let keys = 0;
  const tally = createTally();

  const closePage = (next: number | undefined): void => {
    if (waiting) sink.add({ ...waiting, next });
    waiting = undefined;
  };

  const beginPage = (isSameKey: boolean): void => {
    const wanted = entries === 0 ? 0 : kind.locate(buffer, used);
    const next = Math.max(place + 1, wanted);
    closePage(next);
    place = next;
    pageSums = isSameKey && joins !== 'none' ? readTally(tally) : undefined;
  };

  /** Adds what is held for good. */
  const settle = (): void => {
    held = false;
    // The one before it ends where it begins, but for the very first.
    const isSameKey =
      heldHead === lastHead && compareBytes(buffer, used, buffer, used - entryBytes, keyBytes) === 0;
    lastHead = heldHead;
    if (used + entryBytes > capacity) {
      waiting = { place, entries: buffer.subarray(0, used), sums: pageSums };
      [buffer, other] = [other, buffer];
      const full = view;
      view = viewOf(buffer);
      copyEntry(full, used, view, 0, entryBytes);
      used = 0;
    }
    if (used === 0) beginPage(isSameKey);
    if (!isSameKey) {
      keys++;
      if (filter) addToFilter(filter, kind, buffer, used);
    }
    if (joins === 'sum') tallyHistory(tally, buffer, used, isSameKey);
    else if (joins === 'cancel') tallyCoin(tally, buffer[used + COIN_SIGN_AT]!, isSameKey);
    used += entryBytes;
    entries++;
  };

  return {
    add(source, at, head) {
      if (held) {
        if (head === heldHead) {
          if (joins === 'cancel' && compareBytes(buffer, used, source, at, COIN_SIGN_AT) === 0) {
            held = false;
            return;
          }
          if (joins === 'sum' && addUp(buffer, used, source, at)) return;
        }
        settle();
      }
      heldHead = head;
      if (source !== lastSource) {
        lastSource = source;
        sourceView = viewOf(source);
      }
      copyEntry(sourceView, at, view, used, entryBytes);
      held = true;
    },
    finish() {
      if (held) settle();
      if (used > 0) waiting = { place, entries: buffer.subarray(0, used), sums: pageSums };
      used = 0;
      closePage(undefined);
    },
    get entries() {
      return entries;
    },
    get keys() {
      return keys;
    },
  };
}

/** Adds one history entry to another of the same transaction, script and direction; false where they are to stay two. */
function addUp(into: Uint8Array, at: number, source: Uint8Array, from: number): boolean {
  if (compareBytes(into, at, source, from, HISTORY_KIND_AT) !== 0) return false;
  const kind = into[at + HISTORY_KIND_AT]!;
  const other = source[from + HISTORY_KIND_AT]!;
  if ((kind & SPENDING) !== (other & SPENDING)) return false;
  const count = (kind & MOST_COUNTED) + (other & MOST_COUNTED);
  if (count > MOST_COUNTED) return false;
  const low = readUint32(into, at + HISTORY_VALUE_AT + 4) + readUint32(source, from + HISTORY_VALUE_AT + 4);
  const high =
    readUint32(into, at + HISTORY_VALUE_AT) +
    readUint32(source, from + HISTORY_VALUE_AT) +
    Math.floor(low / WORD);
  if (high >= WORD) return false;
  into[at + HISTORY_KIND_AT] = (kind & SPENDING) | count;
  writeUint32(into, at + HISTORY_VALUE_AT, high);
  writeUint32(into, at + HISTORY_VALUE_AT + 4, low % WORD);
  return true;
}

/** Sums of a script while its entries go by: of 64-bit values the two halves are added up apart, which doubles can. */
type Tally = {
  txs: number;
  funded: number;
  spent: number;
  fundedHigh: number;
  fundedLow: number;
  spentHigh: number;
  spentLow: number;
  lastTx: number;
};

function createTally(): Tally {
  return { txs: 0, funded: 0, spent: 0, fundedHigh: 0, fundedLow: 0, spentHigh: 0, spentLow: 0, lastTx: -1 };
}

function resetTally(tally: Tally): void {
  tally.txs = 0;
  tally.funded = 0;
  tally.spent = 0;
  tally.fundedHigh = 0;
  tally.fundedLow = 0;
  tally.spentHigh = 0;
  tally.spentLow = 0;
  tally.lastTx = -1;
}

function tallyHistory(tally: Tally, entry: Uint8Array, at: number, isSameKey: boolean): void {
  if (!isSameKey) resetTally(tally);
  const tx = readUint48(entry, at + HISTORY_TX_AT);
  if (tx !== tally.lastTx) tally.txs++;
  tally.lastTx = tx;
  const kind = entry[at + HISTORY_KIND_AT]!;
  const high = readUint32(entry, at + HISTORY_VALUE_AT);
  const low = readUint32(entry, at + HISTORY_VALUE_AT + 4);
  if ((kind & SPENDING) !== 0) {
    tally.spent += kind & MOST_COUNTED;
    tally.spentHigh += high;
    tally.spentLow += low;
  } else {
    tally.funded += kind;
    tally.fundedHigh += high;
    tally.fundedLow += low;
  }
}

function tallyCoin(tally: Tally, sign: number, isSameKey: boolean): void {
  if (!isSameKey) resetTally(tally);
  if (sign === 0) tally.funded++;
  else tally.spent++;
}

function readTally(tally: Tally): Sums {
  const { txs, funded, spent, lastTx } = tally;
  return {
    txs,
    funded,
    spent,
    lastTx,
    fundedSum: BigInt(tally.fundedHigh) * BigInt(WORD) + BigInt(tally.fundedLow),
    spentSum: BigInt(tally.spentHigh) * BigInt(WORD) + BigInt(tally.spentLow),
  };
}

/** Adds up history entries `from .. to` of one script to what lies before them. */
export function sumHistory(
  before: Sums | undefined,
  entries: Uint8Array,
  start: number,
  entryBytes: number,
  from: number,
  to: number,
): Sums {
  const sums = before ?? emptySums();
  for (let i = from; i < to; i++) {
    const at = start + i * entryBytes;
    const tx = readUint48(entries, at + HISTORY_TX_AT);
    if (tx !== sums.lastTx) sums.txs++;
    sums.lastTx = tx;
    const kind = entries[at + HISTORY_KIND_AT]!;
    const value = readValue(entries, at + HISTORY_VALUE_AT);
    if ((kind & SPENDING) !== 0) {
      sums.spent += kind & MOST_COUNTED;
      sums.spentSum += value;
    } else {
      sums.funded += kind;
      sums.fundedSum += value;
    }
  }
  return sums;
}

/** A 64-bit value, big-endian. */
export function readValue(bytes: Uint8Array, at: number): bigint {
  return (BigInt(readUint32(bytes, at)) << 32n) | BigInt(readUint32(bytes, at + 4));
}
