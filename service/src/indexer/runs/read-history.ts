import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import type { Reader } from '../../db/database.ts';
import { fastFile } from '../disk/pages-ahead.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { getPageAfter, getPageBefore, seekPage } from './read-pages.ts';
import { readValue, sumHistory } from './run-builder.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { HISTORY_KIND_AT, HISTORY_TX_AT, HISTORY_VALUE_AT, historyRuns, SPENDING } from './run-kinds.ts';
import { compareBytes, emptySums, findEntry, type RunPage, readSums, type Sums } from './run-page.ts';
import { listRunsWith, type Run, type RunSet } from './run-set.ts';
import { seekInFile } from './seek-in-file.ts';

/** What a transaction does to the balance of a script. */
export type Change = { txId: number; delta: bigint };

const { entryBytes } = historyRuns;

/** Totals of a script: one page of each run that may have it, however long its history is. */
export async function sumScript(reader: Reader, set: RunSet, key: Uint8Array): Promise<Sums> {
  const sums = emptySums();
  const end = endOf(key);
  const others: Run[] = [];
  for (const run of listRunsWith(set, historyRuns, key)) {
    const file = fastFile(run);
    if (file) addPage(sums, seekInFile(file, historyRuns, end, slot), key, end);
    else others.push(run);
  }
  const pages = await Promise.all(others.map((run) => seekPage(reader, run, historyRuns, end)));
  for (const page of pages) addPage(sums, page, key, end);
  return sums;
}

/**
 * The balances of a script before transactions, by their ids. Runs that end below one count as a whole, and of the one that it lies in
 * a page is read: each more costs a page more, however long the history is.
 */
export async function listBalances(
  reader: Reader,
  set: RunSet,
  key: Uint8Array,
  beforeTxIds: readonly number[],
): Promise<bigint[]> {
  const runs = listRunsWith(set, historyRuns, key);
  const wholes = new Map<Run, Promise<bigint>>();
  const sumWhole = (run: Run): Promise<bigint> => {
    const sum = wholes.get(run) ?? sumRun(reader, run, key, endOf(key));
    wholes.set(run, sum);
    return sum;
  };
  return await Promise.all(
    beforeTxIds.map(async (txId) => {
      const below = runs.filter((run) => run.firstOutput < txId);
      const sums = below.map((run) =>
        run.endOutput <= txId ? sumWhole(run) : sumRun(reader, run, key, entryOf(key, txId)),
      );
      return (await Promise.all(sums)).reduce((balance, sum) => balance + sum, 0n);
    }),
  );
}

/** What the entries of a run that lie below `end` add to the balance of a script. */
async function sumRun(reader: Reader, run: Run, key: Uint8Array, end: Uint8Array): Promise<bigint> {
  const sums = emptySums();
  const file = fastFile(run);
  const page = file
    ? seekInFile(file, historyRuns, end, slot)
    : await seekPage(reader, run, historyRuns, end);
  addPage(sums, page, key, end);
  return sums.fundedSum - sums.spentSum;
}

/** Room for a page of a file, of which nothing is kept over an await. */
const slot = new Uint8Array(SLOT_BYTES);

/** Adds what a run has of a script, of which this is the last page. */
function addPage(sums: Sums, page: RunPage, key: Uint8Array, end: Uint8Array): void {
  const from = findEntry(historyRuns, page, key);
  const to = findEntry(historyRuns, page, end);
  if (from === to) return;
  const before = from === 0 ? readSums(page) : undefined;
  const part = sumHistory(before, page.data, page.start, entryBytes, from, to);
  sums.txs += part.txs;
  sums.funded += part.funded;
  sums.spent += part.spent;
  sums.fundedSum += part.fundedSum;
  sums.spentSum += part.spentSum;
}

