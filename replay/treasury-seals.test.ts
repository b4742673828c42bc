import { expect, test } from 'vitest';
import { flip, fromHex } from './bytes.ts';
import type { Client } from './client.ts';
import type { Json } from './list-new.ts';
import { readCoin } from './profile.ts';
import { readProfile, readVectors } from './testing/vectors.ts';
import { createBookChecker } from './treasury-book.ts';

const TIP = '0b'.repeat(32);
const { network, entries } = readVectors('treasury').ledger;
/** The entries of the vectors; of a coin whose treasury is not worked out here. */
const sealed: Json[] = entries.map(({ entry, seal }: Json) => ({ ...entry, seal }));
const coin = {
  ...readCoin(readProfile('regtest')),
  genesisHash: flip(fromHex(network)),
  treasury: undefined,
};
const bare = (item: Json): Json => ({ ...item, seal: null });

/** A ledger that is asked once for each list, the last one again and again. */
function open(...lists: Json[][]) {
  const page = (items: Json[]) => ({ as_of: { hash: TIP }, items: [...items].reverse(), next_cursor: null });
  const client: Client = {
    bytes: async () => undefined,
    text: async () => undefined,
    json: async () => page(lists.length > 1 ? lists.shift()! : lists[0]!),
  };
  const treasury = { apply: () => undefined, listMovements: () => new Map().entries() };
  const book = createBookChecker(client, coin, treasury);
  return {
    book,
    async look() {
      await book.check({ height: 9, hash: flip(fromHex(TIP)), hashes: {} });
      return [book.entries(), book.seals()];
    },
  };
}

test('every seal of a ledger is checked, and counted', async () => {
  expect(await open(sealed).look()).toEqual([entries.length, entries.length]);
});

test('entries without a seal are the newest: one below a sealed entry is found', async () => {
  const newest = sealed.map((item, i) => (i < 2 ? item : bare(item)));
  expect(await open(newest).look()).toEqual([entries.length, 2]);
  const below = sealed.map((item, i) => (i === 1 ? bare(item) : item));
  await expect(open(below).look()).rejects.toThrow('seal');
});

test('entries that had no seal are read again, and have the seal that follows', async () => {
  const young = sealed.map((item, i) => (i < 2 ? item : bare(item)));
  const { look } = open(young, sealed);
  expect(await look()).toEqual([entries.length, 2]);
  expect(await look()).toEqual([entries.length, entries.length]);
  const forged = sealed.with(2, { ...sealed[2], amount: '0.00000001' });
  const other = open(young, forged);
  await other.look();
  await expect(other.look()).rejects.toThrow('entry 3');
});

test('entries that are gone are found, though none of them was sealed', async () => {
  const young = sealed.map(bare);
  const { look } = open(young, young.slice(0, -1));
  await look();
  await expect(look()).rejects.toThrow(`entry ${entries.length}`);
});
