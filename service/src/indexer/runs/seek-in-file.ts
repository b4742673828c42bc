import type { Guide, RunFile } from './run-file.ts';
import type { SectionKind } from './run-kinds.ts';
import { compareBytes, type RunPage } from './run-page.ts';

/**
 * The last page of a kind whose first entry is not above `target`, or the first page. Its guide says between which pages it lies, and since hashes
 * are spread evenly the first one that is read is mostly the right one; entries that begin alike over many pages are
 * searched by halves.
 *
 * @param target bytes of an entry, or its beginning
 * @param scratch see {@link RunFile.read}
 */
export function seekInFile(
  file: Pick<RunFile, 'guideOf' | 'countPages' | 'read'>,
  kind: SectionKind,
  target: Uint8Array,
  scratch?: Uint8Array,
): RunPage {
  let { low, high, probe } = narrow(file, kind, target, 0);
  let found: RunPage | undefined;
  for (let tries = 0; high - low > 1 || found?.number !== low; tries++) {
    const page = file.read(kind.code, probe, scratch);
    found = page;
    const order = compareBytes(page.data, page.start, target, 0, target.length);
    if (order > 0 && probe > 0) high = probe;
    else {
      low = probe;
      if (order > 0 || endsAbove(kind, page, target)) return page;
    }
    probe = high - low <= 1 ? low : nextProbe(tries, page.number, low, high);
  }
  return found;
}

/** The page of which {@link seekInFile} is the most likely to give back. */
export function guessPage(
  file: Pick<RunFile, 'guideOf' | 'countPages'>,
  kind: SectionKind,
  target: Uint8Array,
  at: number,
): number {
  return narrow(file, kind, target, at).probe;
}

/** What the guide says: the page is `low`, or between it and `high`, and most likely `probe`. */
function narrow(
  file: Pick<RunFile, 'guideOf' | 'countPages'>,
  kind: SectionKind,
  target: Uint8Array,
  at: number,
): { low: number; high: number; probe: number } {
  const place = kind.locate(target, at);
  const guide = file.guideOf(kind.code);
  const { places, step } = guide;
  const pages = file.countPages(kind.code);
  const low = Math.max(0, findNotBelow(places, place) - 1) * step;
  const high = Math.max(1, Math.min(pages, findAbove(places, place) * step));
  return { low, high, probe: guess(guide, place, low, high) };
}

/** First the neighbour, then halves. */
function nextProbe(tries: number, from: number, low: number, high: number): number {
  if (tries >= 2) return (low + high) >> 1;
  return Math.min(high - 1, Math.max(low, from >= high ? high - 1 : low + 1));
}

function endsAbove(
  { entryBytes }: SectionKind,
  { data, start, count }: RunPage,
  target: Uint8Array,
): boolean {
  return compareBytes(data, start + (count - 1) * entryBytes, target, 0, target.length) > 0;
}

function guess({ places, step }: Guide, place: number, low: number, high: number): number {
  // A page that begins at just this place: where it does not have the entry, the one before it does.
  if (step === 1 && high - low === 2) return low + 1;
  const from = places[low / step]!;
  const next = Math.ceil(high / step);
  const to = next < places.length && high % step === 0 ? places[next]! : 2 ** 32;
  if (high - low > 4 * step || to <= from) return (low + high) >> 1;
  const share = Math.min(1, Math.max(0, (place - from) / (to - from)));
  return Math.min(high - 1, low + Math.floor(share * (high - low)));
}

/** The first place of a guide that is above, or how many there are. */
function findAbove(guide: Uint32Array, place: number): number {
  let low = 0;
  let high = guide.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (guide[middle]! > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first place of a guide that is not below, or how many there are. */
function findNotBelow(guide: Uint32Array, place: number): number {
  let low = 0;
  let high = guide.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (guide[middle]! >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}
