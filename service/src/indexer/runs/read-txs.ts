import type { Reader } from '../../db/database.ts';
import { fastFile } from '../disk/pages-ahead.ts';
import { readInSlices } from '../disk/read-in-slices.ts';
import { readUint48 } from '../encoding/uint48.ts';
import { peekTxs } from './peek-txs.ts';
import { getPageAfter, seekPage, sortNumbers } from './read-pages.ts';
import type { RunFile } from './run-file.ts';
import { SLOT_BYTES } from './run-file-format.ts';
import { type FilterKey, filterKey, mayHave } from './run-filter.ts';
import { TX_KEY_BYTES, txRuns } from './run-kinds.ts';
import { compareBytes, findEntry, PLACES, type RunPage } from './run-page.ts';
import { listRunsWith, type Run, type RunSet } from './run-set.ts';
import { guessPage, seekInFile } from './seek-in-file.ts';

/** Ids of transactions whose txid begins like this one, the latest first: candidates. */
export async function findTxIds(reader: Reader, set: RunSet, txid: Uint8Array): Promise<number[]> {
  const key = txid.subarray(0, TX_KEY_BYTES);
  const ids: number[] = [];
  for (const run of listRunsWith(set, txRuns, key).reverse()) {
    const file = fastFile(run);
    if (file) {
      findInFile(file, key, ids);
      continue;
    }
    ids.push(...(await readIds(reader, run, await seekKey(reader, run, key), key)).reverse());
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

/** A txid that a run may have. `number`: of the run times {@link PLACES}, and the place of the txid. */
type Asked = { run: Run; index: number; number: number };

/**
 * Candidates of many txids at once, as {@link findTxIds} finds those of one.
 *
 * @param hashes where the txids are
 */
export async function findManyTxIds(
  reader: Reader,
  set: RunSet,
  txids: readonly { bytes: Uint8Array; at: number }[],
): Promise<number[][]> {
  const found: number[][] = txids.map(() => []);
  const keys = txids.map(({ bytes, at }) => filterKey(txRuns, bytes, at));
  const asked = set.runs.toReversed().map((run) => listAsked(set, run, txids, keys));
  await readInSlices(
    set.log?.pace,
    asked.flatMap((ofRun) => (ofRun[0]?.run.file ? ofRun : [])),
    ({ run: { file }, index }) => {
      const { bytes, at } = txids[index]!;
      return file!.touch(txRuns.code, guessPage(file!, txRuns, bytes, at));
    },
    ({ run: { file }, index }) => {
      const { bytes, at } = txids[index]!;
      findInFile(file!, bytes.subarray(at, at + TX_KEY_BYTES), found[index]!);
    },
  );
  await findInTables(
    reader,
    asked.flatMap((ofRun) => (ofRun[0]?.run.file ? [] : ofRun)),
    ({ index }) => txids[index]!.bytes.subarray(txids[index]!.at, txids[index]!.at + TX_KEY_BYTES),
    ({ index }, ids) => found[index]!.push(...ids.toReversed()),
  );
  return found;
}

/** Finds the ids that runs in tables have of txids; what is not clear at once, by their pages. */
async function findInTables(
  reader: Reader,
  asked: readonly Asked[],
  keyOf: (asked: Asked) => Uint8Array,
  onFound: (asked: Asked, ids: readonly number[]) => void,
): Promise<void> {
  if (asked.length === 0) return;
  const peek = await peekTxs(reader, sortNumbers(asked.map(({ number }) => number)));
  for (const each of asked) {
    const key = keyOf(each);
    const peeked = peek(each.number, key);
    onFound(each, peeked ?? (await readIds(reader, each.run, await seekKey(reader, each.run, key), key)));
  }
}

function seekKey(reader: Reader, run: Run, key: Uint8Array): Promise<RunPage> {
  return seekPage(reader, run, txRuns, lowestOf(key));
}

/** The txids that a run may have, in the order of its entries. */
function listAsked(
  { filters }: RunSet,
  run: Run,
  txids: readonly { bytes: Uint8Array; at: number }[],
  keys: readonly FilterKey[],
): Asked[] {
  if (run.entries[txRuns.code] === 0) return [];
  const filter = filters.get(run.id)?.find(txRuns);
  const asked: Asked[] = [];
  for (let index = 0; index < txids.length; index++) {
    if (filter && !mayHave(filter, keys[index]!)) continue;
    const { bytes, at } = txids[index]!;
    asked.push({ run, index, number: run.id * PLACES + txRuns.locate(bytes, at) });
  }
  return asked.sort((a, b) => a.number - b.number);
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

/** Not above any entry of a key. */
function lowestOf(key: Uint8Array): Uint8Array {
  const target = new Uint8Array(txRuns.entryBytes);
  target.set(key);
  return target;
}
