import type { Reader } from '../../db/database.ts';
import { fastFile } from '../disk/pages-ahead.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { getPageAfter, seekPage } from './read-pages.ts';
import type { RunFile } from './run-file.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { type FilterKey, filterKey, mayHave } from './run-filter.ts';
import { SPENDER_AT, spendRuns } from './run-kinds.ts';
import { findEntry, type RunPage } from './run-page.ts';
import type { Run, RunSet } from './run-set.ts';
import { seekInFile } from './seek-in-file.ts';

/** So many outputs are asked of a filter; with more of them one is spent in nearly every run. */
const MOST_ASKED = 16;

/** Ids of the transactions that spend the outputs `first .. first + count - 1`; undefined for those that are unspent. */
export async function findSpenders(
  reader: Reader,
  set: RunSet,
  first: number,
  count: number,
): Promise<(number | undefined)[]> {
  const spenders: (number | undefined)[] = new Array(count).fill(undefined);
  const keys = Array.from({ length: Math.min(count, MOST_ASKED) }, (_, i) =>
    filterKey(spendRuns, encodeOutput(first + i)),
  );
  const others: Run[] = [];
  // Nothing is spent before it is made, and nothing twice: in a run of later blocks only the others are looked for.
  for (const run of set.runs) {
    if (run.endOutput <= first || !maySpend(set, run, keys, spenders)) continue;
    const file = fastFile(run);
    if (file) collectFromFile(file, first, spenders);
    else others.push(run);
  }
  await Promise.all(others.map((run) => collectFromPages(reader, run, first, spenders)));
  return spenders;
}

/** Whether a run may spend any of the outputs of which no spender is known yet. */
function maySpend(
  { filters }: RunSet,
  run: Run,
  keys: readonly FilterKey[],
  spenders: readonly (number | undefined)[],
): boolean {
  if (run.entries[spendRuns.code] === 0) return false;
  const filter = filters.get(run.id)?.find(spendRuns);
  if (!filter || spenders.length > MOST_ASKED) return spenders.includes(undefined);
  return keys.some((key, i) => spenders[i] === undefined && mayHave(filter, key));
}

/** Room for a page of a file, of which nothing is kept. */
const slot = new Uint8Array(SLOT_BYTES);

function collectFromFile(file: RunFile, first: number, spenders: (number | undefined)[]): void {
  const target = encodeOutput(first);
  let page = seekInFile(file, spendRuns, target, slot);
  while (readSpenders(page, target, first, spenders)) page = file.read(spendRuns.code, page.next!, slot);
}

async function collectFromPages(
  reader: Reader,
  run: Run,
  first: number,
  spenders: (number | undefined)[],
): Promise<void> {
  const target = encodeOutput(first);
  let page = await seekPage(reader, run, spendRuns, target);
  while (readSpenders(page, target, first, spenders)) page = await getPageAfter(reader, run, spendRuns, page);
}

/** @returns whether the next page may have more */
function readSpenders(
  page: RunPage,
  target: Uint8Array,
  first: number,
  spenders: (number | undefined)[],
): boolean {
  for (let entry = findEntry(spendRuns, page, target); entry < page.count; entry++) {
    const at = page.start + entry * spendRuns.entryBytes;
    const index = readUint48(page.data, at) - first;
    if (index >= spenders.length) return false;
    spenders[index] = readUint48(page.data, at + SPENDER_AT);
  }
  return page.next !== undefined;
}

function encodeOutput(outputId: number): Uint8Array {
  const bytes = new Uint8Array(6);
  writeUint48(bytes, 0, outputId);
  return bytes;
}
