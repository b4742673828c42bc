/** Prefixes and their numbers in sorted arrays, one for each length: a table of the whole internet takes some 16 MB. */

export type PrefixMap = {
  /** How many prefixes it has. */
  readonly size: number;
  /** Adds a prefix; false when bits behind its length are set. */
  add(prefix: Prefix, asn: number): boolean;
  /** Ends adding; a prefix that was added twice with different numbers is told. */
  finish(): string | undefined;
  /** The number of the longest prefix with the address; undefined without one, and for number 0. */
  find(address: Omit<Prefix, 'bits'>): number | undefined;
};

/** The first 64 bits of an address, as two numbers; of IPv4 all 32, and then zeros. */
export type Prefix = { family: 4 | 6; high: number; low: number; bits: number };

type Rows = { high: number[]; low: number[]; numbers: number[] };
type Sorted = { bits: number; high: Uint32Array; low: Uint32Array; numbers: Uint32Array };

const WORD = 32;

/** Creates an empty one. */
export function createPrefixMap(): PrefixMap {
  const rows = { 4: new Map<number, Rows>(), 6: new Map<number, Rows>() };
  const sorted: Record<4 | 6, Sorted[]> = { 4: [], 6: [] };
  let size = 0;
  return {
    get size() {
      return size;
    },
    add({ family, high, low, bits }, asn) {
      if (maskHigh(high, bits) !== high || maskLow(low, bits) !== low) return false;
      const found = rows[family].get(bits);
      const ofLength = found ?? { high: [], low: [], numbers: [] };
      if (found === undefined) rows[family].set(bits, ofLength);
      ofLength.high.push(high);
      ofLength.low.push(low);
      ofLength.numbers.push(asn);
      size += 1;
      return true;
    },
    finish() {
      for (const family of [4, 6] as const) {
        for (const [bits, given] of [...rows[family]].sort(([a], [b]) => b - a)) {
          rows[family].delete(bits);
          const ofLength = sortRows(given, bits);
          const twice = findContradiction(ofLength);
          if (twice !== undefined) return describe({ ...twice, family, bits });
          sorted[family].push(ofLength);
        }
      }
      return undefined;
    },
    find({ family, high, low }) {
      for (const ofLength of sorted[family]) {
        const at = search(ofLength, maskHigh(high, ofLength.bits), maskLow(low, ofLength.bits));
        if (at !== undefined) return ofLength.numbers[at] === 0 ? undefined : ofLength.numbers[at];
      }
      return undefined;
    },
  };
}

/** A shift by 32 is none in this language. */
function maskHigh(high: number, bits: number): number {
  if (bits >= WORD) return high;
  return bits === 0 ? 0 : ((high >>> (WORD - bits)) << (WORD - bits)) >>> 0;
}

function maskLow(low: number, bits: number): number {
  return bits <= WORD ? 0 : maskHigh(low, bits - WORD);
}

function sortRows(given: Rows, bits: number): Sorted {
  const high = Uint32Array.from(given.high);
  const low = Uint32Array.from(given.low);
  const compare = (a: number, b: number): number => high[a]! - high[b]! || low[a]! - low[b]!;
  // Published tables are in order, and sorting would take as long as reading them.
  if (high.every((_, i) => i === 0 || compare(i - 1, i) <= 0))
    return { bits, high, low, numbers: Uint32Array.from(given.numbers) };
  const order = Uint32Array.from(high.keys()).sort(compare);
  return {
    bits,
    high: order.map((i) => high[i]!),
    low: order.map((i) => low[i]!),
    numbers: order.map((i) => given.numbers[i]!),
  };
}

function findContradiction({ high, low, numbers }: Sorted): { high: number; low: number } | undefined {
  for (let i = 1; i < high.length; i++) {
    if (high[i] === high[i - 1] && low[i] === low[i - 1] && numbers[i] !== numbers[i - 1])
      return { high: high[i]!, low: low[i]! };
  }
  return undefined;
}

function search({ high, low }: Sorted, wantedHigh: number, wantedLow: number): number | undefined {
  let from = 0;
  let to = high.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const order = high[middle]! - wantedHigh || low[middle]! - wantedLow;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return high[from] === wantedHigh && low[from] === wantedLow ? from : undefined;
}

function describe({ family, high, low, bits }: Prefix): string {
  if (family === 4) return `${[24, 16, 8, 0].map((shift) => (high >>> shift) & 0xff).join('.')}/${bits}`;
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].map((group) => group.toString(16));
  return `${groups.join(':')}::/${bits}`;
}
