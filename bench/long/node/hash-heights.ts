import type { BlockLog } from '../chain/block-log.ts';

const EMPTY = -1;

/** Finds the height of a block by its hash (internal byte order), in 8 bytes a block and less. */
export function createHashHeights(log: BlockLog): (hash: Uint8Array) => number | undefined {
  const count = log.lastHeight - log.firstHeight + 1;
  const places = 2 ** Math.ceil(Math.log2(count * 2));
  const heights = new Int32Array(places).fill(EMPTY);
  const placeOf = (hash: Uint8Array): number =>
    ((hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | (hash[3]! << 24)) >>> 0) % places;

  for (let height = log.firstHeight; height <= log.lastHeight; height++) {
    let place = placeOf(log.hashAt(height));
    while (heights[place] !== EMPTY) place = (place + 1) % places;
    heights[place] = height;
  }
  return (hash) => {
    for (let place = placeOf(hash); heights[place] !== EMPTY; place = (place + 1) % places) {
      if (Buffer.compare(log.hashAt(heights[place]!), hash) === 0) return heights[place];
    }
    return undefined;
  };
}
