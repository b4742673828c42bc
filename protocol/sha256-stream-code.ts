/**
 * The WebAssembly behind `sha256-stream.ts`: SHA-256 (FIPS 180-4) of one long message. Schedules of four blocks are computed at once, one
 * in each 32-bit lane of 128-bit vectors, for they depend on nothing but the message; the rounds, of which each needs the one before, follow
 * block by block in plain numbers. Both stand in one loop: while rounds wait for one another, the processor computes the schedules of the
 * next four blocks.
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

/** Where the eight words of the state are. */
export const STATE_AT = 0;
const LANES = 4;
const BLOCK_BYTES = 64;
/** A row has the words of the same place in the schedules of four blocks. */
const ROW_BYTES = 4 * LANES;
const SIXTEEN_ROWS = 16 * ROW_BYTES;
const SCHEDULE_BYTES = 64 * ROW_BYTES;
/** Two of each of these: for the four blocks whose rounds are computed, and for the next four. */
const WORDS_AT = 1_024;
/** Rows of words with the constants of their rounds. */
const SUMS_AT = WORDS_AT + 2 * SCHEDULE_BYTES;
/** Rows of constants, the same in all lanes, so that they are found where the words are. */
const CONSTANTS_AT = SUMS_AT + 2 * SCHEDULE_BYTES;
/** Where the message lies; a few blocks behind it are read, too, and not counted. */
export const DATA_AT = CONSTANTS_AT + 2 * SCHEDULE_BYTES;
/** Bytes that are hashed at once: few enough to stay near the processor. */
export const DATA_BYTES = 32_768;
const PAGES = 1;

/** Sixteen words of a schedule are the message, and the other 48 follow in the 256 rounds of four blocks: three in sixteen rounds. */
const WORDS_IN_SIXTEEN_ROUNDS = 3;
const ROUNDS_FOR_A_WORD = 5;

const locals = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
/** Numbers: blocks that are left, where the next four begin, the place in the schedules that are used, and in those that are made. */
const [LEFT, AT, ROW, NEXT_ROW] = [0, 1, 2, 3] as const;
const STATE = locals(4, 8);
const [SUM, CHANGED, CHANGED_BEFORE] = [12, 13, 14] as const;
const NUMBERS = 14;
const VECTORS = locals(15, 12);

const storeWord = (word: number, i: number): Code => [
  ...store(get(NEXT_ROW), WORDS_AT + i * ROW_BYTES, get(word)),
  ...store(
    get(NEXT_ROW),
    SUMS_AT + i * ROW_BYTES,
    add(get(word), load(get(NEXT_ROW), CONSTANTS_AT + i * ROW_BYTES)),
  ),
];

/** The first sixteen words of four schedules: big-endian in memory. */
function loadWords(): Code {
  const lanes = VECTORS.slice(0, 4);
  const words = VECTORS.slice(4, 8);
  return [0, 1, 2, 3].flatMap((quarter) => [
    ...lanes.flatMap((local, lane) => set(local, load(get(AT), lane * BLOCK_BYTES + quarter * 16))),
    ...lanes.flatMap((local) => set(local, shuffle(local, local, REVERSED_WORDS))),
    ...transpose(lanes, words, VECTORS.slice(8)),
    ...words.flatMap((word, i) => storeWord(word, quarter * 4 + i)),
  ]);
}

/** The word that is `i` rows further. */
function extendWord(i: number): Code {
  const [early, late, sum] = VECTORS as [number, number, number];
  const made = VECTORS.slice(3);
  const wordBefore = (distance: number): Code => load(get(NEXT_ROW), WORDS_AT + (i - distance) * ROW_BYTES);
  const sigma0 = xor(rotate(early, 7), rotate(early, 18), shiftRight(get(early), 3));
  const sigma1 = xor(rotate(late, 17), rotate(late, 19), shiftRight(get(late), 10));
  return [
    ...set(early, wordBefore(15)),
    ...set(sum, add(wordBefore(16), wordBefore(7), sigma0)),
    ...set(late, i < 2 ? wordBefore(2) : get(made[i - 2]!)),
    ...set(made[i]!, add(get(sum), sigma1)),
    ...storeWord(made[i]!, i),
  ];
}

const extendWords = (): Code[] => locals(0, WORDS_IN_SIXTEEN_ROUNDS).map(extendWord);
const skipExtended = (): Code =>
  set(NEXT_ROW, intAdd(get(NEXT_ROW), int(WORDS_IN_SIXTEEN_ROUNDS * ROW_BYTES)));

/** The three rotations of a word, combined. */
function rotations(local: number, first: number, second: number, third: number): Code {
  return intXor(
    intXor(intRotate(get(local), first), intRotate(get(local), second)),
    intRotate(get(local), third),
  );
}

