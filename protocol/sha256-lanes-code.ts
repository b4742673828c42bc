/**
 * The WebAssembly behind `sha256-lanes.ts`: SHA-256 (FIPS 180-4) of four messages at once, one in each 32-bit lane of
 * 128-bit vectors. Written here as the functions that emit it, so that it can be read and nothing has to be built.
 *
 * It exports `memory` (one page) and `hash(base, blocks, twice)`: four padded messages of `blocks` blocks of 64 bytes lie
 * one after another from `base` on; their hashes, hashed once more when `twice` is 1, are left at {@link HASHES_AT}.
 */

/** Where the four hashes are, one after another. */
export const HASHES_AT = 384;
/** Where messages may begin. */
export const MESSAGES_AT = 512;

const CONSTANTS_AT = 0;
const STATE_AT = 256;

/** Instructions: bytes of WebAssembly. */
type Code = readonly number[];

/** Locals: the three parameters, the place of the constants, and vectors. */
const [BASE, BLOCKS, TWICE, LEFT, CONSTANTS] = [0, 1, 2, 3, 4] as const;
const vectors = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
const WORDS = vectors(5, 16);
const STATE = vectors(21, 8);
const [SUM, CHANGED, CHANGED_BEFORE] = [29, 30, 31] as const;
const SCRATCH = vectors(32, 8);
const VECTOR_LOCALS = WORDS.length + STATE.length + 3 + SCRATCH.length;

const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const int = (value: number): Code => [0x41, ...leb(value)];
const intAdd = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const intSubtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
const intMultiply = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
const intOr = (a: Code, b: Code): Code => [...a, ...b, 0x72];
const ifElse = (test: Code, then: Code, otherwise: Code): Code => [
  ...[...test, 0x04, 0x40, ...then, 0x05],
  ...[...otherwise, 0x0b],
];
const repeatWhile = (body: Code, test: Code): Code => [0x03, 0x40, ...body, ...test, 0x0d, 0x00, 0x0b];

const simd = (opcode: number, ...operands: Code[]): Code => [...operands.flat(), 0xfd, ...leb(opcode)];
const load = (address: Code, offset: number): Code => [...simd(0x00, address), 0, ...leb(offset)];
const loadSplat = (address: Code, offset: number): Code => [...simd(0x09, address), 2, ...leb(offset)];
const store = (address: Code, offset: number, value: Code): Code => [
  ...simd(0x0b, address, value),
  ...[0, ...leb(offset)],
];
const splat = (value: Code): Code => simd(0x11, value);
const and = (a: Code, b: Code): Code => simd(0x4e, a, b);
const or = (a: Code, b: Code): Code => simd(0x50, a, b);
const xor = (...all: Code[]): Code => all.reduce((a, b) => simd(0x51, a, b));
const add = (...all: Code[]): Code => all.reduce((a, b) => simd(0xae, a, b));
const shiftRight = (a: Code, bits: number): Code => simd(0xad, a, int(bits));
const rotate = (local: number, bits: number): Code =>
  or(shiftRight(get(local), bits), simd(0xab, get(local), int(32 - bits)));
/** Picks 16 bytes out of the 32 of two vectors. */
const shuffle = (a: number, b: number, bytes: readonly number[]): Code => [
  ...simd(0x0d, get(a), get(b)),
  ...bytes,
];
const words = (...picked: number[]): number[] =>
  picked.flatMap((word) => [0, 1, 2, 3].map((i) => word * 4 + i));
const REVERSED_WORDS = [0, 1, 2, 3].flatMap((word) => [3, 2, 1, 0].map((i) => word * 4 + i));

/** Turns four vectors of four words each by their diagonal; `target` may be `source`. */
function transpose(source: readonly number[], target: readonly number[]): Code {
  const [a, b, c, d] = source as [number, number, number, number];
  const [p, q, r, s] = SCRATCH.slice(4) as [number, number, number, number];
  return [
    ...set(p, shuffle(a, b, words(0, 4, 1, 5))),
    ...set(q, shuffle(a, b, words(2, 6, 3, 7))),
    ...set(r, shuffle(c, d, words(0, 4, 1, 5))),
    ...set(s, shuffle(c, d, words(2, 6, 3, 7))),
    ...set(target[0]!, shuffle(p, r, words(0, 1, 4, 5))),
    ...set(target[1]!, shuffle(p, r, words(2, 3, 6, 7))),
    ...set(target[2]!, shuffle(q, s, words(0, 1, 4, 5))),
    ...set(target[3]!, shuffle(q, s, words(2, 3, 6, 7))),
  ];
}

/** The words of the next block of each message: big-endian in memory, one message a lane in the vectors. */
function loadWords(): Code {
  const lanes = SCRATCH.slice(0, 4);
  const stride = intMultiply(get(BLOCKS), int(64));
  const address = (lane: number): Code => intAdd(get(BASE), intMultiply(stride, int(lane)));
  return [0, 1, 2, 3].flatMap((quarter) => [
    ...lanes.flatMap((local, lane) => set(local, load(address(lane), quarter * 16))),
    ...lanes.flatMap((local) => set(local, shuffle(local, local, REVERSED_WORDS))),
    ...transpose(lanes, WORDS.slice(quarter * 4, quarter * 4 + 4)),
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
      ...transpose(lanes, lanes),
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
  const [i32, v128] = [0x7f, 0x7b];
  const locals = [2, 2, i32, VECTOR_LOCALS, v128];
  const body = [...locals, ...hashFunction(), 0x0b];
  const table = [...new Uint8Array(constants.buffer, constants.byteOffset, constants.byteLength)];
  const name = (text: string): Code => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, i32, i32, i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('hash'), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
    ...section(11, [1, 0, ...int(CONSTANTS_AT), 0x0b, ...leb(table.length), ...table]),
  ]);
}

/** Signed LEB128, which reads the same unsigned where the value is not negative. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
