import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClientNames } from '../../../clients/client-names.ts';
import { openPrecious } from '../../../db/precious.ts';
import { preciousMigrations } from '../../../migrations.ts';
import { createAuthenticate } from '../contributors/authenticate-contributor.ts';
import { createSecretHash, isWeakSecret } from '../contributors/contributor-secret.ts';
import { insertContributor } from '../contributors/contributor-store.ts';
import { displayOf } from '../contributors/serialise-contributor.ts';
import { intentState } from '../intents/intent-rules.ts';
import { writeCell, writeExportLine } from '../ledger/export-ledger.ts';
import {
  describeMovement,
  emptyTotals,
  firstUnverifiedHeight,
  padTotal,
  readTotals,
  writeTotals,
} from '../ledger/ledger-rules.ts';
import { treasuryExamples } from '../treasury-examples.ts';
import { treasuryLimits } from '../treasury-limits.ts';
import {
  attribute,
  CLOCK_TOLERANCE_MS,
  findRefusal,
  type Incoming,
  type IntentTerms,
  type KnownIntents,
} from './attribution-rules.ts';

const T0 = 1_800_000_000_000;
const HOUR = 3_600_000;
const minimum = 5_460n;

const intent = (id: string, change: Partial<IntentTerms> = {}): IntentTerms => ({
  id,
  contributorId: `of ${id}`,
  exactAmount: 1_000_000n,
  createdAtMs: T0,
  createdVersion: 10,
  expiresAtMs: T0 + HOUR,
  closesAtMs: T0 + 2 * HOUR,
  ...change,
});

const tx = (change: Partial<Incoming> = {}): Incoming => ({
  txid: 'aa',
  tag: { kind: 'none' },
  outputs: [{ vout: 0, value: 1_000_000n }],
  isCoinbase: false,
  spendsTreasury: false,
  firstSeen: { atMs: T0 + 1, version: undefined },
  ...change,
});

/** Intents by tag (their id) and amount. */
function know(intents: readonly IntentTerms[]): KnownIntents {
  return {
    findByTag: (tag) => intents.find(({ id }) => id === tag),
    listByAmount: (amount) => intents.filter(({ exactAmount }) => exactAmount === amount),
  };
}
const tagged = (tag: string): Incoming['tag'] => ({ kind: 'one', vout: 1, tag });
const judge = (incoming: Incoming, ...intents: IntentTerms[]) =>
  attribute(incoming, know(intents), { minimum });

