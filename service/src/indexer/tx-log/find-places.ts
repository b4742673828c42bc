import { readEach } from '../disk/pages-ahead.ts';
import { readUint48, writeUint48 } from '../encoding/uint48.ts';
import type { RunFile } from '../runs/run-file.ts';
import type { RunPage } from '../runs/run-page.ts';
import type { Run, RunSet } from '../runs/run-set.ts';
import { seekInFile } from '../runs/seek-in-file.ts';
import type { TxLog } from './tx-log.ts';
import { decodePlace, PAGE_HEAD_BYTES, TX_PLACE_BYTES, type TxPlace, txPlaces } from './tx-place.ts';

/** The place of the page that has an output; undefined where no block has it. */
export function findPlace(set: RunSet, outputId: number): TxPlace | undefined {
  return seekPlace(set, outputId)?.place;
}

/** The same, and a number above which it may be another one. */
function seekPlace(
  { runs, young, log }: RunSet,
  outputId: number,
): { place: TxPlace; end: number } | undefined {
  if (young.length > 0 && outputId >= young[0]!.firstId) {
    return { place: young[findLastYoung(young, outputId)]!, end: outputId };
  }
  const run = runs[findRun(runs, outputId)];
  if (!run?.file || !log || outputId < run.firstOutput) return undefined;
  const page = seekPlaces(run.file, log, outputId);
  if (!page) return undefined;
  const last = findLast(page, outputId);
  const at = page.start + last * TX_PLACE_BYTES;
  const end = last + 1 < page.count ? readUint48(page.data, at + TX_PLACE_BYTES) : outputId;
  return { place: decodePlace(page.data, at), end };
}

/**
 * The places of the pages that have outputs, each once and in their order.
 * @param outputIds ascending
 */
export function findPlaces(set: RunSet, outputIds: ArrayLike<number>): TxPlace[] {
  const places: TxPlace[] = [];
  /** Outputs below it are on the last page found, as far as is known without looking: a large transaction has many. */
  let end = 0;
  readEach(outputIds, (outputId) => {
    if (outputId < end) return;
    const found = seekPlace(set, outputId);
    if (!found) return;
    end = found.end;
    if (found.place.at !== places.at(-1)?.at) places.push(found.place);
  });
  return places;
}

/** Places of the pages that begin within `from .. end - 1`, in their order, as many as there are but no more than `limit`. */
export function listPlaces(
  { runs, young, log }: RunSet,
  from: number,
  end: number,
  limit: number,
): TxPlace[] {
  const places: TxPlace[] = [];
  /** @returns whether there may be more */
  const take = (place: TxPlace): boolean => {
    if (place.firstId >= end) return false;
    if (place.firstId >= from) places.push(place);
    return places.length < limit;
  };
  for (let at = findRun(runs, from); log && runs[at]?.file; at++) {
    if (!takeOfRun(runs[at]!, log, from, take)) return places;
  }
  for (let at = Math.max(0, findLastYoung(young, from)); at < young.length; at++) {
    if (!take(young[at]!)) return places;
  }
  return places;
}

function takeOfRun({ file }: Run, log: TxLog, from: number, take: (place: TxPlace) => boolean): boolean {
  const pages = file!.countPages(txPlaces.code);
  let page = seekPlaces(file!, log, from);
  if (!page) return true;
  for (let index = findLast(page, from); ; index = 0) {
    for (; index < page.count; index++) {
      if (!take(decodePlace(page.data, page.start + index * TX_PLACE_BYTES))) return false;
    }
    if (page.number + 1 >= pages) return true;
    page = log.readPlaces(file!, page.number + 1);
  }
}

/** Behind the last page that runs have, as {@link TxPlace.at}: what lies further on in the log was never committed, or belongs to no block any more. */
export function endOfPlaces(runs: readonly Run[]): number {
  for (const { file } of runs.toReversed()) {
    const pages = file?.countPages(txPlaces.code) ?? 0;
    if (pages === 0) continue;
    const { data, start, count } = file!.read(txPlaces.code, pages - 1);
    const { at, length } = decodePlace(data, start + (count - 1) * TX_PLACE_BYTES);
    return at + PAGE_HEAD_BYTES + length;
  }
  return 0;
}

/** The page of places that has the one of an output, or the first; undefined where there is none. */
function seekPlaces(file: RunFile, log: TxLog, outputId: number): RunPage | undefined {
  if (file.countPages(txPlaces.code) === 0) return undefined;
  const target = new Uint8Array(6);
  writeUint48(target, 0, outputId);
  const { guideOf, countPages } = file;
  return seekInFile({ guideOf, countPages, read: (_, page) => log.readPlaces(file, page) }, txPlaces, target);
}

/** The last place of a page that does not begin above an output, or the first. */
function findLast({ data, start, count }: RunPage, outputId: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (readUint48(data, start + middle * TX_PLACE_BYTES) <= outputId) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last of young places that does not begin above an output; -1 where all do. */
function findLastYoung(young: readonly TxPlace[], outputId: number): number {
  let low = -1;
  let high = young.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (young[middle]!.firstId <= outputId) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The first run that does not end before an output. */
function findRun(runs: readonly Run[], outputId: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.endOutput <= outputId) low = middle + 1;
    else high = middle;
  }
  return low;
}