/** After sixteen of them each local is its own again. The order of sums is that in which their parts are ready. */
function round(i: number): Code {
  const at = (place: number): number => STATE[(place + 16 - i) % 8]!;
  const [a, b, d, e, f, g, h] = [at(0), at(1), at(3), at(4), at(5), at(6), at(7)];
  const changed = i % 2 === 0 ? CHANGED : CHANGED_BEFORE;
  const before = i % 2 === 0 ? CHANGED_BEFORE : CHANGED;
  const choice = intXor(intAnd(intXor(get(f), get(g)), get(e)), get(g));
  const word = intLoad(get(ROW), SUMS_AT + i * ROW_BYTES);
  // maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and b ^ c was a ^ b a round ago.
  const majority = intXor(get(b), intAnd(get(changed), get(before)));
  return [
    ...set(SUM, intAdd(intAdd(intAdd(get(h), word), choice), rotations(e, 6, 11, 25))),
    ...set(d, intAdd(get(d), get(SUM))),
    ...set(changed, intXor(get(a), get(b))),
    ...set(h, intAdd(intAdd(get(SUM), majority), rotations(a, 2, 13, 22))),
  ];
}

/** Sixteen rounds of this block, and between them words of the next ones. */
function rounds(): Code {
  const words = extendWords();
  return locals(0, 16).flatMap((i) => [
    ...(i % ROUNDS_FOR_A_WORD === 0 ? (words[i / ROUNDS_FOR_A_WORD] ?? []) : []),
    ...round(i),
  ]);
}

/** One block, whose schedule is in the lane that ROW points to, into the state. */
function compress(): Code {
  return [
    ...STATE.flatMap((local, i) => set(local, intLoad(int(STATE_AT), i * 4))),
    ...set(CHANGED_BEFORE, intXor(get(STATE[1]!), get(STATE[2]!))),
    ...repeatWhile(
      [...rounds(), ...skipExtended(), ...set(ROW, intAdd(get(ROW), int(SIXTEEN_ROWS)))],
      intAnd(get(ROW), int(SCHEDULE_BYTES - ROW_BYTES)),
    ),
    ...STATE.flatMap((local, i) =>
      intStore(int(STATE_AT), i * 4, intAdd(get(local), intLoad(int(STATE_AT), i * 4))),
    ),
  ];
}

/** The schedules of the first four blocks, which no rounds hide. */
function beginSchedules(): Code {
  return [
    ...loadWords(),
    ...set(NEXT_ROW, int(SIXTEEN_ROWS)),
    ...repeatWhile(
      [...extendWords().flat(), ...skipExtended()],
      intSubtract(get(NEXT_ROW), int(SCHEDULE_BYTES)),
    ),
  ];
}

/** Four blocks, or those that are left, while the schedules of the next four are made. */
function hashFourBlocks(): Code {
  return [
    ...set(AT, intAdd(get(AT), int(LANES * BLOCK_BYTES))),
    ...loadWords(),
    ...set(NEXT_ROW, intAdd(get(NEXT_ROW), int(SIXTEEN_ROWS))),
    ...repeatWhile(
      [
        ...compress(),
        ...set(LEFT, intSubtract(get(LEFT), int(1))),
        ...set(ROW, intAdd(intSubtract(get(ROW), int(SCHEDULE_BYTES)), int(4))),
      ],
      intAnd(intLess(int(0), intAnd(get(ROW), int(ROW_BYTES - 1))), intLess(int(0), get(LEFT))),
    ),
    ...set(ROW, intXor(intSubtract(get(ROW), int(ROW_BYTES)), int(SCHEDULE_BYTES))),
    ...set(NEXT_ROW, intAnd(get(NEXT_ROW), int(SCHEDULE_BYTES))),
  ];
}

function hashFunction(): Code {
  return [
    ...set(AT, int(DATA_AT)),
    ...set(ROW, int(0)),
    ...set(NEXT_ROW, int(0)),
    ...beginSchedules(),
    ...repeatWhile(hashFourBlocks(), get(LEFT)),
  ];
}

/** @param constants the 64 round constants of the standard */
export function emitStreamModule(constants: Int32Array): Uint8Array<ArrayBuffer> {
  const rows = [...constants, ...constants].flatMap((constant) => Array<number>(LANES).fill(constant));
  return emitModule({
    parameters: 1,
    locals: [2, NUMBERS, types.i32, VECTORS.length, types.v128],
    code: hashFunction(),
    pages: PAGES,
    data: { at: CONSTANTS_AT, bytes: toBytes(Int32Array.from(rows)) },
  });
}
