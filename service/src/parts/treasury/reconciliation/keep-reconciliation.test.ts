import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FixtureBooks, openFixtureBooks } from '../testing/fixture-books.ts';
import { keepReconciliation } from './keep-reconciliation.ts';

let books: FixtureBooks;
let reads: number;
let nowMs: number;
beforeEach(async () => {
  books = await openFixtureBooks();
  books.pay([500_000n]);
  await books.follow();
  [reads, nowMs] = [0, 1_000];
});
afterEach(() => books.close());

/** Reconciles; counts how often a script is looked at. */
function open() {
  const context = books.contextOf();
  return keepReconciliation(
    {
      ...context,
      readChain: (read) =>
        context.readChain((view) =>
          read({
            ...view,
            getScriptStats(script) {
              reads += 1;
              return view.getScriptStats(script);
            },
          }),
        ),
    },
    () => nowMs,
  );
}

test('ledger and chain are compared once for each state of them, by all who ask', async () => {
  const reconcile = open();
  const answers = await Promise.all([reconcile(), reconcile(), reconcile()]);
  expect(answers[0].reconciliation).toMatchObject({ difference: '0.00000000', ledger_total: '0.00500000' });
  const once = reads;
  expect([await reconcile(), reads]).toEqual([answers[0], once]);
  // The index goes ahead, and then the ledger.
  books.pay([1_000n]);
  expect((await reconcile()).reconciliation).toMatchObject({ ledger_total: '0.00500000' });
  expect(reads).toBeGreaterThan(once);
  await books.follow();
  expect((await reconcile()).reconciliation).toMatchObject({ ledger_total: '0.00501000' });
});

test('what was found is not kept for ever, and what could not be compared not at all', async () => {
  const reconcile = open();
  await reconcile();
  const once = reads;
  nowMs += 60_000;
  await reconcile();
  expect(reads).toBe(2 * once);
  books.chain.removeTip();
  expect(await reconcile()).toMatchObject({ reconciliation: null, unreconciled_reason: 'reorganising' });
  books.deepen(1);
  await books.follow();
  expect((await reconcile()).reconciliation).toMatchObject({ ledger_total: '0.00000000' });
});
