import { EMPTY_PAGE, type KeyEntries, mergeKeyPage, pageOfKey } from './key-page.ts';
import { sortAscending } from './sort-order.ts';

/** Keys by the page they belong to: `order` has their positions, `pages` names the pages and `start` says where each begins. */
export type PageOrder = { order: Uint32Array; pages: number[]; start: number[] };

/** Puts keys in the order of their pages; those of one page keep theirs. */
export function orderByPage(keys: ArrayLike<number>, pages: number): PageOrder {
  const count = keys.length;
  const indexFactor = 2 ** Math.ceil(Math.log2(count + 2));
  // Page and position in one number: sorting numbers is several times as fast as sorting by a comparison.
  const packed = new Float64Array(count);
  for (let i = 0; i < count; i++) packed[i] = pageOfKey(keys[i]!, pages) * indexFactor + i;
  sortAscending(packed);
  const ordered: PageOrder = { order: new Uint32Array(count), pages: [], start: [] };
  let last = -1;
  for (let at = 0; at < count; at++) {
    const page = Math.floor(packed[at]! / indexFactor);
    ordered.order[at] = packed[at]! & (indexFactor - 1);
    if (page === last) continue;
    ordered.pages.push(page);
    ordered.start.push(at);
    last = page;
  }
  ordered.start.push(count);
  return ordered;
}

/** Entries in the order of their pages, each page's ascending; `pages` names them and `start` where each begins. */
export type GroupedEntries = { keys: Float64Array; ids: Float64Array; pages: number[]; start: number[] };

/** Groups entries by the page they belong to. */
export function groupByPage({ keys, ids }: KeyEntries, pages: number): GroupedEntries {
  const { order, ...places } = orderByPage(keys, pages);
  const grouped = { keys: new Float64Array(order.length), ids: new Float64Array(order.length), ...places };
  for (let at = 0; at < order.length; at++) {
    grouped.keys[at] = keys[order[at]!]!;
    grouped.ids[at] = ids[order[at]!]!;
  }
  for (let i = 0; i < grouped.pages.length; i++)
    sortEntries(grouped, grouped.start[i]!, grouped.start[i + 1]!);
  return grouped;
}

/** The pages that the entries make by themselves. */
export function buildPages(entries: KeyEntries, pages: number): Map<number, Uint8Array> {
  const grouped = groupByPage(entries, pages);
  return new Map(
    grouped.pages.map((page, i) => [
      page,
      mergeKeyPage(EMPTY_PAGE, grouped, grouped.start[i]!, grouped.start[i + 1]!),
    ]),
  );
}

/** A page gets few entries at a time, and often in order, unless somebody has made them for it. */
const FEW = 256;

function sortEntries(grouped: GroupedEntries, from: number, to: number): void {
  if (to - from <= FEW) {
    insertEntries(grouped, from, to);
    return;
  }
  const keys = grouped.keys.slice(from, to);
  const ids = grouped.ids.slice(from, to);
  const order = Array.from(keys, (_, i) => i).sort((a, b) => keys[a]! - keys[b]! || ids[a]! - ids[b]!);
  for (const [i, source] of order.entries()) {
    grouped.keys[from + i] = keys[source]!;
    grouped.ids[from + i] = ids[source]!;
  }
}

/** Insertion sort. */
function insertEntries({ keys, ids }: GroupedEntries, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i]!;
    const id = ids[i]!;
    let at = i;
    while (at > from && (keys[at - 1]! > key || (keys[at - 1] === key && ids[at - 1]! > id))) {
      keys[at] = keys[at - 1]!;
      ids[at] = ids[at - 1]!;
      at--;
    }
    keys[at] = key;
    ids[at] = id;
  }
}