describe('whose a contribution is', () => {
  test('the exact amount names its intent, and nothing else does', () => {
    expect(judge(tx(), intent('a'))).toMatchObject([
      { kind: 'contribution', by: 'exact_amount', late: false },
    ]);
    for (const value of [999_999n, 1_000_001n])
      expect(judge(tx({ outputs: [{ vout: 0, value }] }), intent('a'))).toMatchObject([
        { reason: 'no_intent' },
      ]);
  });

  test('a carrier decides for all outputs, whatever their amounts', () => {
    const outputs = [
      { vout: 0, value: 1_000_000n },
      { vout: 3, value: 7n },
    ];
    const judged = judge(
      tx({ tag: tagged('b'), outputs }),
      intent('a'),
      intent('b', { exactAmount: undefined }),
    );
    expect(
      judged.map((each) => each.kind === 'contribution' && [each.vout, each.intent.id, each.by]),
    ).toEqual([
      [0, 'b', 'carrier'],
      [3, 'b', 'carrier'],
    ]);
  });

  test('a carrier whose intent does not take it leaves nothing to the amount: it says whose it is not', () => {
    const closed = intent('b', { closesAtMs: T0 });
    expect(judge(tx({ tag: tagged('b') }), intent('a'), closed)).toMatchObject([{ reason: 'intent_closed' }]);
  });

  test.each([
    ['an unknown tag', tagged('zz'), 'tag_unknown'],
    ['a malformed one', { kind: 'malformed' } as const, 'tag_malformed'],
    ['several', { kind: 'several' } as const, 'tag_malformed'],
  ])('%s leaves it to the amount', (_what, tag, reason) => {
    expect(judge(tx({ tag }), intent('a'))).toMatchObject([{ kind: 'contribution' }]);
    expect(judge(tx({ tag }))).toMatchObject([{ reason }]);
  });

  test('whatever is meant for an intent is its, however often it comes', () => {
    const outputs = [0, 1].map((vout) => ({ vout, value: 1_000_000n }));
    expect(judge(tx({ outputs }), intent('a'))).toMatchObject([
      { kind: 'contribution' },
      { kind: 'contribution' },
    ]);
  });

  test("an amount that was given again is the one's in whose time it came", () => {
    const [old, later] = [
      intent('old', { createdAtMs: T0 - 9 * HOUR, createdVersion: 1, closesAtMs: T0 - 1 }),
      intent('new', { createdAtMs: T0 + 60_000, createdVersion: 9 }),
    ];
    const seenAt = (atMs: number) =>
      judge(tx({ firstSeen: { atMs, version: undefined } }), old, later).map(
        (each) => each.kind === 'contribution' && each.intent.id,
      );
    expect([seenAt(T0 - HOUR), seenAt(T0 + HOUR), seenAt(T0 + 1_000)]).toEqual([['old'], ['new'], [false]]);
  });

  test('what came before, by the mempool or by a block, is not for it', () => {
    const refusal = (atMs: number, version?: number) => findRefusal({ atMs, version }, intent('a'));
    expect(refusal(T0 - CLOCK_TOLERANCE_MS - 1)).toBe('seen_before_intent');
    expect(refusal(T0 - CLOCK_TOLERANCE_MS)).toBeUndefined();
    // Miners' clocks say nothing of the order.
    expect(refusal(T0 - 2 * HOUR, 11)).toBeUndefined();
    expect(refusal(T0 + 1, 10)).toBe('seen_before_intent');
    expect(refusal(T0 + 2 * HOUR)).toBeUndefined();
    expect(refusal(T0 + 2 * HOUR + 1)).toBe('intent_closed');
  });

  test("coinbases and change are nobody's, with or without a carrier", () => {
    for (const [change, kind] of [
      [{ isCoinbase: true }, 'coinbase'],
      [{ spendsTreasury: true }, 'change'],
    ] as const)
      expect(judge(tx({ ...change, tag: tagged('a') }), intent('a'))).toMatchObject([{ kind }]);
  });
});

const anyTx = fc.record({
  tag: fc.oneof(
    fc.constant({ kind: 'none' } as const),
    fc.constantFrom('a', 'b', 'c', 'zz').map(tagged),
    fc.constant({ kind: 'several' } as const),
  ),
  values: fc.array(fc.constantFrom(1n, 6_000n, 1_000_000n, 2_000_000n), { minLength: 1, maxLength: 4 }),
  isCoinbase: fc.boolean(),
  spends: fc.array(fc.bigInt(1n, 3_000_000n), { maxLength: 3 }),
  spendsOnly: fc.boolean(),
  atMs: fc.integer({ min: T0 - HOUR, max: T0 + 3 * HOUR }),
  version: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
});

test('whatever comes: each output is what its own transaction says, and no base unit is lost', () => {
  fc.assert(
    fc.property(fc.array(anyTx, { maxLength: 12 }), (txs) => {
      const intents = [
        intent('a'),
        intent('b', { exactAmount: 2_000_000n, createdVersion: 5 }),
        intent('c', { exactAmount: undefined }),
      ];
      for (const [i, each] of txs.entries()) {
        const { values, spends } = each;
        const firstSeen = { atMs: each.atMs, version: each.version };
        const incoming = tx({
          txid: `tx ${i}`,
          tag: each.tag,
          outputs: values.map((value, vout) => ({ vout, value })),
          isCoinbase: each.isCoinbase,
          spendsTreasury: spends.length > 0,
          firstSeen,
        });
        const attributions = attribute(incoming, know(intents), { minimum });
        expect(attributions.map(({ vout, value }) => ({ vout, value }))).toEqual(incoming.outputs);
        for (const found of attributions) {
          if (found.kind !== 'contribution') continue;
          expect(each.isCoinbase || spends.length > 0).toBe(false);
          if (found.by === 'exact_amount') expect(found.value).toBe(found.intent.exactAmount);
          else expect(each.tag).toMatchObject({ tag: found.intent.id });
          expect(found.late).toBe(each.atMs > found.intent.expiresAtMs);
          expect(each.atMs <= found.intent.closesAtMs).toBe(true);
        }
        const spent = spends.map((value, vout) => ({ txid: 'from', vout, value }));
        const sum = spends.reduce((total, value) => total + value, 0n);
        const entries = describeMovement(
          {
            ...{ txid: incoming.txid, height: 1, blockHash: '', blockTimeMs: 0, spent },
            ...{ spendsOnlyTreasury: each.spendsOnly, fee: each.spendsOnly ? sum / 3n : 77n },
          },
          attributions,
        );
        const moved = entries.reduce((total, { amount }) => total + amount, 0n);
        expect(moved).toBe(values.reduce((total, value) => total + value, 0n) - sum);
      }
    }),
  );
});

