/**
 * The WebAssembly behind `sha256-lanes.ts`: SHA-256 (FIPS 180-4) of four messages at once, one in each 32-bit lane of
 * 128-bit vectors. Written here as the functions that emit it, so that it can be read and nothing has to be built.
 *
 * It exports `memory` (one page) and `hash(base, blocks, twice)`: four padded messages of `blocks` blocks of 64 bytes lie
 * one after another from `base` on; their hashes, hashed once more when `twice` is 1, are left at {@link HASHES_AT}.
 */

import {
  add,
  and,
  type Code,
  emitModule,
  get,
  ifElse,
  int,
  intAdd,
  intMultiply,
  intOr,
  intSubtract,
  load,
  loadSplat,
  REVERSED_WORDS,
  repeatWhile,
  rotate,
  set,
  shiftRight,
  shuffle,
  splat,
  store,
  toBytes,
  transpose,
  types,
  xor,
} from './wasm-code.ts';

/** Where the four hashes are, one after another. */
export const HASHES_AT = 384;
/** Where messages may begin. */
export const MESSAGES_AT = 512;

const CONSTANTS_AT = 0;
const STATE_AT = 256;

/** Locals: the three parameters, the place of the constants, and vectors. */
const [BASE, BLOCKS, TWICE, LEFT, CONSTANTS] = [0, 1, 2, 3, 4] as const;
const vectors = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const WORDS = vectors(5, 16);
const STATE = vectors(21, 8);
const [SUM, CHANGED, CHANGED_BEFORE] = [29, 30, 31] as const;
const SCRATCH = vectors(32, 8);
const VECTOR_LOCALS = WORDS.length + STATE.length + 3 + SCRATCH.length;

/** The words of the next block of each message: big-endian in memory, one message a lane in the vectors. */
function loadWords(): Code {
  const lanes = SCRATCH.slice(0, 4);
  const stride = intMultiply(get(BLOCKS), int(64));
  const address = (lane: number): Code => intAdd(get(BASE), intMultiply(stride, int(lane)));
  return [0, 1, 2, 3].flatMap((quarter) => [
    ...lanes.flatMap((local, lane) => set(local, load(address(lane), quarter * 16))),
    ...lanes.flatMap((local) => set(local, shuffle(local, local, REVERSED_WORDS))),
    ...transpose(lanes, WORDS.slice(quarter * 4, quarter * 4 + 4), SCRATCH.slice(4)),
  ]);
}

/** The hash so far as the one block of another message. */
function wordsOfState(): Code {
  return WORDS.flatMap((local, i) => {
    if (i < 8) return set(local, load(int(STATE_AT), i * 16));
    return set(local, splat(int(i === 8 ? 0x80000000 | 0 : i === 15 ? 256 : 0)));
  });
}

const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

const resetState = (): Code =>
  INITIAL.flatMap((word, i) => store(int(STATE_AT), i * 16, splat(int(word | 0))));

/** Sixteen rounds; after them each local is its own again. */
function rounds(withSchedule: boolean): Code {
  return WORDS.flatMap((word, i) => {
    const at = (place: number): number => STATE[(place + 16 - i) % 8]!;
    const [a, b, d, e, f, g, h] = [at(0), at(1), at(3), at(4), at(5), at(6), at(7)];
    const changed = i % 2 === 0 ? CHANGED : CHANGED_BEFORE;
    const before = i % 2 === 0 ? CHANGED_BEFORE : CHANGED;
    const code: number[] = [];
    if (withSchedule) code.push(...extendWord(i));
    code.push(
      ...set(
        SUM,
        add(
          get(h),
          xor(rotate(e, 6), rotate(e, 11), rotate(e, 25)),
          xor(get(g), and(get(e), xor(get(f), get(g)))),
          add(loadSplat(get(CONSTANTS), CONSTANTS_AT + i * 4), get(word)),
        ),
      ),
      ...set(d, add(get(d), get(SUM))),
      // maj(a, b, c) is b ^ ((a ^ b) & (b ^ c)), and b ^ c was a ^ b a round ago.
      ...set(changed, xor(get(a), get(b))),
      ...set(
        h,
        add(
          get(SUM),
          xor(rotate(a, 2), rotate(a, 13), rotate(a, 22)),
          xor(get(b), and(get(changed), get(before))),
        ),
      ),
    );
    return code;
  });
}

function extendWord(i: number): Code {
  const [w1, w9, w14] = [1, 9, 14].map((distance) => WORDS[(i + distance) % 16]!) as [number, number, number];
  const sigma0 = xor(rotate(w1, 7), rotate(w1, 18), shiftRight(get(w1), 3));
  const sigma1 = xor(rotate(w14, 17), rotate(w14, 19), shiftRight(get(w14), 10));
  return set(WORDS[i]!, add(get(WORDS[i]!), sigma0, get(w9), sigma1));
}

/** One block into the state. */
function compress(): Code {
  return [
    ...STATE.flatMap((local, i) => set(local, load(int(STATE_AT), i * 16))),
    ...set(CHANGED_BEFORE, xor(get(STATE[1]!), get(STATE[2]!))),
    ...set(CONSTANTS, int(0)),
    ...rounds(false),
    ...repeatWhile(
      [...set(CONSTANTS, intAdd(get(CONSTANTS), int(64))), ...rounds(true)],
      intSubtract(get(CONSTANTS), int(192)),
    ),
    ...STATE.flatMap((local, i) =>
      store(int(STATE_AT), i * 16, add(get(local), load(int(STATE_AT), i * 16))),
    ),
  ];
}

function storeHashes(): Code {
  return [0, 4].flatMap((first) => {
    const lanes = SCRATCH.slice(0, 4);
    return [
      ...lanes.flatMap((local, i) => set(local, load(int(STATE_AT), (first + i) * 16))),
      ...transpose(lanes, lanes, SCRATCH.slice(4)),
      ...lanes.flatMap((local, lane) =>
        store(int(HASHES_AT), lane * 32 + first * 4, shuffle(local, local, REVERSED_WORDS)),
      ),
    ];
  });
}

function hashFunction(): Code {
  return [
    ...set(LEFT, get(BLOCKS)),
    ...resetState(),
    ...repeatWhile(
      [
        ...ifElse(
          get(LEFT),
          [
            ...loadWords(),
            ...set(BASE, intAdd(get(BASE), int(64))),
            ...set(LEFT, intSubtract(get(LEFT), int(1))),
          ],
          [...wordsOfState(), ...resetState(), ...set(TWICE, int(0))],
        ),
        ...compress(),
      ],
      intOr(get(LEFT), get(TWICE)),
    ),
    ...storeHashes(),
  ];
}

/** @param constants the 64 round constants of the standard */
export function emitHashModule(constants: Int32Array): Uint8Array<ArrayBuffer> {
  return emitModule({
    parameters: 3,
    locals: [2, 2, types.i32, VECTOR_LOCALS, types.v128],
    code: hashFunction(),
    pages: 1,
    data: { at: CONSTANTS_AT, bytes: toBytes(constants) },
  });
}
