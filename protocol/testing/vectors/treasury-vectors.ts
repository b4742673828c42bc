import { bytesToHex, concatBytes, getHexBytes } from '../../bytes.ts';
import { buildCarrier } from '../../carrier.ts';
import type { TxOutput } from '../../transaction.ts';
import {
  contributionPayload,
  contributionScript,
  findContributionTag,
} from '../../treasury/contribution-tag.ts';
import { countSuffixes } from '../../treasury/exact-amount.ts';
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

/** The content of docs/protocols/vectors/treasury.json. */
export function makeTreasuryVectors(): unknown {
  return {
    about: 'Test vectors of docs/protocols/treasury.md.',
    marker: bytesToHex(MARKER),
    scripts: [TAG, OTHER_TAG].map((tag) => ({
      tag: bytesToHex(tag),
      payload: bytesToHex(contributionPayload(tag, MARKER)),
      script: bytesToHex(contributionScript(tag, MARKER)),
    })),
    transactions: makeTransactions(),
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
