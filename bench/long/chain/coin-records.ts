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

type Chunk = { outpoints: Uint8Array; values: Float64Array; payees: Uint32Array };

/** Makes room for outputs; it grows as they come. */
export function createCoinRecords(): CoinRecords {
  const chunks: Array<Chunk | undefined> = [];
  const spare: Chunk[] = [];
  const found: Coin = { value: 0, payee: 0 };
  let released = 0;

  const makeChunk = (): Chunk => ({
    outpoints: new Uint8Array(CHUNK * OUTPOINT_BYTES),
    values: new Float64Array(CHUNK),
    payees: new Uint32Array(CHUNK),
  });
  const chunkOf = (number: number): Chunk => chunks[number >>> CHUNK_BITS]!;
  const reserve = (number: number): Chunk => (chunks[number >>> CHUNK_BITS] ??= spare.pop() ?? makeChunk());
  const setCoin = ({ values, payees }: Chunk, number: number, { value, payee }: Coin): void => {
    values[number & MASK] = value;
    payees[number & MASK] = payee;
  };

  return {
    put(number, txids, at, vout, coin) {
      const chunk = reserve(number);
      const { outpoints } = chunk;
      const to = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < 32; i++) outpoints[to + i] = txids[at + i]!;
      outpoints[to + 32] = vout;
      outpoints[to + 33] = vout >>> 8;
      outpoints[to + 34] = 0;
      outpoints[to + 35] = 0;
      setCoin(chunk, number, coin);
    },
    copyFrom(number, source, from) {
      const chunk = reserve(number);
      setCoin(chunk, number, source.read(from, chunk.outpoints, (number & MASK) * OUTPOINT_BYTES));
    },
    read(number, target, at) {
      const { outpoints, values, payees } = chunkOf(number);
      const from = (number & MASK) * OUTPOINT_BYTES;
      for (let i = 0; i < OUTPOINT_BYTES; i++) target[at + i] = outpoints[from + i]!;
      found.value = values[number & MASK]!;
      found.payee = payees[number & MASK]!;
      return found;
    },
    drop(number) {
      chunkOf(number).values[number & MASK] = GONE;
    },
    isThere: (number) => chunkOf(number).values[number & MASK]! !== GONE,
    releaseBelow(number) {
      for (; released < number >>> CHUNK_BITS; released++) {
        const chunk = chunks[released];
        if (chunk) spare.push(chunk);
        chunks[released] = undefined;
      }
    },
  };
}
