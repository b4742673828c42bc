/** Cuts a stream of bytes into lines of bounded length. */

const NEWLINE = 0x0a;

export type LineReader = {
  /** @returns false for a line that is too long: nothing more may be given to it */
  read(chunk: Buffer): boolean;
  /** Bytes of the line that has begun. */
  readonly held: number;
};

/** @param onLine is given each line that is not empty, without its end */
export function createLineReader(maxBytes: number, onLine: (line: string) => void): LineReader {
  let parts: Buffer[] = [];
  let held = 0;

  const finish = (last: Buffer): void => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    held = 0;
    const text = line.toString('utf8');
    if (text.trim() !== '') onLine(text);
  };

  return {
    get held() {
      return held;
    },
    read(chunk) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from);
        if (end < 0) break;
        if (held + end - from > maxBytes) return false;
        finish(chunk.subarray(from, end));
        from = end + 1;
      }
      const rest = chunk.length - from;
      if (held + rest > maxBytes) return false;
      if (rest > 0) {
        // A copy: what is left of a large chunk must not hold all of it.
        parts.push(Buffer.from(chunk.subarray(from)));
        held += rest;
      }
      return true;
    },
  };
}
