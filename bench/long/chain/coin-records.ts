/** An outpoint as it is spent: 32 bytes of txid and 4 of the output's number. */
export const OUTPOINT_BYTES = 36;

const CHUNK_BITS = 18;
const CHUNK = 1 << CHUNK_BITS;
const MASK = CHUNK - 1;
const GONE = -1;

/** An unspent output without its outpoint: base units, and the number of whom it pays (see payees.ts). */
export type Coin = { value: number; payee: number };

/**
 * Unspent outputs by number, in columns of 48 bytes an output: a chain of 100 million transactions has some 43 million
 * of them. Chunks are made when the first number of theirs is put, and may be given back.
 */
export type CoinRecords = {
  /** Keeps an output of the transaction whose txid lies at `txids[at ..]`. */
  put(number: number, txids: Uint8Array, at: number, vout: number, coin: Coin): void;
  /** Copies the output `from` of `source` here. */
  copyFrom(number: number, source: CoinRecords, from: number): void;
  /** The outpoint is written to `target`; what is returned is valid until the next one is read. */
  read(number: number, target: Uint8Array, at: number): Coin;
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
  const payees: Array<Uint32Array | undefined> = [];
  const spare: Array<{ outpoints: Uint8Array; values: Float64Array; payees: Uint32Array }> = [];
  const found: Coin = { value: 0, payee: 0 };
  let released = 0;

  const reserve = (number: number): void => {
    const chunk = number >>> CHUNK_BITS;
    if (values[chunk]) return;
    const again = spare.pop();
    outpoints[chunk] = again?.outpoints ?? new Uint8Array(CHUNK * OUTPOINT_BYTES);
    values[chunk] = again?.values ?? new Float64Array(CHUNK);
    payees[chunk] = again?.payees ?? new Uint32Array(CHUNK);
  };
  const setCoin = (number: number, { value, payee }: Coin): void => {
    values[number >>> CHUNK_BITS]![number & MASK] = value;
    payees[number >>> CHUNK_BITS]![number & MASK] = payee;
  };

  return {
    put(number, txids, at, vout, coin) {
      reserve(number);
      const bytes = outpoints[number >>> CHUNK_BITS]!;
      const to = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < 32; i++) bytes[to + i] = txids[at + i]!;
      bytes[to + 32] = vout;
      bytes[to + 33] = vout >>> 8;
      bytes[to + 34] = 0;
      bytes[to + 35] = 0;
      setCoin(number, coin);
    },
    copyFrom(number, source, from) {
      reserve(number);
      const outpoint = (number & MASK) * OUTPOINT_BYTES;
      setCoin(number, source.read(from, outpoints[number >>> CHUNK_BITS]!, outpoint));
    },
    read(number, target, at) {
      const bytes = outpoints[number >>> CHUNK_BITS]!;
      const from = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < OUTPOINT_BYTES; i++) target[at + i] = bytes[from + i]!;
      found.value = values[number >>> CHUNK_BITS]![number & MASK]!;
      found.payee = payees[number >>> CHUNK_BITS]![number & MASK]!;
      return found;
    },
    drop(number) {
      values[number >>> CHUNK_BITS]![number & MASK] = GONE;
    },
    isThere: (number) => values[number >>> CHUNK_BITS]![number & MASK]! !== GONE,
    releaseBelow(number) {
      for (; released < number >>> CHUNK_BITS; released++) {
        const chunk = [outpoints[released], values[released], payees[released]] as const;
        if (chunk[0] && chunk[1] && chunk[2]) {
          spare.push({ outpoints: chunk[0], values: chunk[1], payees: chunk[2] });
        }
        outpoints[released] = undefined;
        values[released] = undefined;
        payees[released] = undefined;
      }
    },
  };
}
