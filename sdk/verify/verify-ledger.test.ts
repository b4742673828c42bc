import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import {
  hashAttribution,
  hashEntryText,
  LEDGER_START,
  writeEntryText,
  writeSignedEntryText,
} from '@coinfront/protocol/treasury/ledger-entry.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { verifyContributionReceipt } from './verify-contribution-receipt.ts';
import { type LedgerFault, verifyLedger, verifyLedgerSince } from './verify-ledger.ts';

const KEY = new Uint8Array(32).fill(5);
const OTHER_KEY = new Uint8Array(32).fill(6);
const genesisHash = 'aa'.repeat(32);
const keyOf = (seed: Uint8Array) => bytesToHex(ed25519.getPublicKey(seed));
const trusted = { serviceKeys: [keyOf(KEY)], genesisHash };
const opening = {
  contributor_id: 'VC-4J8ZQ0T6M1RW',
  intent_id: 'VI-7Q2M9K4T0XV8B3ND',
  salt: 'ab'.repeat(32),
};

type Draft = Partial<LedgerEntryJson> & { amount: string; balance: string };

/** Seals entries one after the other, as an operator can who has the key. Oldest first. */
function seal(drafts: readonly Draft[], seed = KEY, network = genesisHash): LedgerEntryJson[] {
  const entries: LedgerEntryJson[] = [];
  for (const [i, draft] of drafts.entries()) {
    const entry: LedgerEntryJson = {
      sequence: i + 1,
      kind: 'contribution',
      txid: String(i).padStart(64, '0'),
      vout: 0,
      height: 100 + i,
      block_hash: 'bb'.repeat(32),
      block_time: '2026-01-10T10:00:00.000Z',
      recorded_at: '2026-01-10T10:00:02.000Z',
      confirmations: 6,
      state: 'verified',
      contributor: null,
      late: false,
      reason: null,
      reverses: null,
      reversed_by: null,
      assigned_by: null,
      refers_to: null,
      purpose: null,
      payee: null,
      note: null,
      seal: null,
      ...draft,
    };
    const body = {
      previous_hash: entries.at(-1)?.seal?.hash ?? LEDGER_START,
      attribution: hashAttribution(opening),
      service_key: keyOf(seed),
    };
    const hash = hashEntryText(writeEntryText(entry, body, network));
    const text = new TextEncoder().encode(writeSignedEntryText(hash));
    entries.push({ ...entry, seal: { ...body, hash, signature: bytesToHex(ed25519.sign(text, seed)) } });
  }
  return entries;
}

/** Serves a ledger as the service does: newest first, in pages. */
function serve(entries: readonly LedgerEntryJson[], size = 2) {
  const items = entries.toReversed();
  return async (cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    return {
      as_of: null,
      items: items.slice(from, from + size),
      next_cursor: from + size < items.length ? String(from + size) : null,
    };
  };
}

const drafts: Draft[] = [
  { amount: '1.50', balance: '1.50' },
  { amount: '2.00', balance: '3.50' },
  { amount: '-2.00', balance: '1.50', kind: 'reversal', reverses: 2, txid: '1'.padStart(64, '0') },
  { amount: '-0.25', balance: '1.25', kind: 'spend', vout: null },
];
const ledger = seal(drafts);
/** About the spend. */
const note: Draft = {
  ...{ kind: 'note', amount: '0.00', balance: '1.25', vout: null, txid: '3'.padStart(64, '0') },
  ...{ refers_to: 4, purpose: 'Rent', payee: 'A landlord' },
};
const unsaid = { refers_to: null, purpose: null, payee: null };
const change = (i: number, more: Partial<LedgerEntryJson>) =>
  ledger.map((each, at) => (at === i ? { ...each, ...more } : each));
const resealed = (i: number, more: Partial<Draft>) =>
  seal(drafts.map((each, at) => (at === i ? { ...each, ...more } : each)));
const head = (of: readonly LedgerEntryJson[]) => ({ sequence: of.length, hash: of.at(-1)!.seal!.hash });
const faultOf = async (entries: readonly LedgerEntryJson[]) => {
  const verdict = await verifyLedger(serve(entries), trusted);
  return verdict.ok ? undefined : verdict.code;
};

