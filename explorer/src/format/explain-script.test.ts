import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listCarried } from './carried-text.ts';
import { explainOutput, explainScript } from './explain-script.ts';
import { formatExact } from './time.ts';

const key = (digits: string) => `21${`02${digits.repeat(32)}`}`;
const xOnly = (digits: string) => `20${digits.repeat(32)}`;
const [a, b, c] = ['11', '22', '33'] as const;
const p2pkh = `76a914${'44'.repeat(20)}88ac`;

test.each([
  ['2 of 3 multisig', `52${key(a)}${key(b)}${key(c)}53ae`, ['2 of 3 keys must sign (multisig).']],
  // BIP-65: until a height, then one key.
  ['CLTV by height', `03401a0bb175${p2pkh}`, ['Not before block 727,616.', 'A signature is needed.']],
  ['CLTV by time', '0400e1f55eb175', ['Not before 2020-06-26 11:50:24 UTC.']],
  [
    'CSV by blocks',
    `029000b27521${`02${a.repeat(32)}`}ac`,
    ['Not before 144 blocks after the output was mined.', 'A signature is needed.'],
  ],
  ['CSV by one block', '51b2', ['Not before 1 block after the output was mined.']],
  ['CSV by time', '03900040b2', ['Not before 20.5 hours after the output was mined.']],
  ['CSV switched off', '0500000080 00b2'.replace(' ', ''), []],
  // As the offered HTLC of Lightning (BOLT 3): a preimage, or two of two, after a revocation key.
  [
    'an HTLC',
    `76a914${'55'.repeat(20)}8763ac67${key(a)}7c820120876475527c${key(b)}52ae67a914${'66'.repeat(20)}88ac6868`,
    [
      'There are several ways to spend it: one of them is enough.',
      'A signature is needed.',
      'The preimage of a HASH160 hash must be shown.',
    ],
  ],
  [
    'multisig behind a timelock',
    `6352${key(a)}${key(b)}52ae67029000b275${key(c)}ac68`,
    [
      'There are several ways to spend it: one of them is enough.',
      '2 of 2 keys must sign (multisig).',
      'Not before 144 blocks after the output was mined.',
      'A signature is needed.',
    ],
  ],
  [
    '2 of 3 in a tapscript',
    `${xOnly(a)}ac${xOnly(b)}ba${xOnly(c)}ba529c`,
    ['2 of 3 keys must sign (multisig).'],
  ],
  ['a push over the end', '4c', ['The script is not well formed.']],
  ['nothing', '', []],
])('a script says what it asks for: %s', (_, hex, sentences) => {
  expect(explainScript(getHexBytes(hex), 'utc')).toEqual(sentences);
});

test('a time is written in the zone that the reader has chosen', () => {
  const locked = getHexBytes('0400e1f55eb175');
  const time = new Date(0x5ef5e100 * 1_000).toISOString();
  expect(explainScript(locked, 'local')).toEqual([`Not before ${formatExact(time, 'local')}.`]);
  expect(explainScript(locked, 'utc')).toEqual([`Not before ${formatExact(time, 'utc')}.`]);
});

test('however long a script is, little is said', () => {
  expect(explainScript(new Uint8Array(10_001).fill(0x51), 'utc')).toEqual([
    'A script of 10,001 bytes, too long to be explained.',
  ]);
  const locks = Array.from({ length: 2_000 }, (_, i) => [2, i % 256, Math.floor(i / 256), 0xb1]).flat();
  expect(explainScript(Uint8Array.from(locks), 'utc')).toHaveLength(12);
  // A count of keys that are not there.
  expect(explainScript(getHexBytes('5260ae'), 'utc')).toEqual([]);
});

test('whatever the bytes are, little is said and nothing fails', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (script) => {
      expect(explainScript(script, 'utc').length + explainOutput(script, 'utc').length).toBeLessThan(25);
      for (const { hex } of listCarried(bytesToHex(script))) expect(hex.length).toBeLessThan(4_002);
    }),
  );
});

test.each([
  ['p2pkh', p2pkh, undefined],
  ['p2wpkh', `0014${'44'.repeat(20)}`, undefined],
  ['p2sh', `a914${'44'.repeat(20)}87`, /hash of a script/],
  ['p2wsh', `0020${'44'.repeat(32)}`, /hash of a script/],
  ['p2tr', `5120${'44'.repeat(32)}`, /^Taproot/],
  ['p2a', '51024e73', /^Anchor/],
  ['a later version', `5220${'44'.repeat(32)}`, /version 2/],
  ['multisig of its own', `51${key(a)}${key(b)}52ae`, /^1 of 2 keys/],
  ['OP_RETURN', '6a0474657374', undefined],
])('an output says what its address does not: %s', (_, hex, expected) => {
  const said = explainOutput(getHexBytes(hex), 'utc');
  expect(said).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
});
