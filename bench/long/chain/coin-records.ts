/** An outpoint as it is spent: 32 bytes of txid and 4 of the output's number. */
export const OUTPOINT_BYTES = 36;

const CHUNK_BITS = 18;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;
const GONE = -1;

/**
 * Unspent outputs by number, in columns of 44 bytes an output: a chain of 100 million transactions has some 43 million
 * of them. Chunks are made when the first number of theirs is put, and may be given back.
 */
export type CoinRecords = {
  /** Keeps an output: the txid at `txids[at ..]`, its place in the transaction, its value in base units. */
  put(number: number, txids: Uint8Array, at: number, vout: number, value: number): void;
  /** Copies the output `from` of `source` here. */
  copyFrom(number: number, source: CoinRecords, from: number): void;
  /** The outpoint is written to `target`; returns the value. */
  read(number: number, target: Uint8Array, at: number): number;
  /** Marks an output as gone. */
  drop(number: number): void;
  isThere(number: number): boolean;
  /** Gives back the memory of numbers below; they must not be asked for any more. */
  releaseBelow(number: number): void;
};

/** Makes room for outputs; it grows as they come. */
export function createCoinRecords(): CoinRecords {
  const outpoints: Array<Uint8Array | undefined> = [];
  const values: Array<Float64Array | undefined> = [];
  const spare: Array<{ outpoints: Uint8Array; values: Float64Array }> = [];
  let released = 0;

  const reserve = (number: number): void => {
    const chunk = number >>> CHUNK_BITS;
    if (values[chunk]) return;
    const again = spare.pop();
    outpoints[chunk] = again?.outpoints ?? new Uint8Array(CHUNK * OUTPOINT_BYTES);
    values[chunk] = again?.values ?? new Float64Array(CHUNK);
  };

  return {
    put(number, txids, at, vout, value) {
      reserve(number);
      const bytes = outpoints[number >>> CHUNK_BITS]!;
      const to = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < 32; i++) bytes[to + i] = txids[at + i]!;
      bytes[to + 32] = vout;
      bytes[to + 33] = vout >>> 8;
      bytes[to + 34] = 0;
      bytes[to + 35] = 0;
      values[number >>> CHUNK_BITS]![number & MASK] = value;
    },
    copyFrom(number, source, from) {
      reserve(number);
      const value = source.read(from, outpoints[number >>> CHUNK_BITS]!, (number & MASK) * OUTPOINT_BYTES);
      values[number >>> CHUNK_BITS]![number & MASK] = value;
    },
    read(number, target, at) {
      const bytes = outpoints[number >>> CHUNK_BITS]!;
      const from = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < OUTPOINT_BYTES; i++) target[at + i] = bytes[from + i]!;
      return values[number >>> CHUNK_BITS]![number & MASK]!;
    },
    drop(number) {
      values[number >>> CHUNK_BITS]![number & MASK] = GONE;
    },
    isThere: (number) => values[number >>> CHUNK_BITS]![number & MASK]! !== GONE,
    releaseBelow(number) {
      for (; released < number >>> CHUNK_BITS; released++) {
        const [bytes, column] = [outpoints[released], values[released]];
        if (bytes && column) spare.push({ outpoints: bytes, values: column });
        outpoints[released] = undefined;
        values[released] = undefined;
      }
    },
  };
}
