import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCursor } from '../ledger/ledger-store.ts';
import { auditBooks } from '../reconciliation/audit-books.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';
import { type FixtureBooks, openFixtureBooks, readEntries } from '../testing/fixture-books.ts';
import { openLedgerRecorder } from './record-ledger.ts';

const ADDED = getHexBytes(`0014${'42'.repeat(20)}`);
const BLOCKS = 6;

let books: FixtureBooks;
beforeEach(async () => {
  books = await openFixtureBooks();
  books.pay([11_000n], ADDED);
  for (let i = 0; i < BLOCKS; i++) books.pay([100_000n, 200_000n, 300_000n]);
});
afterEach(() => books.close());

const cursorNow = async () => (await findCursor(books.precious.query<TreasuryTables>()))!;
const balanceOf = async () => BigInt((await cursorNow()).balance);
const checkSound = async () => {
  const context = books.contextOf();
  const audit = await auditBooks({ ...context, serviceKeys: undefined, head: undefined });
  expect(audit?.faults).toEqual([]);
};

test.each([1, 2, 4, 500])(
  'an address that is added is taken in from its first block on, %i entries at a time, and no step leaves books that differ from the chain',
  async (entriesAtOnce) => {
    await books.follow();
    const before = await balanceOf();
    const context = books.contextOf([ADDED]);
    const recorder = openLedgerRecorder(context, { entriesAtOnce });
    const heights: number[] = [];
    while (await recorder.step()) {
      const { reconciliation, unreconciled_reason } = await reconcile(context);
      // Below its first block the ledger says that it has not begun.
      if (reconciliation === null) expect(unreconciled_reason).toBe('not_started');
      else expect(reconciliation).toMatchObject({ difference: '0.00000000', unexplained: [] });
      heights.push((await cursorNow()).height);
    }
    expect(heights).toContain(-1);
    if (entriesAtOnce < 4) expect(new Set(heights).size).toBeGreaterThan(BLOCKS);
    expect(await balanceOf()).toBe(before + 11_000n);
    await checkSound();
  },
);

test.each([1, 2, 3, 4, 5])(
  'an address that is added and removed again, %i steps into taking the ledger back, leaves the books of before',
  async (steps) => {
    await books.follow();
    const before = await balanceOf();
    const interrupted = openLedgerRecorder(books.contextOf([ADDED]), { entriesAtOnce: 2 });
    // The first step seals.
    for (let i = 0; i <= steps; i++) await interrupted.step();
    const { height } = await cursorNow();
    await books.follow();
    expect(height).toBeLessThan((await cursorNow()).height);
    expect(await balanceOf()).toBe(before);
    expect((await reconcile(books.contextOf())).reconciliation).toMatchObject({
      difference: '0.00000000',
      as_of: { height: books.chain.blocks.length - 1 },
    });
    await checkSound();
  },
);

test.each([1, 2, 500])(
  'a reorganisation is followed %i entries at a time, a whole block at least',
  async (entriesAtOnce) => {
    await books.follow();
    const heightBefore = books.chain.blocks.length;
    for (let i = 0; i < 3; i++) books.chain.removeTip();
    books.deepen(4);
    expect(books.chain.blocks.length).toBe(heightBefore + 1);
    const context = books.contextOf();
    const recorder = openLedgerRecorder(context, { entriesAtOnce });
    while (await recorder.step()) {
      const { reconciliation, unreconciled_reason } = await reconcile(context);
      if (reconciliation === null) expect(unreconciled_reason).toBe('reorganising');
      else expect(reconciliation).toMatchObject({ difference: '0.00000000', unexplained: [] });
    }
    expect(await balanceOf()).toBe(600_000n * BigInt(BLOCKS - 3));
    const entries = await readEntries(books.precious);
    expect(entries.filter(({ kind }) => kind === 'reversal')).toHaveLength(9);
    await checkSound();
  },
);
