import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, concatBytes, getHexBytes } from '../../bytes.ts';
import { buildCarrier } from '../../carrier.ts';
import { digestOfHead, logOrigin, signCheckpoint } from '../../signed-log/checkpoint.ts';
import { hashLeaf, rootOfLeaves } from '../../signed-log/merkle-tree.ts';
import type { TxOutput } from '../../transaction.ts';
import {
  contributionPayload,
  contributionScript,
  findContributionTag,
} from '../../treasury/contribution-tag.ts';
import { countSuffixes } from '../../treasury/exact-amount.ts';
import { hashClaimSecret, writeGiftClaimText } from '../../treasury/gift-claim.ts';
import {
  type EntryFields,
  hashAttribution,
  hashEntryText,
  LEDGER_START,
  writeEntryText,
  writeSignedEntryText,
} from '../../treasury/ledger-entry.ts';
import { type LoggedHead, writeLoggedHead } from '../../treasury/ledger-head.ts';
import { parseNickname } from '../../treasury/nickname.ts';
import { skeletonsOf } from '../../treasury/nickname-skeletons.ts';

const MARKER = getHexBytes('56545231');
const TAG = getHexBytes('3fa94c07d1be52886e10b7c2f5a9d364');
const OTHER_TAG = getHexBytes('00000000000000000000000000000001');
const PAYMENT = '00208c2574892063f995fdf756bce07f46c1a5193e5932eba68360ff6cd6c4b12b07';

const NICKNAMES = [
  'Ada',
  'ADA',
  'Ada B. Lovelace',
  'r2-d2',
  'A1ice',
  'modern',
  'modem',
  'Ольга',
  '山田太郎',
  'ＡＤＡ',
  'a',
  'аda',
  'Admin',
  '=1+1',
  'ali\u0007ce',
  'ᴀda',
  'ΤΟΜ',
  'роӏо',
  'VC-4J8ZQ0T6M1RW',
  'ada 💥',
];

function makeTransactions() {
  const payment = { value: 1_000_000n, script: getHexBytes(PAYMENT) };
  const carrier = (script: Uint8Array): TxOutput => ({ value: 0n, script });
  const tagged = carrier(contributionScript(TAG, MARKER));
  const transactions: [about: string, outputs: TxOutput[]][] = [
    ['no carrier', [payment]],
    ['a tag behind the payment', [payment, tagged]],
    ['a tag before it, with a value', [{ ...tagged, value: 546n }, payment]],
    ['the same tag twice', [payment, tagged, tagged]],
    ['two tags', [tagged, carrier(contributionScript(OTHER_TAG, MARKER))]],
    ['a byte less', [payment, carrier(buildCarrier(concatBytes(MARKER, TAG.subarray(1))))]],
    ['a byte more', [payment, carrier(buildCarrier(concatBytes(MARKER, TAG, Uint8Array.of(0))))]],
    ['the marker alone', [payment, carrier(buildCarrier(MARKER))]],
    ['another marker', [payment, carrier(buildCarrier(concatBytes(getHexBytes('56545232'), TAG)))]],
    ['a push that is not minimal', [payment, carrier(getHexBytes(`6a4c1456545231${bytesToHex(TAG)}`))]],
  ];
  return transactions.map(([about, outputs]) => {
    const found = findContributionTag(outputs, MARKER);
    return {
      about,
      outputs: outputs.map(({ value, script }) => ({ value: String(value), script: bytesToHex(script) })),
      result: found.kind,
      tag: found.kind === 'one' ? found.tag : null,
    };
  });
}

const NETWORK = '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9';
const SEED = new Uint8Array(32).fill(7);
const TXID = '5b1fd3f1cd1e4e2d8a6b4e6d4c5b0bb1a28b7bd6e0ad2f1d1b9bb3a0f9b4c0de';

function makeClaim() {
  const service_key = bytesToHex(ed25519.getPublicKey(SEED));
  const contributor_secret = '9f2c71d0'.repeat(8);
  const secret_hash = hashClaimSecret(contributor_secret);
  const output = { network: NETWORK, txid: TXID, vout: 0 };
  const contributor_id = 'VC-4J8ZQ0T6M1RW';
  return {
    ...{ ...output, service_key, contributor_id, contributor_secret, secret_hash },
    text: writeGiftClaimText({
      ...output,
      serviceKey: service_key,
      contributorId: contributor_id,
      secretHash: secret_hash,
    }),
  };
}

