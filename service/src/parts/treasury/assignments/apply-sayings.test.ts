import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBalanceReader } from '../ledger/balance-reader.ts';
import { findCursor, listEntriesAbove } from '../ledger/ledger-store.ts';
import { serialiseEntry } from '../ledger/serialise-entry.ts';
import { auditBooks } from '../reconciliation/audit-books.ts';
import { assignmentStates, type TreasuryTables } from '../schema/treasury-tables.ts';
import { type FixtureBooks, openFixtureBooks, readEntries } from '../testing/fixture-books.ts';
import { closeAssignment, insertAssignment, withdrawAssignment } from './assignment-store.ts';
import { closeNote, hasWaitingNotes, listWaitingNotes, putNote } from './note-store.ts';

const ADA = 'VC-4J8ZQ0T6M1RW';
let books: FixtureBooks;
let gift: string;
let payout: string;
beforeEach(async () => {
  books = await openFixtureBooks();
  gift = books.pay([500_000n, 300_000n]);
  payout = books.spend(gift, [1], 290_000n);
  books.deepen(5);
  books.pay([9_000_000n]);
  await books.follow();
  await db()
    .insertInto('treasury_contributor')
    .values({
      ...{ id: ADA, secret_hash: 'of ada', nickname: null, is_public: 0, hidden_at: null },
      ...{ created_at: 1, updated_at: 1 },
    })
    .execute();
});
afterEach(() => books.close());

const db = () => books.precious.query<TreasuryTables>();
const assign = () =>
  insertAssignment(db(), {
    ...{ txid: gift, vout: 0, contributor_id: ADA, assigned_by: 'operator' },
    ...{ address: null, signature: null, made_at: 1 },
  });
const checkSound = async () => {
  const audit = { ...books.contextOf(), serviceKeys: undefined, head: undefined };
  expect(await auditBooks(audit)).toMatchObject({ faults: [] });
};
const note = (purpose: string, made_at: number) =>
  putNote(db(), { txid: payout, purpose, payee: 'A landlord', made_at });
const balances = async () => {
  const { steps } = (await createBalanceReader(books.precious).read())!;
  return steps.map(({ height, balance }) => [height, balance]);
};
const stateOf = async (kind: string) => {
  const [entry] = (await listEntriesAbove(db(), 0, 100)).filter((each) => each.kind === kind);
  const tipHeight = (await findCursor(db()))!.height;
  const { state, confirmations } = serialiseEntry(entry!, {
    ...{ tipHeight, confirmations: 6, decimals: 8, display: null },
  });
  return [state, confirmations];
};

test('what is said of old blocks changes nothing of the balance over time, however often it is read', async () => {
  const reader = createBalanceReader(books.precious);
  const before = (await reader.read())!.steps;
  expect(before.map(({ balance }) => balance)).toEqual([800_000n, 500_000n, 9_500_000n]);
  await assign();
  await note('Rent', 1);
  await books.follow();
  expect((await readEntries(books.precious)).slice(-3).map(({ kind }) => kind)).toEqual([
    ...['reversal', 'contribution', 'note'],
  ]);
  expect((await reader.read())!.steps).toEqual(before);
  expect(await balances()).toEqual(before.map(({ height, balance }) => [height, balance]));
  // Their blocks leave: nothing of them is left.
  for (let i = 0; i < 8; i++) books.chain.removeTip();
  books.deepen(9);
  await books.follow();
  expect((await reader.read())!.steps).toEqual([{ height: before[0]!.height, balance: 0n, received: 0n }]);
  await checkSound();
});

test('what was assigned wrongly is taken back by an entry that says so, and can be said anew', async () => {
  const standings = () => db().selectFrom('treasury_standing').selectAll().execute();
  await assign();
  await books.follow();
  expect(await standings()).toMatchObject([{ contributor_id: ADA, contributions: 1 }]);
  const { steps } = (await createBalanceReader(books.precious).read())!;
  expect(await withdrawAssignment(db(), { txid: gift, vout: 1 })).toBe(false);
  expect(await withdrawAssignment(db(), { txid: gift, vout: 0 })).toBe(true);
  await books.follow();
  expect((await readEntries(books.precious)).slice(-2)).toMatchObject([
    { kind: 'reversal', amount: '-500000', contributor_id: ADA },
    {
      ...{ kind: 'unattributed', amount: '500000', contributor_id: null },
      ...{ reason: 'no_intent', assigned_by: 'operator' },
    },
  ]);
  expect(await standings()).toEqual([]);
  expect((await createBalanceReader(books.precious).read())!.steps).toEqual(steps);
  await checkSound();
  await assign();
  await books.follow();
  expect(await standings()).toMatchObject([{ contributor_id: ADA, contributions: 1 }]);
  await checkSound();
});

test('what is taken back before the ledger has it, or while its block is gone, leaves no trace', async () => {
  const before = await readEntries(books.precious);
  await assign();
  await withdrawAssignment(db(), { txid: gift, vout: 0 });
  await books.follow();
  expect(await readEntries(books.precious)).toEqual(before);
  await assign();
  await books.follow();
  const txs = books.chain.txs.filter(({ tx }) => tx.outputs.some(({ value }) => value === 500_000n));
  for (let i = 0; i < 8; i++) books.chain.removeTip();
  books.deepen(9);
  await books.follow();
  await withdrawAssignment(db(), { txid: gift, vout: 0 });
  books.chain.addBlock(Uint8Array.of(0x51), [txs[0]!.tx]);
  await books.follow();
  expect((await readEntries(books.precious)).at(-1)).toMatchObject({
    kind: 'unattributed',
    assigned_by: null,
  });
  expect(await db().selectFrom('treasury_assignment').selectAll().execute()).toEqual([]);
  await checkSound();
});

test('an assignment that is taken back while it is written is taken back', async () => {
  await assign();
  await withdrawAssignment(db(), { txid: gift, vout: 0 });
  await closeAssignment(db(), { txid: gift, vout: 0 });
  expect(await db().selectFrom('treasury_assignment').select('is_applied').execute()).toEqual([
    { is_applied: assignmentStates.withdrawn },
  ]);
});

test('a note that is put in the place of another while that one is written gets its own entry', async () => {
  await note('Rent', 1);
  const [first] = await listWaitingNotes(db(), 1);
  await note('Rent of May', 2);
  await closeNote(db(), first!, 4);
  expect(await hasWaitingNotes(db())).toBe(true);
  await books.follow();
  expect((await readEntries(books.precious)).at(-1)).toMatchObject({ kind: 'note', purpose: 'Rent of May' });
});

test('a note stands where the spend stands that it is about: with it, or nowhere', async () => {
  await note('Rent', 1);
  await books.follow();
  expect(await stateOf('note')).toEqual(['verified', 7]);
  expect(await stateOf('spend')).toEqual(['verified', 7]);
  const lost = books.chain.txs.find(({ tx }) => tx.outputs.some(({ value }) => value === 290_000n))!.tx;
  for (let i = 0; i < 7; i++) books.chain.removeTip();
  books.deepen(8);
  await books.follow();
  expect(await stateOf('note')).toEqual(['reversed', 0]);
  expect(await stateOf('spend')).toEqual(['reversed', 0]);
  // Mined again, it is the spend of that transaction still.
  books.chain.addBlock(Uint8Array.of(0x51), [lost]);
  await books.follow();
  expect(await stateOf('note')).toEqual(['confirming', 1]);
});
