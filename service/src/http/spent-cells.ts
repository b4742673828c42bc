/**
 * What networks have spent, in a fixed number of cells: no table of names that somebody could fill, nothing that is put out
 * to make room, so nobody is forgotten early and nobody comes too late.
 *
 * Each network has one cell in each of three rows, by a keyed hash, and what it has spent is the least of the three (a count-min
 * sketch with conservative update: too little only where another of a cell gives back). Somebody else is in the way of a newcomer only where all three cells
 * are used up: if all that a busy process can serve in a minute, a million units at the default limit, went to fill
 * cells, that were one newcomer in half a million. Whoever chooses its addresses cannot aim at the cells of others, since the
 * key is the service's own.
 */

import { randomBytes } from 'node:crypto';
import { hashShortMessage } from '@coinfront/protocol/sha256-short.ts';

const CELLS_OF_ROW = 2 ** 18;
const KEY_BYTES = 16;
const MAX_NAME_BYTES = 64;

/** Where the cells of a network are, one a row. */
export type CellPlace = readonly [number, number, number];

/** Units by network. */
export type SpentCells = {
  locate(name: string): CellPlace;
  /** What the network at a place has spent. */
  read(place: CellPlace): number;
  /** Adds to what it has spent, up to `most`; what is below zero is given back. */
  add(place: CellPlace, units: number, most: number): void;
  /** Takes so many from everybody; nobody has less than nothing. */
  refill(units: number): void;
};

/**
 * Creates cells that are all empty: 6 MiB.
 *
 * @param key what names are hashed with, 16 bytes: the same in processes that tell each other what was spent
 */
export function createSpentCells(key: Uint8Array = randomBytes(KEY_BYTES)): SpentCells {
  const rows = [1, 2, 3].map(() => new Float64Array(CELLS_OF_ROW)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const [first, second, third] = rows;
  const message = new Uint8Array(KEY_BYTES + MAX_NAME_BYTES);
  message.set(key.subarray(0, KEY_BYTES));
  const nameBytes = Buffer.from(message.buffer, KEY_BYTES);
  const hash = new Uint8Array(32);
  const words = new Uint32Array(hash.buffer);

  /** All that was taken from everybody so far. A cell holds what was spent beyond it, so nothing is swept. */
  let refilled = 0;

  const read = ([a, b, c]: CellPlace): number =>
    Math.max(0, Math.min(first[a]!, second[b]!, third[c]!) - refilled);

  return {
    locate(name) {
      const length = KEY_BYTES + nameBytes.write(name, 0, MAX_NAME_BYTES, 'latin1');
      hashShortMessage(message, 0, length, hash, 0);
      return [words[0]! % CELLS_OF_ROW, words[1]! % CELLS_OF_ROW, words[2]! % CELLS_OF_ROW];
    },
    read,
    add(place, units, most) {
      const after = refilled + Math.max(0, Math.min(read(place) + units, most));
      // What others have put into a cell beyond it stays theirs.
      place.forEach((cell, row) => {
        const before = rows[row]![cell]!;
        rows[row]![cell] = units < 0 ? Math.max(refilled, before + units) : Math.max(before, after);
      });
    },
    refill(units) {
      refilled += units;
    },
  };
}
