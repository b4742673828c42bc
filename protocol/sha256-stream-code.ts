/**
 * The WebAssembly behind `sha256-stream.ts`: SHA-256 (FIPS 180-4) of one long message. The schedules of four blocks are computed at
 * once, one in each 32-bit lane of 128-bit vectors, for they depend on nothing but the message; the rounds, of which each needs the
 * one before, follow block by block in plain numbers.
 *
 * It exports `memory` and `hash(blocks)`: so many blocks of 64 bytes lie from {@link DATA_AT} on, and are taken into the state, eight
 * words at {@link STATE_AT}.
 */

import {
  add,
  type Code,
  emitModule,
  get,
  int,
  intAdd,
  intAnd,
  intLess,
  intLoad,
  intRotate,
  intStore,
  intSubtract,
  intXor,
  load,
  loadSplat,
  REVERSED_WORDS,
  repeatWhile,
  rotate,
  set,
  shiftRight,
  shuffle,
  store,
  toBytes,
  transpose,
  types,
  xor,
} from './wasm-code.ts';

const CONSTANTS_AT = 0;
/** Where the eight words of the state are. */
export const STATE_AT = 256;
const SCHEDULE_AT = 512;
/** Where the message lies; a few blocks behind it are read, too, and not counted. */
export const DATA_AT = 2_048;
/** Bytes that are hashed at once: few enough to stay near the processor. */
export const DATA_BYTES = 32_768;

const PAGES = 1;
const LANES = 4;
const BLOCK_BYTES = 64;
/** Schedules of four blocks: 64 words each, those of the same place beside one another. */
const ROW_BYTES = 4 * LANES;
const SIXTEEN_ROWS = 16 * ROW_BYTES;

const locals = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
/** Numbers: blocks that are left, where the next four begin, constants and rows of the schedule, and the lane. */
const [LEFT, AT, CONSTANTS, ROW, ROWS_END] = [0, 1, 2, 3, 4] as const;
const STATE = locals(5, 8);
const [SUM, CHANGED, CHANGED_BEFORE, LANE] = [13, 14, 15, 16] as const;
const NUMBERS = 16;
const WORDS = locals(17, 16);
const SCRATCH = locals(33, 8);

/** The words of the next block of each lane: big-endian in memory. */
function loadWords(): Code {
  const lanes = SCRATCH.slice(0, LANES);
  return [0, 1, 2, 3].flatMap((quarter) => [
    ...lanes.flatMap((local, lane) => set(local, load(get(AT), lane * BLOCK_BYTES + quarter * 16))),
    ...lanes.flatMap((local) => set(local, shuffle(local, local, REVERSED_WORDS))),
    ...transpose(lanes, WORDS.slice(quarter * 4, quarter * 4 + 4), SCRATCH.slice(LANES)),
  ]);
}

/** Words of the schedule with the constants of their rounds. */
const storeWord = (i: number): Code =>
  store(
    get(ROW),
    SCHEDULE_AT + i * ROW_BYTES,
    add(get(WORDS[i]!), loadSplat(get(CONSTANTS), CONSTANTS_AT + i * 4)),
  );

function extendWord(i: number): Code {
  const [w1, w9, w14] = [1, 9, 14].map((distance) => WORDS[(i + distance) % 16]!) as [number, number, number];
  const sigma0 = xor(rotate(w1, 7), rotate(w1, 18), shiftRight(get(w1), 3));
  const sigma1 = xor(rotate(w14, 17), rotate(w14, 19), shiftRight(get(w14), 10));
  return set(WORDS[i]!, add(get(WORDS[i]!), sigma0, get(w9), sigma1));
}

function schedule(): Code {
  return [
    ...loadWords(),
    ...set(CONSTANTS, int(0)),
    ...set(ROW, int(0)),
    ...WORDS.flatMap((_, i) => storeWord(i)),
    ...repeatWhile(
      [
        ...set(CONSTANTS, intAdd(get(CONSTANTS), int(64))),
        ...set(ROW, intAdd(get(ROW), int(SIXTEEN_ROWS))),
        ...WORDS.flatMap((_, i) => [...extendWord(i), ...storeWord(i)]),
      ],
      intSubtract(get(CONSTANTS), int(192)),
    ),
  ];
}

/** The three rotations of a word, combined. */
function rotations(local: number, first: number, second: number, third: number): Code {
  return intXor(
    intXor(intRotate(get(local), first), intRotate(get(local), second)),
    intRotate(get(local), third),
  );
}

/** Sixteen rounds; after them each local is its own again. */
function rounds(): Code {
  return locals(0, 16).flatMap((i) => {
    const at = (place: number): number => STATE[(place + 16 - i) % 8]!;
    const [a, b, d, e, f, g, h] = [at(0), at(1), at(3), at(4), at(5), at(6), at(7)];
    const changed = i % 2 === 0 ? CHANGED : CHANGED_BEFORE;
    const before = i % 2 === 0 ? CHANGED_BEFORE : CHANGED;
    return [
      ...set(
        SUM,
        intAdd(
          intAdd(intAdd(get(h), intLoad(get(ROW), SCHEDULE_AT + i * ROW_BYTES)), rotations(e, 6, 11, 25)),
          intXor(get(g), intAnd(get(e), intXor(get(f), get(g)))),
        ),
      ),
      ...set(d, intAdd(get(d), get(SUM))),
      // maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and b ^ c was a ^ b a round ago.
      ...set(changed, intXor(get(a), get(b))),
      ...set(
        h,
        intAdd(intAdd(get(SUM), intXor(get(b), intAnd(get(changed), get(before)))), rotations(a, 2, 13, 22)),
      ),
    ];
  });
}

/** One block, whose schedule is in the present lane, into the state. */
function compress(): Code {
  return [
    ...STATE.flatMap((local, i) => set(local, intLoad(int(STATE_AT), i * 4))),
    ...set(CHANGED_BEFORE, intXor(get(STATE[1]!), get(STATE[2]!))),
    ...set(ROW, get(LANE)),
    ...set(ROWS_END, intAdd(get(LANE), int(4 * SIXTEEN_ROWS))),
    ...repeatWhile(
      [...rounds(), ...set(ROW, intAdd(get(ROW), int(SIXTEEN_ROWS)))],
      intSubtract(get(ROW), get(ROWS_END)),
    ),
    ...STATE.flatMap((local, i) =>
      intStore(int(STATE_AT), i * 4, intAdd(get(local), intLoad(int(STATE_AT), i * 4))),
    ),
  ];
}

function hashFunction(): Code {
  return [
    ...set(AT, int(DATA_AT)),
    ...repeatWhile(
      [
        ...schedule(),
        ...set(LANE, int(0)),
        ...repeatWhile(
          [
            ...compress(),
            ...set(LEFT, intSubtract(get(LEFT), int(1))),
            ...set(LANE, intAdd(get(LANE), int(4))),
          ],
          intAnd(intLess(get(LANE), int(ROW_BYTES)), intLess(int(0), get(LEFT))),
        ),
        ...set(AT, intAdd(get(AT), int(LANES * BLOCK_BYTES))),
      ],
      get(LEFT),
    ),
  ];
}

/** @param constants the 64 round constants of the standard */
export function emitStreamModule(constants: Int32Array): Uint8Array<ArrayBuffer> {
  return emitModule({
    parameters: 1,
    locals: [2, NUMBERS, types.i32, WORDS.length + SCRATCH.length, types.v128],
    code: hashFunction(),
    pages: PAGES,
    data: { at: CONSTANTS_AT, bytes: toBytes(constants) },
  });
}