/** Entries: a gift, a coinbase, the reversal of the gift, and a note. */
function makeLedger() {
  const service_key = bytesToHex(ed25519.getPublicKey(SEED));
  const place = { height: 812_340, block_hash: NETWORK, block_time: '2026-01-10T10:00:00.000Z' };
  const gift = { txid: TXID, vout: 0, ...place, recorded_at: '2026-01-10T10:00:02.125Z' };
  const by = { contributor_id: 'VC-4J8ZQ0T6M1RW', intent_id: 'VI-7Q2M9K4T0XV8B3ND' };
  const plain = { late: false, reason: null, reverses: null };
  const entries: [EntryFields, salt: string | null][] = [
    [
      { sequence: 1, kind: 'contribution', amount: '1.00004213', balance: '1.00004213', ...gift, ...plain },
      'a1'.repeat(32),
    ],
    [
      {
        sequence: 2,
        kind: 'coinbase',
        amount: '50.00000000',
        balance: '51.00004213',
        ...gift,
        ...plain,
        txid: NETWORK,
      },
      null,
    ],
    [
      {
        ...{ sequence: 3, kind: 'reversal', amount: '-1.00004213', balance: '50.00000000' },
        ...{ ...gift, ...plain, reverses: 1, recorded_at: '2026-01-10T10:07:00.000Z' },
      },
      'b2'.repeat(32),
    ],
    [
      {
        ...{ sequence: 4, kind: 'note', amount: '0.00000000', balance: '50.00000000' },
        ...{ ...gift, ...plain, vout: null },
        ...{ refers_to: 2, purpose: 'Übersetzung', payee: 'Acme Words' },
      },
      null,
    ],
  ];
  let previous_hash = LEDGER_START;
  return entries.map(([entry, salt]) => {
    const opening = salt === null ? null : { ...by, salt };
    const attribution = opening && hashAttribution(opening);
    const text = writeEntryText(entry, { previous_hash, attribution, service_key }, NETWORK);
    const hash = hashEntryText(text);
    const signed = new TextEncoder().encode(writeSignedEntryText(hash));
    const signature = bytesToHex(ed25519.sign(signed, SEED));
    const seal = { previous_hash, attribution, hash, service_key, signature };
    previous_hash = hash;
    return { entry, opening, text, seal };
  });
}

/** The log of the ledger: after its second entry, and after its fourth. */
function makeLog(entries: readonly { entry: EntryFields; seal: { hash: string } }[]) {
  const service_key = bytesToHex(ed25519.getPublicKey(SEED));
  const origin = logOrigin('treasury-ledger', service_key);
  const sign = (text: string) => ed25519.sign(new TextEncoder().encode(text), SEED);
  const heads: LoggedHead[] = [entries[1]!, entries[3]!].map(({ entry, seal }, i) => ({
    ...{ type: 'treasury-head', version: 1, network: NETWORK, service_key, epoch: 1_410 + 2 * i },
    ...{ sequence: entry.sequence, hash: seal.hash, taken_at: `2026-01-1${i + 1}T00:00:01.500Z` },
  }));
  const texts = heads.map(writeLoggedHead);
  const leaves = texts.map((text) => hashLeaf(new TextEncoder().encode(text)));
  return {
    origin,
    entries: texts,
    checkpoints: leaves.map((_, i) => {
      const head = { origin, size: i + 1, root: rootOfLeaves(leaves.slice(0, i + 1)) };
      return { note: signCheckpoint(head, service_key, sign).note, digest: digestOfHead(head) };
    }),
  };
}

/** The content of docs/protocols/vectors/treasury.json. */
export function makeTreasuryVectors(): unknown {
  const entries = makeLedger();
  return {
    about: 'Test vectors of docs/protocols/treasury.md.',
    marker: bytesToHex(MARKER),
    scripts: [TAG, OTHER_TAG].map((tag) => ({
      tag: bytesToHex(tag),
      payload: bytesToHex(contributionPayload(tag, MARKER)),
      script: bytesToHex(contributionScript(tag, MARKER)),
    })),
    transactions: makeTransactions(),
    ledger: { network: NETWORK, entries },
    log: makeLog(entries),
    claims: [makeClaim()],
    suffixes: [0, 1, 2, 5, 6, 8, 18].map((decimals) => ({ decimals, suffixes: countSuffixes(decimals) })),
    nicknames: NICKNAMES.map((text) => {
      const parsed = parseNickname(text);
      return {
        text,
        nickname: parsed.ok ? parsed.value.nickname : null,
        skeletons: skeletonsOf(text),
      };
    }),
  };
}