/** Transactions of a script, the newest first, below an id. */
export async function listChanges(
  reader: Reader,
  set: RunSet,
  key: Uint8Array,
  beforeTxId: number,
  limit: number,
): Promise<Change[]> {
  const changes: Change[] = [];
  const target = beforeTxId < 2 ** 48 ? entryOf(key, beforeTxId) : endOf(key);
  const runs = listRunsWith(set, historyRuns, key)
    .filter((run) => run.firstOutput < beforeTxId)
    .reverse();
  const seek = seekSome(reader, runs, target);
  for (const [index, run] of runs.entries()) {
    const file = fastFile(run);
    const page = file ? seekInFile(file, historyRuns, target, slot) : await seek(index);
    await collectChanges(reader, run, page, { key, target, limit }, changes);
    if (changes.length >= limit) break;
  }
  return changes;
}

/** In files the pages of so many runs are looked for at once: a script that is seldom paid has its entries in several. */
const RUNS_AT_ONCE = 4;

/** Looks for the pages of runs, one after another, and for those of a few that follow at the same time. */
function seekSome(
  reader: Reader,
  runs: readonly Run[],
  target: Uint8Array,
): (index: number) => Promise<RunPage> {
  const begun: Promise<RunPage>[] = [];
  return (index) => {
    const end = Math.min(runs.length, runs[index]!.file ? index + RUNS_AT_ONCE : index + 1);
    for (let at = Math.max(index, begun.length); at < end; at++) {
      begun[at] = seekPage(reader, runs[at]!, historyRuns, target);
      // Who does not come to it is not told that it failed.
      begun[at]!.catch(() => {});
    }
    return begun[index]!;
  };
}

/** Goes back through the entries of one run, from the page that has `target`; those of one transaction are neighbours. */
async function collectChanges(
  reader: Reader,
  run: Run,
  found: RunPage,
  { key, target, limit }: { key: Uint8Array; target: Uint8Array; limit: number },
  changes: Change[],
): Promise<void> {
  const file = fastFile(run);
  let page = found;
  let entry = findEntry(historyRuns, page, target) - 1;
  let last: Change | undefined;
  for (;;) {
    for (; entry >= 0; entry--) {
      const at = page.start + entry * entryBytes;
      if (compareBytes(page.data, at, key, 0, SCRIPT_KEY_BYTES) !== 0) return;
      const txId = readUint48(page.data, at + HISTORY_TX_AT);
      const value = readValue(page.data, at + HISTORY_VALUE_AT);
      const delta = (page.data[at + HISTORY_KIND_AT]! & SPENDING) !== 0 ? -value : value;
      if (last?.txId === txId) last.delta += delta;
      else {
        if (changes.length >= limit) return;
        last = { txId, delta };
        changes.push(last);
      }
    }
    if (readSums(page) === undefined) return;
    page = file
      ? file.read(historyRuns.code, page.number - 1, slot)
      : await getPageBefore(reader, run, historyRuns, page);
    entry = page.count - 1;
  }
}

/** The first transaction of the chain that touches a script, which is the first that pays it; undefined when none does. */
export async function findFirstTx(reader: Reader, set: RunSet, key: Uint8Array): Promise<number | undefined> {
  for (const run of listRunsWith(set, historyRuns, key)) {
    let page: RunPage = await seekPage(reader, run, historyRuns, entryOf(key, 0));
    let entry = findEntry(historyRuns, page, key);
    if (entry === page.count && page.next !== undefined) {
      page = await getPageAfter(reader, run, historyRuns, page);
      entry = 0;
    }
    if (entry === page.count) continue;
    const at = page.start + entry * entryBytes;
    if (compareBytes(page.data, at, key, 0, SCRIPT_KEY_BYTES) === 0)
      return readUint48(page.data, at + HISTORY_TX_AT);
  }
  return undefined;
}

/** Above all entries of a script. */
function endOf(key: Uint8Array): Uint8Array {
  const target = new Uint8Array(HISTORY_KIND_AT + 1).fill(0xff);
  target.set(key);
  return target;
}

/** Below all entries of a script and a transaction, whose kinds are not 0, and above those of earlier ones. */
function entryOf(key: Uint8Array, txId: number): Uint8Array {
  const target = new Uint8Array(HISTORY_KIND_AT + 1);
  target.set(key);
  writeUint48(target, HISTORY_TX_AT, txId);
  return target;
}
