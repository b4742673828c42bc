import { narrow } from './guide.ts';
import type { RunFile } from './run-file.ts';
import type { SectionKind } from './run-kinds.ts';
import { compareBytes, type RunPage } from './run-page.ts';

/**
 * The last page of a kind whose first entry is not above `target`, or the first page. Its guide says which it is; where it leaves several, the first
 * one that is read is mostly the right one, and what begins alike over many pages is searched by halves.
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
  const { code, keyBytes, locate } = kind;
  const end = endOf(target, keyBytes);
  const stretch = narrow(file.guideOf(code), locate(target, 0), file.countPages(code), end);
  // The first entry of a hub can be the first of a page: then it is on the one behind.
  const byHalves = stretch.isAlike && end !== 'first';
  let { low, high, probe } = stretch;
  let found: RunPage | undefined;
  for (let tries = 0; high - low > 1 || found?.number !== low; tries++) {
    const page = file.read(code, probe, scratch);
    found = page;
    const order = compareBytes(page.data, page.start, target, 0, target.length);
    if (order > 0 && probe > 0) high = probe;
    else {
      low = probe;
      if (order > 0 || endsAbove(kind, page, target)) return page;
    }
    probe = byHalves || tries >= 2 ? (low + high) >> 1 : neighbourOf(page.number, low, high);
  }
  return found;
}

/** The page on which {@link seekInFile} begins for the first entry of a key. */
export function guessPage(
  file: Pick<RunFile, 'guideOf' | 'countPages'>,
  { code, locate }: SectionKind,
  key: Uint8Array,
  at: number,
): number {
  return narrow(file.guideOf(code), locate(key, at), file.countPages(code), 'first').probe;
}

/** A hub has entries on many pages, and most who ask want the first or the last of them: what follows the key in the target says it. */
function endOf(target: Uint8Array, behindKey: number): 'first' | 'last' | 'unknown' {
  const first = target[behindKey];
  if (first !== 0 && first !== 0xff) return 'unknown';
  for (let i = behindKey + 1; i < target.length; i++) if (target[i] !== first) return 'unknown';
  return first === 0 ? 'first' : 'last';
}

function neighbourOf(page: number, low: number, high: number): number {
  return Math.min(high - 1, Math.max(low, page >= high ? high - 1 : low + 1));
}

function endsAbove(
  { entryBytes }: SectionKind,
  { data, start, count }: RunPage,
  target: Uint8Array,
): boolean {
  return compareBytes(data, start + (count - 1) * entryBytes, target, 0, target.length) > 0;
}
