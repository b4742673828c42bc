/** How replacements are kept in the table `meta`: one row a transaction that was replaced, one for each that replaced some. */

/** A transaction of the mempool that another one took the place of. Txids in internal byte order, hex. */
export type ReplacementRow = {
  txid: string;
  /** The transaction that has its place. */
  by: string;
  /** Whether both spend the same output; otherwise it built on one that was replaced. */
  isDirect: boolean;
  atMs: number;
  /** What was replaced: its fee in base units, and its weight. */
  fee: bigint;
  weight: number;
};

/** Txids that the row of a transaction lists: nodes let no transaction replace more. */
export const MOST_REPLACED = 100;

const REPLACED = 'replaced ';
const REPLACES = 'replaces ';

/** All rows of transactions that were replaced, as a pattern of `like`. */
export const REPLACED_PATTERN = `${REPLACED}%`;

/** The key of a transaction that was replaced. */
export function replacedKey(txid: string): string {
  return REPLACED + txid;
}

/** The key of one that replaced others; its row has their txids. */
export function replacesKey(txid: string): string {
  return REPLACES + txid;
}

/** The row of {@link replacedKey}. */
export function encodeReplacement({ by, isDirect, atMs, fee, weight }: ReplacementRow): string {
  return JSON.stringify([by, isDirect, atMs, String(fee), weight]);
}

/** Reads {@link encodeReplacement}. */
export function decodeReplacement(key: string, value: string): ReplacementRow {
  const [by, isDirect, atMs, fee, weight] = JSON.parse(value) as [string, boolean, number, string, number];
  return { txid: key.slice(REPLACED.length), by, isDirect, atMs, fee: BigInt(fee), weight };
}

/** The row of {@link replacesKey}. */
export function encodeReplaced(txids: Iterable<string>): string {
  return [...txids].slice(0, MOST_REPLACED).join(' ');
}

/** Reads {@link encodeReplaced}. */
export function decodeReplaced(value: string): string[] {
  return value.split(' ');
}
