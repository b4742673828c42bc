/** The richest scripts of a chain, and how many have how much. */

/** One script. Base units. */
export type RankedBalance = { key: string; balance: bigint; coins: number };

/** Scripts whose balance has so many digits, in base units: from 10^(digits - 1) to below 10^digits. */
export type BalanceBand = { digits: number; scripts: number; balance: bigint };

/** What {@link createRanking} makes of all scripts. */
export type Ranking = {
  scripts: number;
  balance: bigint;
  /** From the least digits that any has to the most; bands that are empty in between included. */
  bands: readonly BalanceBand[];
  /** The richest, richest first; of equals the one whose key is lower comes first. */
  richest: readonly RankedBalance[];
};

/** A list as it is kept and shown. `hash` is that of the block at `height`, as of which all of it is true. */
export type RichList = Omit<Ranking, 'richest'> & {
  height: number;
  hash: Uint8Array;
  madeAtMs: number;
  richest: readonly RichScript[];
};

/** One script of the list; the address is null for scripts that have none. */
export type RichScript = {
  scriptHash: string;
  scriptType: string;
  address: string | null;
  balance: bigint;
  coins: number;
};

/** Scripts that a list names. */
export const RICHEST = 1_000;

/** Collects balances, of which it keeps twice as many as it names. */
export function createRanking(most: number = RICHEST): {
  add(key: string, balance: bigint, coins: number): void;
  finish(): Ranking;
} {
  let candidates: RankedBalance[] = [];
  /** Who has less is not among the richest. */
  let least = 0n;
  let scripts = 0;
  const bands = new Map<number, BalanceBand>();
  const cut = (): void => {
    candidates.sort((a, b) =>
      a.balance === b.balance ? (a.key < b.key ? -1 : 1) : a.balance > b.balance ? -1 : 1,
    );
    candidates = candidates.slice(0, most);
    if (candidates.length === most) least = candidates.at(-1)!.balance;
  };
  return {
    add(key, balance, coins) {
      scripts += 1;
      const digits = countDigits(balance);
      const band = bands.get(digits) ?? { digits, scripts: 0, balance: 0n };
      band.scripts += 1;
      band.balance += balance;
      bands.set(digits, band);
      if (balance < least) return;
      candidates.push({ key, balance, coins });
      if (candidates.length >= 2 * most) cut();
    },
    finish() {
      cut();
      const all = [...bands.values()];
      const [low, high] = [Math.min(...bands.keys()), Math.max(...bands.keys())];
      return {
        scripts,
        balance: all.reduce((sum, { balance }) => sum + balance, 0n),
        bands:
          all.length === 0
            ? []
            : Array.from(
                { length: high - low + 1 },
                (_, i) => bands.get(low + i) ?? { digits: low + i, scripts: 0, balance: 0n },
              ),
        richest: candidates,
      };
    },
  };
}

/** What the richest so many have in all. */
export function sumRichest(richest: readonly { balance: bigint }[], count: number): bigint {
  return richest.slice(0, count).reduce((sum, { balance }) => sum + balance, 0n);
}

/** A share in millionths, rounded down; 0 of nothing. */
export function sharePpm(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole);
}

const powers = Array.from({ length: 39 }, (_, i) => 10n ** BigInt(i));

function countDigits(balance: bigint): number {
  let digits = 1;
  while (balance >= powers[digits]!) digits += 1;
  return digits;
}
