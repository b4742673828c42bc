import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FixtureBooks, openFixtureBooks, readEntries } from '../testing/fixture-books.ts';
import type { TreasuryTables } from './treasury-tables.ts';

let books: FixtureBooks;
beforeAll(async () => {
  books = await openFixtureBooks();
  books.pay([100_000n]);
  await books.follow();
  books.chain.removeTip();
  books.deepen(2);
  await books.follow();
});
afterAll(() => books.close());

const columns = 'kind, amount, balance, txid, vout, height, block_hash, block_time, late, recorded_at';
test.each([
  [
    'an entry under its number',
    `replace into treasury_entry (sequence, ${columns}) select 1, ${columns} from treasury_entry where sequence = 1`,
  ],
  [
    'a reversal under another number',
    `insert or replace into treasury_entry (sequence, reverses, ${columns}) select 9, 1, ${columns} from treasury_entry where sequence = 2`,
  ],
  [
    'an entry at the place of its row',
    `replace into treasury_entry (rowid, sequence, ${columns}) select rowid, 9, ${columns} from treasury_entry where sequence = 2`,
  ],
  [
    'a seal',
    `replace into treasury_seal select sequence, previous_hash, salt, '00', service_key, signature from treasury_seal where sequence = 2`,
  ],
  [
    'a seal at the place of its row',
    `replace into treasury_seal (rowid, sequence, previous_hash, hash, service_key, signature)
      select rowid, 9, previous_hash, hash, service_key, signature from treasury_seal where sequence = 2`,
  ],
])('SQLite replaces no row of the ledger: %s', async (_, statement) => {
  const before = await readEntries(books.precious);
  expect(before.map(({ kind }) => kind)).toEqual(['unattributed', 'reversal']);
  const db = books.precious.query<TreasuryTables>();
  // Without the check of references, as whoever has the file can open it.
  await sql.raw('pragma foreign_keys = off').execute(db);
  await expect(sql.raw(statement).execute(db)).rejects.toThrow('append-only');
  expect(await readEntries(books.precious)).toEqual(before);
});
