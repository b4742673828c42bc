import { flip, toHex } from './bytes.ts';
import type { Client } from './client.ts';
import type { Compared } from './compare.ts';
import { expectSame } from './difference.ts';
import type { Tip } from './ledger.ts';
import { type Json, listNew } from './list-new.ts';
import { type Coin, readAmount } from './profile.ts';
import { type Movement, movementKey, type Treasury } from './treasury.ts';
import { checkSeal, type Seal } from './treasury-seal.ts';

/** Compares the public ledger of a treasury with the movements that the chain tells: `docs/treasury.md`. */
export type BookChecker = {
  check(tip: Tip): Promise<Compared>;
  /** Entries that were read. */
  entries(): number;
  /** Those of them whose seals were checked: all but the newest, which may have none yet. */
  seals(): number;
};

type Entry = {
  readonly sequence: number;
  readonly kind: string;
  readonly amount: bigint;
  readonly balance: bigint;
  readonly txid: string;
  readonly vout: number | null;
  readonly height: number;
  readonly reverses: number | null;
  /** As the ledger shows it: what it is sealed by is checked in the order of entries. */
  readonly item: Json;
};

type Kept = Omit<Entry, 'item'>;

const BASE = '/api/treasury';
const GIFTS = ['contribution', 'unattributed'];

/** @param client - asks the base of a service */
export function createBookChecker(client: Client, coin: Coin, treasury: Treasury): BookChecker {
  /** All entries, by sequence less one. They are never changed. */
  const entries: Kept[] = [];
  /** Entries that no reversal took back, by what they are of. */
  const standing = new Map<string, Kept>();
  /** Those of the first entries: what is not sealed yet is read again. */
  const seals: Seal[] = [];

  const read = (item: Json): Entry => ({
    ...{ sequence: item.sequence, kind: item.kind, txid: item.txid, vout: item.vout, height: item.height },
    amount: readAmount(item.amount, coin.decimals),
    balance: readAmount(item.balance, coin.decimals),
    reverses: item.reverses,
    item,
  });

  function add({ item, ...entry }: Entry, sequence: number, height: number): void {
    const at = `entry ${sequence} of the treasury's ledger`;
    const known = entries[sequence - 1];
    expectSame(height, `sequence of ${at}`, sequence, entry.sequence);
    if (known) expectSame(height, at, describe(known), describe(entry));
    const before = seals[sequence - 2];
    const seal = checkSeal(item, before, toHex(flip(coin.genesisHash)), height);
    if (seal) seals.push(seal);
    if (!known) keep(entry, height);
  }

  /** An entry follows from the one before it. */
  function keep(entry: Kept, height: number): void {
    const before = entries.at(-1);
    const sequence = (before?.sequence ?? 0) + 1;
    const at = `entry ${sequence} of the treasury's ledger`;
    expectSame(height, `sequence of ${at}`, sequence, entry.sequence);
    expectSame(height, `balance of ${at}`, (before?.balance ?? 0n) + entry.amount, entry.balance);
    entries.push(entry);
    // The operator's words on a spend: they move nothing.
    if (entry.kind === 'note') {
      expectSame(height, `amount of ${at}`, 0n, entry.amount);
      return;
    }
    if (entry.kind !== 'reversal') {
      const key = keyOf(entry);
      const twin = standing.get(key)?.sequence;
      expectSame(height, `entry that stands of ${key} before ${at}`, undefined, twin);
      standing.set(key, entry);
      return;
    }
    const reversed = entries[(entry.reverses ?? 0) - 1];
    expectSame(height, `amount of ${at}`, reversed && -reversed.amount, entry.amount);
    expectSame(height, `what ${at} takes back`, reversed?.txid, entry.txid);
    expectSame(
      height,
      `whether ${at} takes back what stands`,
      true,
      standing.get(keyOf(reversed!)) === reversed,
    );
    standing.delete(keyOf(reversed!));
  }

  return {
    entries: () => entries.length,
    seals: () => seals.length,
    async check({ height, hash }) {
      const last = entries[seals.length - 1];
      const news = await listNew(client, `${BASE}/ledger`, {
        isKnown: (item) => item.sequence === last?.sequence,
        read,
      });
      // A service whose coin has a treasury may have no ledger of it.
      if (news === undefined) return 'same';
      if (last) {
        const known = news.known && describe(read(news.known));
        expectSame(height, `entry ${last.sequence} of the treasury's ledger`, describe(last), known);
      }
      let sequence = seals.length;
      for (const entry of news.items) add(entry, ++sequence, height);
      const gone = entries[sequence];
      if (gone)
        expectSame(height, `entry ${gone.sequence} of the treasury's ledger`, describe(gone), undefined);
      if (news.first.as_of?.hash !== toHex(flip(hash))) return 'moved';
      // Which addresses an account has is not worked out here.
      if (!coin.treasury?.isWhole) return 'same';
      const wanted = new Map(treasury.listMovements());
      const sum = [...wanted.values()].reduce((total, { amount }) => total + amount, 0n);
      for (const [key, movement] of sortByHeight(wanted)) {
        const entry = standing.get(key);
        expectSame(
          movement.height,
          `movement ${key} of the treasury`,
          describe(movement),
          entry && describe(entry),
        );
      }
      for (const [key, entry] of sortByHeight(standing)) {
        const movement = wanted.get(key);
        expectSame(
          entry.height,
          `movement ${key} of the treasury`,
          movement && describe(movement),
          describe(entry),
        );
      }
      expectSame(height, 'balance of the treasury', sum, entries.at(-1)?.balance ?? 0n);
      return 'same';
    },
  };
}

function keyOf({ kind, txid, vout }: Kept): string {
  return movementKey(txid, vout ?? kind);
}

/** What chain and ledger must say alike. Whose a gift is, the chain does not tell. */
function describe({ kind, amount, height }: Kept | Movement): string {
  return `${GIFTS.includes(kind) ? 'gift' : kind} of ${amount} base units at ${height}`;
}

/** The first difference is told of: the lowest. */
function sortByHeight<T extends { readonly height: number }>(items: Map<string, T>): [string, T][] {
  return [...items].sort(([, a], [, b]) => a.height - b.height);
}
