import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import type { Reader } from '../../db/database.ts';
import { fastFile } from '../disk/pages-ahead.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { getPageAfter, seekPage } from './read-pages.ts';
import { COIN_OUTPUT_AT, COIN_SIGN_AT, coinRuns } from './run-kinds.ts';
import { compareBytes, findEntry, type RunPage, readSums } from './run-page.ts';
import { listRunsWith, type Run, type RunSet } from './run-set.ts';
import { seekInFile } from './seek-in-file.ts';

const { entryBytes } = coinRuns;
/** After so many spent outputs in a row the next unspent one is searched for by counting. */
const PATIENCE = 1_000;
const END = 2 ** 48 - 1;

/**
 * Numbers of the outputs of a script that can be spent, ascending, above `after`. A run has the outputs that its blocks made, and
 * those of earlier runs that they spent: what is unspent has no counterpart in any later run.
 */
export async function listCoins(
  reader: Reader,
  set: RunSet,
  key: Uint8Array,
  after: number,
  limit: number,
): Promise<number[]> {
  const runs = listRunsWith(set, coinRuns, key);
  const coins: number[] = [];
  let from = after + 1;
  while (runs.length > 0 && coins.length < limit) {
    const stretch = await walk(reader, runs, key, from, limit - coins.length, coins);
    if (stretch === undefined) break;
    const next = await findNextCoin(reader, runs, key, stretch);
    if (next === undefined) break;
    from = next;
  }
  return coins;
}

/** @returns where it lost patience; undefined when there is nothing more, or enough was found */
async function walk(
  reader: Reader,
  runs: readonly Run[],
  key: Uint8Array,
  from: number,
  limit: number,
  coins: number[],
): Promise<number | undefined> {
  const opened = runs.map((run) => openCursor(reader, run, key, from));
  const cursors = opened.every(isOpen) ? opened : await Promise.all(opened);
  let found = 0;
  let spentInARow = 0;
  while (found < limit) {
    const output = cursors.reduce((least, cursor) => Math.min(least, cursor.output), END);
    if (output === END) return undefined;
    let isSpent = false;
    for (const cursor of cursors) {
      while (cursor.output === output) {
        isSpent ||= cursor.isSpend;
        const waiting = cursor.advance();
        // What is in memory is gone on with at once: an address may have many outputs.
        if (waiting) await waiting;
      }
    }
    if (!isSpent) {
      coins.push(output);
      found++;
      spentInARow = 0;
    } else if (++spentInARow >= PATIENCE) return output + 1;
  }
  return undefined;
}

/** Goes through the entries of a script in one run. */
type Cursor = { output: number; isSpend: boolean; advance(): Promise<void> | undefined };

/** Opens one at once where the page is in memory: what is waited for costs more than the page does. */
function openCursor(reader: Reader, run: Run, key: Uint8Array, from: number): Cursor | Promise<Cursor> {
  const target = entryOf(key, from);
  const file = fastFile(run);
  if (file) return beginCursor(reader, run, key, target, seekInFile(file, coinRuns, target));
  return seekPage(reader, run, coinRuns, target).then((page) => beginCursor(reader, run, key, target, page));
}

function isOpen(cursor: Cursor | Promise<Cursor>): cursor is Cursor {
  return !(cursor instanceof Promise);
}

/** @param found the page in which `target` lies */
function beginCursor(
  reader: Reader,
  run: Run,
  key: Uint8Array,
  target: Uint8Array,
  found: RunPage,
): Cursor | Promise<Cursor> {
  let page = found;
  let entry = findEntry(coinRuns, page, target);
  const cursor: Cursor = {
    output: END,
    isSpend: false,
    advance() {
      entry++;
      return begin();
    },
  };
  /** Reads the entry that it stands at, in the next page where this one has no more. */
  const begin = (): Promise<void> | undefined => {
    if (entry < page.count) read();
    else if (page.next === undefined) cursor.output = END;
    else return turn();
    return undefined;
  };
  const turn = async (): Promise<void> => {
    page = await getPageAfter(reader, run, coinRuns, page);
    entry = 0;
    read();
  };
  const read = (): void => {
    const at = page.start + entry * entryBytes;
    const isMine = compareBytes(page.data, at, key, 0, SCRIPT_KEY_BYTES) === 0;
    cursor.output = isMine ? readUint48(page.data, at + COIN_OUTPUT_AT) : END;
    cursor.isSpend = page.data[at + COIN_SIGN_AT] === 1;
  };
  const waiting = begin();
  return waiting ? waiting.then(() => cursor) : cursor;
}

/** The lowest unspent output from a number on, found by halves: how many are unspent below one says whether it lies there. */
async function findNextCoin(
  reader: Reader,
  runs: readonly Run[],
  key: Uint8Array,
  from: number,
): Promise<number | undefined> {
  const before = await countBelow(reader, runs, key, from);
  let low = from;
  let high = runs.at(-1)!.endOutput;
  if ((await countBelow(reader, runs, key, high)) === before) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await countBelow(reader, runs, key, middle)) > before) high = middle;
    else low = middle;
  }
  return low;
}

/** How many outputs of a script below a number are unspent. */
async function countBelow(
  reader: Reader,
  runs: readonly Run[],
  key: Uint8Array,
  output: number,
): Promise<number> {
  const target = entryOf(key, output);
  const counts = await Promise.all(
    runs.map(async (run) => {
      const page = await seekPage(reader, run, coinRuns, target);
      const from = findEntry(coinRuns, page, key);
      const to = findEntry(coinRuns, page, target);
      const sums = from === 0 && isOf(page, key) ? readSums(page) : undefined;
      let count = (sums?.funded ?? 0) - (sums?.spent ?? 0);
      for (let entry = from; entry < to; entry++) {
        count += page.data[page.start + entry * entryBytes + COIN_SIGN_AT] === 1 ? -1 : 1;
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function isOf({ data, start }: RunPage, key: Uint8Array): boolean {
  return compareBytes(data, start, key, 0, SCRIPT_KEY_BYTES) === 0;
}

/** Not above any entry of a script and an output. */
function entryOf(key: Uint8Array, output: number): Uint8Array {
  const target = new Uint8Array(COIN_SIGN_AT);
  target.set(key);
  writeUint48(target, COIN_OUTPUT_AT, output);
  return target;
}