describe('a ledger', () => {
  test('is sound from its newest entry to its first, and gives the head to keep', async () => {
    expect(await verifyLedger(serve(ledger), trusted)).toEqual({ ok: true, head: head(ledger), entries: 4 });
    expect(await verifyLedger(serve([]), trusted)).toEqual({ ok: true, head: undefined, entries: 0 });
    const noted = seal([...drafts, note, { ...note, purpose: 'Rent of May' }]);
    expect(await verifyLedger(serve(noted), trusted)).toMatchObject({ ok: true, entries: 6 });
  });

  test.each<[string, LedgerEntryJson[], LedgerFault | undefined]>([
    ['an amount that was changed', change(1, { amount: '3.00' }), 'hash_mismatch'],
    [
      'an owner that was changed',
      change(1, { seal: { ...ledger[1]!.seal!, attribution: '00'.repeat(32) } }),
      'hash_mismatch',
    ],
    ['an entry without a seal', change(1, { seal: null }), 'not_sealed'],
    [
      'a signature of nobody',
      change(1, { seal: { ...ledger[1]!.seal!, signature: '00'.repeat(64) } }),
      'signature_invalid',
    ],
    ['the seals of another service', seal(drafts, OTHER_KEY), 'other_service'],
    ['the entries of another chain', seal(drafts, KEY, 'cc'.repeat(32)), 'hash_mismatch'],
    ['an entry left out', ledger.filter((_, i) => i !== 1), 'not_linked'],
    [
      'entries of two ledgers',
      [...resealed(0, { late: true }).slice(0, 1), ...ledger.slice(1)],
      'not_linked',
    ],
    ['no first entry', ledger.slice(1), 'not_whole'],
    ['a balance that is no sum, though sealed', resealed(3, { balance: '9.00' }), 'balance_wrong'],
    [
      'a first balance that is no sum, though sealed',
      seal([{ amount: '1.00', balance: '2.00' }]),
      'balance_wrong',
    ],
    [
      'a reversal of another amount, though sealed',
      resealed(2, { amount: '-1.00', balance: '2.50' }),
      undefined,
    ],
    [
      'a reversal of another transaction, though sealed',
      resealed(2, { txid: 'dd'.repeat(32) }),
      'reversal_wrong',
    ],
    ['a reversal of nothing, though sealed', resealed(2, { reverses: null }), 'reversal_wrong'],
    ...[0, -1, 1.5, 3, 4].map((reverses): [string, LedgerEntryJson[], LedgerFault] => [
      `a reversal of entry ${reverses}, though sealed`,
      resealed(2, { reverses }),
      'reversal_wrong',
    ]),
    [
      'an invented reversal of no entry, with a note that moves, though sealed',
      seal([
        { amount: '5.00', balance: '5.00' },
        { amount: '-3.00', balance: '2.00', kind: 'reversal', reverses: 0, vout: 7 },
        { ...note, amount: '-1.00', balance: '1.00', refers_to: 1 },
      ]),
      'note_wrong',
    ],
    [
      'a reversal of a note, though sealed',
      seal([...drafts, note, { ...note, kind: 'reversal', reverses: 5, ...unsaid }]),
      'reversal_wrong',
    ],
    ...(
      [
        ['that moves something', { amount: '-0.25', balance: '1.00' }],
        ['about nothing', { refers_to: null }],
        ['about what is no spend', { refers_to: 1, txid: '0'.repeat(64) }],
        ['about a spend of another transaction', { txid: 'dd'.repeat(32) }],
        ['about itself', { refers_to: 5 }],
        ['about an entry that never was', { refers_to: 0 }],
      ] as const
    ).map(([what, more]): [string, LedgerEntryJson[], LedgerFault] => [
      `a note ${what}, though sealed`,
      seal([...drafts, { ...note, ...more }]),
      'note_wrong',
    ]),
    [
      'the words of a note in another entry, though sealed',
      resealed(3, { purpose: 'Rent', payee: 'A landlord', refers_to: 1 }),
      'note_wrong',
    ],
    ['something that is no entry', [null as never, ...ledger], 'entry_malformed'],
  ])('with %s is refused', async (_, entries, code) => {
    expect(await faultOf(entries)).toBe(code ?? 'balance_wrong');
  });

  test('that does not hold what was seen earlier is refused, however well it is sealed', async () => {
    const early = head(ledger.slice(0, 2));
    const rewritten = resealed(1, { late: true });
    const longer = seal([...drafts, { amount: '1.00', balance: '2.25' }]);
    for (const [entries, isExtended] of [
      [ledger, true],
      [longer, true],
      [rewritten, false],
      [ledger.slice(0, 1), false],
    ] as const) {
      const whole = await verifyLedger(serve(entries), trusted, { remembered: early });
      const since = await verifyLedgerSince(serve(entries), trusted, early);
      for (const verdict of [whole, since])
        expect([verdict.ok, verdict.ok || verdict.code]).toEqual([isExtended, isExtended || 'not_extended']);
    }
  });

  test('is read no further back than the head that was seen', async () => {
    const since = await verifyLedgerSince(serve(ledger, 1), trusted, head(ledger.slice(0, 3)));
    expect(since).toEqual({ ok: true, head: head(ledger), entries: 2 });
  });
});

describe('a receipt of a contribution', () => {
  const receipt = { network: genesisHash, entry: ledger[0]!, opening };

  test('shows whose the entry is', () => {
    expect(verifyContributionReceipt(receipt, trusted)).toEqual({
      ok: true,
      ...{ sequence: 1, hash: ledger[0]!.seal!.hash, contributorId: opening.contributor_id },
    });
  });

  test.each([
    [
      'another contributor',
      { ...receipt, opening: { ...opening, contributor_id: 'VC-000000000000' } },
      'other_contributor',
    ],
    ['another intent', { ...receipt, opening: { ...opening, intent_id: null } }, 'other_contributor'],
    ['no opening', { ...receipt, opening: null }, 'other_contributor'],
    ['another amount', { ...receipt, entry: { ...ledger[0]!, amount: '9.99' } }, 'hash_mismatch'],
    ['nothing', null, 'entry_malformed'],
    ['a text', 'receipt', 'entry_malformed'],
  ])('of %s proves nothing', (_, each, code) => {
    expect(verifyContributionReceipt(each as never, trusted)).toEqual({ ok: false, code });
  });
});
