import type { TxInputJson } from '@coinfront/api/chain-transactions.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { expect, test } from 'vitest';
import { listCarried } from './carried-text.ts';
import { explainInput } from './explain-input.ts';

const multisig = `51${`21${`02${'11'.repeat(32)}`}`.repeat(2)}52ae`;
const said = ['1 of 2 keys must sign (multisig).'];
const p2sh = `a914${'44'.repeat(20)}87`;
const p2wsh = `0020${'44'.repeat(32)}`;
const p2tr = `5120${'44'.repeat(32)}`;

const inputOf = (script: string, scriptSig: string, witness: string[], more = {}): TxInputJson => ({
  ...{ index: 0, txid: null, vout: null, coinbase: false, sequence: 0, script_sig_asm: null },
  prevout: { value: '1', address: null, script_type: '', script_asm: null, script },
  script_sig: scriptSig,
  witness,
  ...more,
});
const push = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex;
const sentencesOf = (input: TxInputJson) =>
  explainInput(input, 'utc').scripts.map(({ name, sentences }) => [name, sentences]);

test('scripts behind hashes are found and explained', () => {
  expect(sentencesOf(inputOf(p2sh, `00${push(multisig)}`, []))).toEqual([['Redeem script', said]]);
  expect(sentencesOf(inputOf(p2wsh, '', ['', '30', multisig]))).toEqual([['Witness script', said]]);
  const wrapped = inputOf(p2sh, push(p2wsh), ['', multisig]);
  expect(sentencesOf(wrapped)).toEqual([['Witness script', said]]);
  expect(explainInput(wrapped, 'utc').sentences).toEqual(['Segwit within P2SH.']);
});

test('taproot says which way was taken', () => {
  expect(explainInput(inputOf(p2tr, '', ['aa'.repeat(64)]), 'utc').sentences).toEqual([
    expect.stringContaining('key path'),
  ]);
  const control = `c0${'55'.repeat(32)}`;
  const path = (proof: string, annex: string[] = []) => inputOf(p2tr, '', ['aa', 'ac', proof, ...annex]);
  expect(explainInput(path(control), 'utc').sentences[0]).toMatch(/script path.*the only one/);
  expect(explainInput(path(control + '66'.repeat(64)), 'utc').sentences[0]).toMatch(/2 levels deep/);
  expect(explainInput(path(control, ['5001']), 'utc').sentences[1]).toBe('It has an annex of 2 bytes.');
  expect(explainInput(path('c0'), 'utc')).toEqual({ sentences: [], scripts: [] });
  expect(sentencesOf(path(control))).toEqual([['Tapscript', ['A signature is needed.']]]);
  expect(sentencesOf(path(`c1${'55'.repeat(32)}`))).toEqual([['Tapscript', ['A signature is needed.']]]);
  const unknown = explainInput(path(`c2${'55'.repeat(32)}`), 'utc');
  expect(unknown.sentences[1]).toMatch(/leaf version is 0xc2.*anybody can spend/);
  expect(unknown.scripts).toEqual([]);
});

test('nothing is said of what only signs, is not all there, or is no script', () => {
  const nothing = { sentences: [], scripts: [] };
  expect(explainInput(inputOf(`0014${'44'.repeat(20)}`, '', ['aa', 'bb']), 'utc')).toEqual(nothing);
  expect(explainInput(inputOf(p2wsh, '', [multisig], { witness_count: 9_000 }), 'utc')).toEqual(nothing);
  expect(explainInput({ ...inputOf(p2wsh, '', [multisig]), prevout: null }, 'utc')).toEqual(nothing);
  expect(explainInput(inputOf(p2sh, '4c', []), 'utc')).toEqual(nothing);
  expect(explainInput(inputOf(p2tr, '', []), 'utc')).toEqual(nothing);
  const long = explainInput(inputOf(p2wsh, '', ['51'.repeat(1_000_000)]), 'utc').scripts[0]!;
  expect([long.asm, long.sentences[0]]).toEqual([undefined, expect.stringContaining('1,000,000 bytes')]);
});

test('what OP_RETURN carries is hex, and text where it is one', () => {
  const hexOf = (text: string) => bytesToHex(new TextEncoder().encode(text));
  const of = (text: string) => `6a${push(hexOf(text))}`;
  expect(listCarried(of('hello ☺'))).toEqual([{ hex: hexOf('hello ☺'), text: 'hello ☺' }]);
  expect(listCarried(`${of('a')}${push('ff00')}`)).toEqual([
    { hex: '61', text: 'a' },
    { hex: 'ff00', text: undefined },
  ]);
  // Control characters and those that turn the direction of the line.
  expect(listCarried(of('a\u0007b'))[0]!.text).toBeUndefined();
  expect(listCarried(of('a\u202eb'))[0]!.text).toBeUndefined();
  expect(listCarried('0014aabb')).toEqual([]);
  expect(listCarried('6a4c')).toEqual([]);
  expect(listCarried(`6a${'0161'.repeat(500)}`)).toHaveLength(20);
  const [long] = listCarried(`6a4da00f${'61'.repeat(4_000)}`);
  expect([long!.hex.length, long!.text!.length]).toEqual([4_001, 2_001]);
});