test('wrong secrets are counted for all clients together, and right ones go on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinfront-secrets-'));
  const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
  const secret = treasuryExamples.secretBody.contributor_secret;
  const row = {
    ...{ id: 'VC-1', nickname: null, is_public: 0, hidden_at: null },
    ...{ created_at: T0, updated_at: T0, secret_hash: await createSecretHash(precious)(secret) },
  };
  const client = await createClientNames(precious)('192.0.2.1', T0);
  const insert = (more: object, inAll: number, ofClient?: number) =>
    insertContributor(precious, { row: { ...row, ...more }, skeletons: [] }, client, { inAll, ofClient });
  expect(await insert({}, 1)).toBe('stored');
  expect(await insert({ id: 'VC-2', secret_hash: 'aa' }, 1)).toBe('day_full');
  const authenticate = createAuthenticate({ precious, now: () => T0 });
  const wrong = (i: number) => authenticate(i.toString(16).padStart(64, '0')).catch((error) => error.code);
  for (let i = 0; i < treasuryLimits.wrongSecretsPerMinute; i++)
    expect(await wrong(i)).toBe('contributor_secret_invalid');
  expect(await wrong(7)).toBe('rate_limited');
  expect((await authenticate(secret.toUpperCase())).id).toBe('VC-1');
  await precious.close();
  await rm(folder, { recursive: true });
});

test('an intent is what its contribution is, and else what the clock says', () => {
  const terms = { expiresAtMs: 10, closesAtMs: 20 };
  expect([10, 11, 20, 21].map((now) => intentState(terms, [], now))).toEqual([
    'open',
    'expired',
    'expired',
    'closed',
  ]);
  expect(intentState(terms, [{ isVerified: true }, { isVerified: false }], 99)).toBe('verified');
  expect(intentState(terms, [{ isVerified: false }], 99)).toBe('confirming');
});

test('a block has enough confirmations at its own height when one is asked for', () => {
  expect([1, 6].map((needed) => firstUnverifiedHeight(100, needed))).toEqual([101, 96]);
});

test('sums survive storing, and sort as text', () => {
  const totals = { ...emptyTotals(), contribution: 10n ** 30n, spend: -5n };
  expect(readTotals(writeTotals(totals))).toEqual(totals);
  expect([9n, 10n ** 20n, 10n].map(padTotal).sort()).toEqual([9n, 10n, 10n ** 20n].map(padTotal));
});

test('who does not want to be shown, or is hidden, has no id and no name', () => {
  const row = { id: 'VC-1', nickname: 'Ada', is_public: 1, hidden_at: null };
  expect(displayOf(row)).toEqual({ id: 'VC-1', name: 'Ada' });
  expect(displayOf({ ...row, nickname: null })).toEqual({ id: 'VC-1', name: 'VC-1' });
  for (const hidden of [{ ...row, is_public: 0 }, { ...row, hidden_at: 1 }, undefined])
    expect(displayOf(hidden)).toEqual({ id: null, name: 'Anonymous' });
});

test('cells of a spreadsheet are no formulas, and numbers stay numbers', () => {
  const cells = ['=1+1', '+1', '-x', '@SUM(A1)', '\tx', '-0.50000000', 'a,b', 'say "x"', null, 0];
  expect(cells.map(writeCell)).toEqual([
    ...["'=1+1", "'+1", "'-x", "'@SUM(A1)", "'\tx", '-0.50000000', '"a,b"', '"say ""x"""', '', '0'],
  ]);
  const [entry] = treasuryExamples.ledger.items;
  const named = { ...entry!, contributor: { id: 'VC-1', name: '=cmd' } };
  expect(writeExportLine(named, 'csv')).toContain(",VC-1,'=cmd,");
  expect(JSON.parse(writeExportLine(named, 'jsonl'))).toEqual(named);
});

test('a secret that nobody drew at random is told', () => {
  expect(isWeakSecret('ab'.repeat(32))).toBe(true);
  expect(isWeakSecret(treasuryExamples.secretBody.contributor_secret)).toBe(false);
});
