import type { Reader } from '../../db/database.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import { getPageAfter, seekPage } from './read-pages.ts';
import { mayHave } from './run-filter.ts';
import { spendRuns } from './run-kinds.ts';
import { findEntry } from './run-page.ts';
import type { Run, RunSet } from './run-set.ts';

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
  const keys = Array.from({ length: Math.min(count, MOST_ASKED) }, (_, i) => encodeOutput(first + i));
  // Nothing is spent before it is made.
  const runs = set.runs.filter((run) => run.endOutput > first && maySpend(set, run, keys, count));
  await Promise.all(runs.map((run) => collectSpenders(reader, run, first, spenders)));
  return spenders;
}

function maySpend({ filters }: RunSet, run: Run, keys: readonly Uint8Array[], count: number): boolean {
  if (run.entries[spendRuns.code] === 0) return false;
  const filter = filters.get(run.id)?.[spendRuns.code];
  if (!filter || count > MOST_ASKED) return true;
  return keys.some((key) => mayHave(filter, spendRuns, key));
}

async function collectSpenders(
  reader: Reader,
  run: Run,
  first: number,
  spenders: (number | undefined)[],
): Promise<void> {
  const target = encodeOutput(first);
  let page = await seekPage(reader, run, spendRuns, target);
  for (;;) {
    for (let entry = findEntry(spendRuns, page, target); entry < page.count; entry++) {
      const at = page.start + entry * spendRuns.entryBytes;
      const index = readUint48(page.data, at) - first;
      if (index >= spenders.length) return;
      spenders[index] = readUint48(page.data, at + 6);
    }
    if (page.next === undefined) return;
    page = await getPageAfter(reader, run, spendRuns, page);
  }
}

function encodeOutput(outputId: number): Uint8Array {
  const bytes = new Uint8Array(6);
  writeUint48(bytes, 0, outputId);
  return bytes;
}
