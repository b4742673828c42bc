/** Paths of tiles (C2SP `tlog-tiles`): pieces of 256 hashes of a log's tree, which never change once they are whole. */

/** Levels of the tree in a tile, and hashes of a whole one. */
export const TILE_LEVELS = 8;
export const TILE_WIDTH = 256;

/** A tile; of `entries` it is what the leaves of a tile of level 0 are hashed of. */
export type Tile = { level: number | 'entries'; index: number; width: number };

const MAX_LEVEL = 63;

/** How many hashes a log of so many entries has at a level of tiles. */
export function hashesAtLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** Where a tile is, below `tile/`. */
export function writeTilePath({ level, index, width }: Tile): string {
  const digits = String(index).padStart(3, '0');
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/.{3}/g)!;
  const path = groups.map((group, i) => (i === groups.length - 1 ? group : `x${group}`)).join('/');
  return `${level}/${path}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Reads such a path; undefined for what is none, or is written in another way. */
export function parseTilePath(path: string): Tile | undefined {
  const match = /^(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/){0,4}[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/.exec(
    path,
  );
  if (match === null) return undefined;
  const [, levelText, indexText, widthText] = match;
  const level = levelText === 'entries' ? levelText : Number(levelText);
  const tile: Tile = {
    level,
    index: Number(indexText!.replace(/[x/]/g, '')),
    width: widthText === undefined ? TILE_WIDTH : Number(widthText),
  };
  const isGood = level === 'entries' || level <= MAX_LEVEL;
  return isGood && writeTilePath(tile) === path ? tile : undefined;
}
