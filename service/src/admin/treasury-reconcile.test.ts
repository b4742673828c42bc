import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TreasuryTables } from '../parts/treasury/schema/treasury-tables.ts';
import { type FixtureBooks, openFixtureBooks } from '../parts/treasury/testing/fixture-books.ts';
import { findServicePublicKey } from '../signing/service-key.ts';
import { parseCommand } from './parse-command.ts';
import { runReconcile, type Trusted } from './treasury-reconcile.ts';

let books: FixtureBooks;
beforeEach(async () => {
  books = await openFixtureBooks();
  const gift = books.pay([500_000n, 300_000n]);
  books.spend(gift, [0], 490_000n);
  await books.follow();
});
afterEach(() => books.close());

async function run(trusted: Partial<Trusted> = {}, context = books.contextOf()) {
  const written: string[] = [];
  const serviceKeys = [findServicePublicKey(books.keyFile)!];
  const ran = await runReconcile(
    context,
    { serviceKeys, head: undefined, ...trusted },
    true,
    async (text) => {
      written.push(text);
    },
  );
  return ran.ok ? JSON.parse(written.join('')) : { refused: ran.reason };
}

test('books that are those of the chain are sound', async () => {
  expect(await run()).toMatchObject({ sound: true, unexplained: [], faults: [], key_checked: true });
});

test('while the index is ahead of the ledger nothing is said to be sound', async () => {
  books.pay([1_000n]);
  const found = await run();
  expect(found.sound).toBeUndefined();
  expect(found.refused).toMatch(/never at the same block/);
});

test('what the ledger writes while outputs are compared begins the comparison anew', async () => {
  const context = books.contextOf();
  let reads = 0;
  const found = await run(
    {},
    {
      ...context,
      async readChain(read, options) {
        const answer = await context.readChain(read, options);
        // Behind the sums, and behind the outputs of the chain: another block comes, and the ledger follows it.
        if (++reads === 2) {
          books.pay([7_000n]);
          await books.follow();
        }
        return answer;
      },
    },
  );
  expect(reads).toBeGreaterThan(2);
  expect(found).toMatchObject({ sound: true, ledger_total: '0.00307000' });
});

test('an output that came and went, and that the ledger does not know, is found by what ever came and went', async () => {
  const hidden = books.pay([40_000n]);
  books.spend(hidden, [0], 39_000n);
  await books.follow({ ...books.contextOf(), readChain: hide(hidden) });
  expect(await run()).toMatchObject({
    ...{ sound: false, difference: '0.00000000', unexplained: [] },
    faults: [
      'In the chain 0.00840000 came to the addresses, in the ledger 0.00800000.',
      'In the chain 0.00540000 was spent from the addresses, in the ledger 0.00500000.',
    ],
  });
});

/** An index that does not tell of a transaction, nor of what spends it. */
function hide(txid: string): ReturnType<FixtureBooks['contextOf']>['readChain'] {
  const { readChain } = books.contextOf();
  const hiddenId = books.chain.txs.findIndex(({ tx }) => tx.outputs.some(({ value }) => value === 40_000n));
  expect(txid).toBeDefined();
  return (read) =>
    readChain((view) =>
      read({
        ...view,
        async listHistory(script, before, limit) {
          const entries = await view.listHistory(script, before, limit);
          return entries.filter(({ txId }) => txId < hiddenId);
        },
      }),
    );
}

test('whose key has signed is checked by a key that is given, and where none is known it is said so', async () => {
  const other = 'ab'.repeat(32);
  expect((await run({ serviceKeys: [other] })).faults).toEqual([
    expect.stringMatching(/^The key .* is not that of this service\.$/),
  ]);
  const own = findServicePublicKey(books.keyFile)!;
  expect(await run({ serviceKeys: [other, own] })).toMatchObject({ sound: true, key_checked: true });
  expect(await run({ serviceKeys: undefined })).toMatchObject({ sound: true, key_checked: false });
  let text = '';
  await runReconcile(books.contextOf(), { serviceKeys: undefined, head: undefined }, false, async (more) => {
    text += more;
  });
  expect(text).toContain('Not checked: whose key has signed.');
  const parsed = parseCommand(['treasury', 'reconcile', '--key', `${own},${other}`]);
  expect(parsed.ok && parsed.value).toMatchObject({ kind: 'treasury-reconcile', keys: [own, other] });
  expect(parseCommand(['treasury', 'reconcile', '--key', 'xyz']).ok).toBe(false);
});

test('a coin that is lost is told of, whatever the sums say', async () => {
  await books.precious
    .query<TreasuryTables>()
    .deleteFrom('treasury_coin')
    .where('spent_by', 'is', null)
    .execute();
  expect((await run()).unexplained).toMatchObject([{ vout: 1, amount: '0.00300000', side: 'chain' }]);
});
