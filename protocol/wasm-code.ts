/** Instructions of WebAssembly, as functions that give their bytes: what the modules of this folder are written in. */

/** Instructions: bytes of WebAssembly. */
export type Code = readonly number[];

/** Types of values. */
export const types = { i32: 0x7f, v128: 0x7b } as const;

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
export const int = (value: number): Code => [0x41, ...leb(value)];
export const intAdd = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const intSubtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b];
export const intMultiply = (a: Code, b: Code): Code => [...a, ...b, 0x6c];
export const intOr = (a: Code, b: Code): Code => [...a, ...b, 0x72];
export const intAnd = (a: Code, b: Code): Code => [...a, ...b, 0x71];
export const intXor = (a: Code, b: Code): Code => [...a, ...b, 0x73];
/** Of numbers without a sign. */
export const intLess = (a: Code, b: Code): Code => [...a, ...b, 0x49];
/** To the right. */
export const intRotate = (a: Code, bits: number): Code => [...a, ...int(bits), 0x78];
export const intLoad = (address: Code, offset: number): Code => [...address, 0x28, 2, ...leb(offset)];
export const intStore = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...[...value, 0x36, 2, ...leb(offset)],
];
export const ifElse = (test: Code, then: Code, otherwise: Code): Code => [
  ...[...test, 0x04, 0x40, ...then, 0x05],
  ...[...otherwise, 0x0b],
];
export const repeatWhile = (body: Code, test: Code): Code => [0x03, 0x40, ...body, ...test, 0x0d, 0x00, 0x0b];

export const simd = (opcode: number, ...operands: Code[]): Code => [...operands.flat(), 0xfd, ...leb(opcode)];
export const load = (address: Code, offset: number): Code => [...simd(0x00, address), 0, ...leb(offset)];
export const loadSplat = (address: Code, offset: number): Code => [...simd(0x09, address), 2, ...leb(offset)];
export const store = (address: Code, offset: number, value: Code): Code => [
  ...simd(0x0b, address, value),
  ...[0, ...leb(offset)],
];
export const splat = (value: Code): Code => simd(0x11, value);
export const and = (a: Code, b: Code): Code => simd(0x4e, a, b);
export const or = (a: Code, b: Code): Code => simd(0x50, a, b);
export const xor = (...all: Code[]): Code => all.reduce((a, b) => simd(0x51, a, b));
export const add = (...all: Code[]): Code => all.reduce((a, b) => simd(0xae, a, b));
export const shiftRight = (a: Code, bits: number): Code => simd(0xad, a, int(bits));
export const rotate = (local: number, bits: number): Code =>
  or(shiftRight(get(local), bits), simd(0xab, get(local), int(32 - bits)));
/** Picks 16 bytes out of the 32 of two vectors. */
export const shuffle = (a: number, b: number, bytes: readonly number[]): Code => [
  ...simd(0x0d, get(a), get(b)),
  ...bytes,
];
export const words = (...picked: number[]): number[] =>
  picked.flatMap((word) => [0, 1, 2, 3].map((i) => word * 4 + i));
export const REVERSED_WORDS = [0, 1, 2, 3].flatMap((word) => [3, 2, 1, 0].map((i) => word * 4 + i));

/**
 * Turns four vectors of four words each by their diagonal; `target` may be `source`.
 *
 * @param scratch four locals more
 */
export function transpose(
  source: readonly number[],
  target: readonly number[],
  scratch: readonly number[],
): Code {
  const [a, b, c, d] = source as [number, number, number, number];
  const [p, q, r, s] = scratch as [number, number, number, number];
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

/**
 * A module with one function of numbers, `hash`, which gives nothing, and its `memory`.
 *
 * @param parts.parameters how many numbers it takes
 * @param parts.locals their declarations
 * @param parts.pages of its memory, 64 KiB each
 * @param parts.data what its memory begins with
 */
export function emitModule({
  parameters,
  locals,
  code,
  pages,
  data,
}: {
  parameters: number;
  locals: Code;
  code: Code;
  pages: number;
  data: { at: number; bytes: Uint8Array };
}): Uint8Array<ArrayBuffer> {
  const body = [...locals, ...code, 0x0b];
  const name = (text: string): Code => [text.length, ...new TextEncoder().encode(text)];
  const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content];
  const takes = Array.from({ length: parameters }, () => types.i32);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, parameters, ...takes, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('hash'), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
    ...section(11, [1, 0, ...int(data.at), 0x0b, ...leb(data.bytes.length), ...data.bytes]),
  ]);
}

/** The bytes of numbers as they lie in memory. */
export const toBytes = ({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Signed LEB128, which reads the same unsigned where the value is not negative. */
export function leb(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
