import type { Reader } from '../../db/database.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { getPageAfter, getPages, seekPage } from './read-pages.ts';
import type { RunFile } from './run-file.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { mayHave } from './run-filter.ts';
import { TX_KEY_BYTES, txRuns } from './run-kinds.ts';
import { compareBytes, findEntry, PLACES, type RunPage } from './run-page.ts';
import { listRunsWith, type Run, type RunSet } from './run-set.ts';
import { seekInFile } from './seek-in-file.ts';

/** Ids of transactions whose txid begins like this one, the latest first: candidates. */
export async function findTxIds(reader: Reader, set: RunSet, txid: Uint8Array): Promise<number[]> {
  const key = txid.subarray(0, TX_KEY_BYTES);
  const ids: number[] = [];
  for (const run of listRunsWith(set, txRuns, key).reverse()) {
    ids.push(
      ...(await readIds(reader, run, await seekPage(reader, run, txRuns, lowestOf(key)), key)).reverse(),
    );
  }
  return ids;
}

/** Ids of one key, from a page that may have the first of them. */
async function readIds(reader: Reader, run: Run, from: RunPage, key: Uint8Array): Promise<number[]> {
  const ids: number[] = [];
  for (let page = from; ; page = await getPageAfter(reader, run, txRuns, page)) {
    let entry = findEntry(txRuns, page, key);
    for (; entry < page.count; entry++) {
      const at = page.start + entry * txRuns.entryBytes;
      if (compareBytes(page.data, at, key, 0, key.length) !== 0) return ids;
      ids.push(readUint48(page.data, at + TX_KEY_BYTES));
    }
    if (page.next === undefined) return ids;
  }
}

/**
 * Candidates of many txids at once, as {@link findTxIds} finds those of one.
 *
 * @param hashes where the txids are
 */
export async function findManyTxIds(
  reader: Reader,
  { runs, filters }: RunSet,
  txids: readonly { bytes: Uint8Array; at: number }[],
): Promise<number[][]> {
  const found: number[][] = txids.map(() => []);
  for (let r = runs.length - 1; r >= 0; r--) {
    const run = runs[r]!;
    if (run.entries[txRuns.code] === 0) continue;
    const filter = filters.get(run.id)?.find(txRuns);
    const asked: { index: number; number: number }[] = [];
    for (let i = 0; i < txids.length; i++) {
      const { bytes, at } = txids[i]!;
      if (filter && !mayHave(filter, txRuns, bytes, at)) continue;
      asked.push({ index: i, number: run.id * PLACES + txRuns.locate(bytes, at) });
    }
    if (asked.length === 0) continue;
    asked.sort((a, b) => a.number - b.number);
    if (run.file) {
      for (const { index } of asked) {
        const { bytes, at } = txids[index]!;
        findInFile(run.file, bytes.subarray(at, at + TX_KEY_BYTES), found[index]!);
      }
      continue;
    }
    const pages = await getPages(
      reader,
      run,
      txRuns,
      Float64Array.from(asked, ({ number }) => number),
    );
    for (const [i, { index }] of asked.entries()) {
      const { bytes, at } = txids[index]!;
      const key = bytes.subarray(at, at + TX_KEY_BYTES);
      const page = await stepToKey(reader, run, pages[i]!, key);
      found[index]!.push(...(await readIds(reader, run, page, key)).reverse());
    }
  }
  return found;
}

const scratch = new Uint8Array(SLOT_BYTES);

/** Adds the ids of a key, the latest first. Nothing is waited for in it, so that one slot does for all. */
function findInFile(file: RunFile, key: Uint8Array, ids: number[]): void {
  let page = seekInFile(file, txRuns, lowestOf(key), scratch);
  const end = ids.length;
  for (;;) {
    for (let entry = findEntry(txRuns, page, key); entry < page.count; entry++) {
      const at = page.start + entry * txRuns.entryBytes;
      if (compareBytes(page.data, at, key, 0, key.length) !== 0) return;
      ids.splice(end, 0, readUint48(page.data, at + TX_KEY_BYTES));
    }
    if (page.next === undefined) return;
    page = file.read(txRuns.code, page.next, scratch);
  }
}

/** What the number of a page leaves open, its first entry decides. */
async function stepToKey(reader: Reader, run: Run, page: RunPage, key: Uint8Array): Promise<RunPage> {
  const isSure = compareBytes(page.data, page.start, key, 0, key.length) < 0 && page.next !== page.number + 1;
  return isSure ? page : await seekPage(reader, run, txRuns, lowestOf(key));
}

/** Not above any entry of a key. */
function lowestOf(key: Uint8Array): Uint8Array {
  const target = new Uint8Array(txRuns.entryBytes);
  target.set(key);
  return target;
}
