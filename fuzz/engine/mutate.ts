import type { Random } from './random.ts';

/** What inputs are made of. */
export type Material = {
  /** Inputs to begin with; at least one. */
  readonly corpus: readonly Uint8Array[];
  /** Lists of pieces that the format knows; a list is chosen first, so a short one counts as much as a long one. */
  readonly words: readonly (readonly Uint8Array[])[];
  readonly maxBytes: number;
};

/** Ends of ranges, of one byte and more. */
const EDGES = [0, 1, 0x7f, 0x80, 0xfd, 0xfe, 0xff, 0x100, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff];
const NOTHING = new Uint8Array(0);

/** A new input: one of the corpus with one to eight changes. */
export function mutate(material: Material, random: Random): Uint8Array {
  const { corpus, maxBytes } = material;
  // What was found last leads on more often than what was known before.
  const from = random.below(4) === 0 ? Math.max(0, corpus.length - 32) : 0;
  let bytes: Uint8Array = Uint8Array.from(corpus[from + random.below(corpus.length - from)]!);
  const changes = 1 + random.below(random.pick([1, 2, 4, 8]));
  for (let i = 0; i < changes; i++) bytes = change(bytes, material, random);
  return bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes;
}

function change(bytes: Uint8Array, { corpus, words }: Material, random: Random): Uint8Array {
  const at = random.below(bytes.length + 1);
  const put = (piece: Uint8Array): Uint8Array => {
    const isOver = random.below(2) === 0;
    return splice(bytes, at, isOver ? Math.min(bytes.length - at, piece.length) : 0, piece);
  };
  switch (random.below(10)) {
    case 0:
      return setByte(bytes, at, (byte) => byte ^ (1 << random.below(8)));
    case 1:
      return setByte(bytes, at, () => random.below(256));
    case 2:
      return setByte(bytes, at, (byte) => byte + random.pick([-1, 1, 16, -16]));
    case 3:
      return splice(bytes, at, 0, randomBytes(1 + random.below(8), random));
    case 4: {
      const length = 1 + random.below(random.pick([2, 16, 256]));
      return splice(bytes, at, Math.min(bytes.length - at, length), NOTHING);
    }
    case 5:
      return put(pieceOf(bytes, random.pick([4, 40, 400]), random));
    case 6:
      return put(pieceOf(random.pick(corpus), random.pick([8, 64, 512]), random));
    case 7:
      return put(integer(random.pick(EDGES), random.pick([1, 2, 4, 8]), random.below(2) === 0));
    default: {
      const list = words.length === 0 ? [] : random.pick(words);
      return list.length === 0 ? bytes : put(random.pick(list));
    }
  }
}

function setByte(bytes: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  if (at < bytes.length) bytes[at] = change(bytes[at]!);
  return bytes;
}

function splice(bytes: Uint8Array, at: number, remove: number, piece: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length - remove + piece.length);
  result.set(bytes.subarray(0, at), 0);
  result.set(piece, at);
  result.set(bytes.subarray(at + remove), at + piece.length);
  return result;
}

function pieceOf(bytes: Uint8Array, most: number, random: Random): Uint8Array {
  const from = random.below(bytes.length + 1);
  return bytes.slice(from, from + 1 + random.below(most));
}

function randomBytes(length: number, random: Random): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

function integer(value: number, length: number, isLittleEndian: boolean): Uint8Array {
  const bytes = Uint8Array.from({ length }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
  return isLittleEndian ? bytes : bytes.reverse();
}
