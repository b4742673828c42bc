import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import type { Reader } from '../../db/database.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { damaged, firstPageOf, listPages } from './read-pages.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { HISTORY_TX_AT, historyRuns } from './run-kinds.ts';
import { compareBytes, type RunPage } from './run-page.ts';
import type { Run, RunSet } from './run-set.ts';

const PAGES_AT_ONCE = 32;
const { entryBytes } = historyRuns;

/**
 * Visits the scripts that transactions from an output number on pay or spend from: each at least once, in no order. Near the tip runs
 * have few blocks, so little is read that is not asked for.
 *
 * @param mostEntries more than that are not read
 * @param visit is given the first 16 bytes of a script's SHA-256, a character a byte
 * @returns false where there would be more to read: nothing was visited
 */
export async function visitScripts(
  reader: Reader,
  { runs }: RunSet,
  fromOutput: number,
  mostEntries: number,
  visit: (key: string) => void,
): Promise<boolean> {
  const wanted = runs.filter((run) => run.endOutput > fromOutput && run.entries[historyRuns.code]! > 0);
  const entries = wanted.reduce((sum, run) => sum + run.entries[historyRuns.code]!, 0);
  if (entries > mostEntries) return false;
  for (const run of wanted) await visitRun(reader, run, fromOutput, visit);
  return true;
}

async function visitRun(
  reader: Reader,
  run: Run,
  fromOutput: number,
  visit: (key: string) => void,
): Promise<void> {
  const slots = run.file && new Uint8Array(PAGES_AT_ONCE * SLOT_BYTES);
  for (let next: number | undefined = firstPageOf(run); next !== undefined; ) {
    const pages: RunPage[] = await listPages(reader, run, historyRuns, next, PAGES_AT_ONCE, slots);
    if (pages.length === 0) throw damaged(run, historyRuns, next);
    for (const page of pages) {
      if (page.number !== next) throw damaged(run, historyRuns, page.number);
      visitPage(page, fromOutput, visit);
      next = page.next;
    }
  }
}

function visitPage({ data, start, count }: RunPage, fromOutput: number, visit: (key: string) => void): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let last = -1;
  for (let entry = 0, at = start; entry < count; entry++, at += entryBytes) {
    if (readUint48(data, at + HISTORY_TX_AT) < fromOutput) continue;
    // Entries of one script are neighbours.
    if (last >= 0 && compareBytes(data, at, data, last, SCRIPT_KEY_BYTES) === 0) continue;
    visit(bytes.toString('latin1', at, at + SCRIPT_KEY_BYTES));
    last = at;
  }
}
