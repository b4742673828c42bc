import { expect, test } from 'vitest';
import { flip, fromHex } from './bytes.ts';
import type { Client } from './client.ts';
import type { Json } from './list-new.ts';
import { readCoin } from './profile.ts';
import { readProfile } from './testing/vectors.ts';
import type { Movement } from './treasury.ts';
import { createBookChecker } from './treasury-book.ts';

const coin = readCoin(readProfile('regtest'));
const TXID = 'aa'.repeat(32);
const TIP = '0b'.repeat(32);
type Draft = { kind: string; amount: bigint; vout?: number | null; reverses?: number | null };

/** A ledger of these entries, not sealed, newest first as a service serves it. */
function serve(drafts: readonly Draft[]): Client {
  let balance = 0n;
  const write = (units: bigint) => {
    const text = String(units < 0n ? -units : units).padStart(9, '0');
    return `${units < 0n ? '-' : ''}${text.slice(0, -8)}.${text.slice(-8)}`;
  };
  const items: Json[] = drafts.map(({ kind, amount, vout = 0, reverses = null }, i) => {
    balance += amount;
    return {
      ...{ sequence: i + 1, kind, amount: write(amount), balance: write(balance) },
      ...{ txid: TXID, vout, height: 5, reverses, seal: null },
    };
  });
  const page = { as_of: { height: 9, hash: TIP }, items: items.reverse(), next_cursor: null };
  return { bytes: async () => undefined, text: async () => undefined, json: async () => page };
}

function check(drafts: readonly Draft[], movements: readonly Movement[]) {
  const listMovements = () => new Map(movements.map((each) => [`${each.txid}:${each.vout}`, each])).entries();
  const checker = createBookChecker(serve(drafts), coin, { apply: () => undefined, listMovements });
  return checker.check({ height: 9, hash: flip(fromHex(TIP)), hashes: {} });
}

const gift: Movement = { kind: 'gift', amount: 500n, txid: TXID, vout: 0, height: 5 };
const entry: Draft = { kind: 'unattributed', amount: 500n };
const assigned: Draft[] = [
  entry,
  { kind: 'reversal', amount: -500n, reverses: 1 },
  { kind: 'contribution', amount: 500n },
];

test('books that say each movement once are those of the chain, whoever the gift is credited to', async () => {
  expect(await check([entry], [gift])).toBe('same');
  expect(await check(assigned, [gift])).toBe('same');
});

test('an output that is entered twice is found, though each entry is like the movement of the chain', async () => {
  await expect(check([entry, entry], [gift])).rejects.toThrow(`${TXID}:0`);
  await expect(check([...assigned, entry], [gift])).rejects.toThrow(`${TXID}:0`);
});

test('a reversal of no entry is found', async () => {
  await expect(check([entry, { kind: 'reversal', amount: -500n, reverses: 0 }], [gift])).rejects.toThrow();
});
