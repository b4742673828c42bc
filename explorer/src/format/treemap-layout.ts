/** Where the rectangles of a treemap are. */

import { FEE_BANDS, feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';

export type Rect = { x: number; y: number; width: number; height: number };

/**
 * Divides a box among areas, as squarely as filling it row by row along its shorter side allows (Bruls, Huizing and van Wijk, 2000).
 *
 * @param areas whole numbers greater than 0, in any order
 * @returns a rectangle for each area, in the order of the areas
 */
export function layoutTreemap(areas: readonly number[], box: Rect): Rect[] {
  const rects = new Array<Rect>(areas.length);
  const order = [...areas.keys()].sort((a, b) => areas[b]! - areas[a]!);
  let unplaced = areas.reduce((sum, area) => sum + area, 0);
  let rest = box;
  for (let from = 0; from < order.length; ) {
    const scale = (rest.width * rest.height) / unplaced;
    const side = Math.min(rest.width, rest.height);
    const largest = areas[order[from]!]!;
    let sum = largest;
    let worst = worstRatio(largest, largest, sum, side, scale);
    let to = from + 1;
    for (; to < order.length; to++) {
      const area = areas[order[to]!]!;
      const next = worstRatio(largest, area, sum + area, side, scale);
      if (next > worst) break;
      sum += area;
      worst = next;
    }
    rest = placeRow(rects, order.slice(from, to), areas, sum, sum / unplaced, rest);
    unplaced -= sum;
    from = to;
  }
  return rects;
}

/** The length of the longest rectangle by its width in a row of this sum along this side. */
function worstRatio(largest: number, smallest: number, sum: number, side: number, scale: number): number {
  const ofRow = (side * side) / (sum * sum * scale);
  return Math.max(ofRow * largest, 1 / (ofRow * smallest));
}

/**
 * Places a row along the shorter side of a box.
 *
 * @param share of the box that the row takes
 * @returns what is left of the box
 */
function placeRow(
  rects: Rect[],
  row: readonly number[],
  areas: readonly number[],
  sum: number,
  share: number,
  { x, y, width, height }: Rect,
): Rect {
  const isUpright = width >= height;
  const thickness = share * (isUpright ? width : height);
  let along = 0;
  for (const index of row) {
    const part = (areas[index]! / sum) * (isUpright ? height : width);
    rects[index] = isUpright
      ? { x, y: y + along, width: thickness, height: part }
      : { x: x + along, y, width: part, height: thickness };
    along += part;
  }
  return isUpright
    ? { x: x + thickness, y, width: width - thickness, height }
    : { x, y: y + thickness, width, height: height - thickness };
}

/**
 * Lays out the transactions of a block: those of one fee band lie together.
 *
 * @returns a rectangle for each transaction, in their order
 */
export function layoutBlock(txs: readonly { vsize: number; rate: number }[], box: Rect): Rect[] {
  const byBand = FEE_BANDS.map((): number[] => []);
  for (const [index, { rate }] of txs.entries()) byBand[feeBandOf(rate)]!.push(index);
  const bands = byBand.filter((indices) => indices.length > 0);
  const sizes = bands.map((indices) => indices.map((index) => txs[index]!.vsize));
  const boxes = layoutTreemap(
    sizes.map((each) => each.reduce((sum, size) => sum + size, 0)),
    box,
  );
  const rects = new Array<Rect>(txs.length);
  for (const [band, indices] of bands.entries())
    for (const [i, rect] of layoutTreemap(sizes[band]!, boxes[band]!).entries()) rects[indices[i]!] = rect;
  return rects;
}

/** The rectangle that a point lies in; -1 where there is none. */
export function findRect(rects: readonly Rect[], x: number, y: number): number {
  return rects.findIndex(
    (rect) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height,
  );
}
