/** Cuts a stream of bytes into lines of bounded length. */

const NEWLINE = 0x0a;
/** What JSON takes for space, and is not the end of a line. */
const BLANKS = [0x20, 0x09, 0x0d];
/** What `hasMoreParts` counts in a text. */
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const MARKS = [COMMA, BRACKET, BRACE];
/** Marks of a piece that are looked for one by one. */
const FEW_MARKS = 64;
/** Bytes of a piece that is joined with others. */
const SMALL_PIECE = 16_384;

/** What is taken of a line. */
export type LineLimits = {
  readonly bytes: number;
  /** Commas and brackets. */
  readonly parts: number;
};

/** Who is told of lines. */
export type LineTaker = {
  /** Each line that has more than spaces, without its end. */
  take(line: string): void;
  /** The end of a line that has more parts than are taken, and was not kept; its bytes. */
  refuse(bytes: number): void;
  /** So many lines without more than spaces; their bytes. */
  skip(lines: number, bytes: number): void;
};

export type LineReader = {
  /** @returns false for a line that is too long: nothing more may be given to it */
  read(chunk: Buffer): boolean;
  /** Bytes that have come of the line that has begun. */
  readonly held: number;
};

/** A line that comes in several pieces is kept only while it has no more parts than are taken: others are not put together. */
export function createLineReader(limits: LineLimits, { take, refuse, skip }: LineTaker): LineReader {
  let pieces: Buffer[] = [];
  let held = 0;
  let parts = 0;

  const finish = (last: Buffer): void => {
    const bytes = held + last.length;
    const isRefused = parts > limits.parts;
    const line = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    held = 0;
    parts = 0;
    if (isRefused) {
      refuse(bytes);
      return;
    }
    if (isBlank(line)) skip(1, bytes);
    else take(line.toString('utf8'));
  };

  /** Lines without more than spaces are passed over together. @returns where the first other one begins */
  const passBlank = (chunk: Buffer, from: number): number => {
    let lines = 0;
    let next = from;
    for (let at = from; at < chunk.length && isSpace(chunk[at]!); at++) {
      if (chunk[at] !== NEWLINE) continue;
      lines++;
      next = at + 1;
    }
    if (lines > 0) skip(lines, next - from);
    return next;
  };

  const keep = (piece: Buffer, isWhole: boolean): void => {
    held += piece.length;
    parts += countParts(piece, limits.parts - parts);
    if (parts > limits.parts) pieces = [];
    // A copy: what is left of a large chunk must not hold all of it.
    else addPiece(pieces, isWhole ? piece : Buffer.from(piece));
  };

  return {
    get held() {
      return held;
    },
    read(chunk) {
      let from = 0;
      for (;;) {
        if (held === 0) from = passBlank(chunk, from);
        const end = chunk.indexOf(NEWLINE, from);
        if (end < 0) break;
        if (held + end - from > limits.bytes) return false;
        finish(chunk.subarray(from, end));
        from = end + 1;
      }
      const rest = chunk.length - from;
      if (held + rest > limits.bytes) return false;
      if (rest > 0) keep(chunk.subarray(from), from === 0);
      return true;
    },
  };
}

/**
 * Adds to the pieces of a line. Small ones are joined by twos, so that who sends each byte by itself costs no more memory than others:
 * a piece takes a hundred bytes beside its own.
 */
export function addPiece(pieces: Buffer[], added: Buffer): void {
  let piece = added;
  for (;;) {
    const before = pieces.at(-1);
    if (before === undefined || before.length >= SMALL_PIECE || before.length > 2 * piece.length) break;
    pieces.pop();
    piece = Buffer.concat([before, piece]);
  }
  pieces.push(piece);
}

/** Whether there is nothing but spaces. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isSpace);
}

function isSpace(byte: number): boolean {
  return byte === NEWLINE || BLANKS.includes(byte);
}

/** Counts commas and brackets, and no further than one above `most`. */
function countParts(bytes: Buffer, most: number): number {
  // Most long messages are hex: the engine passes over that in a fraction of the time that a look at each byte takes. A call of it for
  // each mark takes nine times as long as a look where there is one beside the other.
  let parts = 0;
  for (const mark of MARKS) {
    let found = 0;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      if (++found > FEW_MARKS) return countEach(bytes, most);
    }
    parts += found;
  }
  return parts;
}

function countEach(bytes: Buffer, most: number): number {
  let parts = 0;
  for (let at = 0; at < bytes.length && parts <= most; at++) {
    const byte = bytes[at]!;
    if (byte === COMMA || byte === BRACKET || byte === BRACE) parts++;
  }
  return parts;
}
