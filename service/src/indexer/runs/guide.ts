/**
 * What is in memory of where the pages of a section begin: the places of the first entries of every `step`th of them. With all of them a page is
 * found without reading another.
 */
export type Guide = { readonly places: Uint32Array; readonly step: number };

/**
 * Of what more pages begin with, some are left out: 2 MB, the guide of 2 GB of pages. A chain of any length has only some sections of this size.
 */
const MOST_PLACES = 2 ** 19;

/**
 * Opens a guide.
 * @param bytes little-endian, of every `step`th page
 */
export function openGuide(bytes: Uint8Array<ArrayBuffer>, step: number, mostPlaces = MOST_PLACES): Guide {
  const all = new Uint32Array(bytes.buffer);
  const every = Math.ceil(all.length / mostPlaces);
  if (every <= 1) return { places: all, step };
  return {
    places: Uint32Array.from({ length: Math.ceil(all.length / every) }, (_, i) => all[i * every]!),
    step: step * every,
  };
}

/** The pages among which an entry is searched, `low .. high - 1`, beginning with `probe`. */
export type Stretch = {
  readonly low: number;
  readonly high: number;
  readonly probe: number;
  /** Whether pages begin with the very place that is searched: how its entries are spread over them is not known. */
  readonly isAlike: boolean;
};

/**
 * Where the last page lies of which the first entry is not above an entry.
 *
 * @param place of the entry
 * @param pages of the section
 * @param end of what begins alike, at which the entry is
 */
export function narrow(
  { places, step }: Guide,
  place: number,
  pages: number,
  end: 'first' | 'last' | 'unknown',
): Stretch {
  const notBelow = findNotBelow(places, place);
  const above = findNotBelow(places, place + 1);
  const low = Math.max(0, notBelow - 1) * step;
  const high = Math.max(1, Math.min(pages, above * step));
  if (above > notBelow) {
    const probe = end === 'first' ? low : end === 'last' ? high - 1 : (low + high) >> 1;
    return { low, high, probe, isAlike: true };
  }
  const from = places[low / step]!;
  const to = places[above] ?? 2 ** 32;
  const share = place > from ? (place - from) / (to - from) : 0;
  return { low, high, probe: Math.min(high - 1, low + Math.floor(share * (high - low))), isAlike: false };
}

/** The first of ascending places that is not below one, or how many there are. */
function findNotBelow(places: Uint32Array, place: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! >= place) high = middle;
    else low = middle + 1;
  }
  return low;
}
