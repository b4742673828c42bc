import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { expect, test } from 'vitest';
import { describeInnerScripts } from './inner-scripts.ts';

const hash20 = '11'.repeat(20);
const p2sh = `a914${hash20}87`;
const p2wsh = `0020${'22'.repeat(32)}`;
const program = `0014${hash20}`;
const inner = { asm: 'OP_PUSHNUM_1 OP_DROP', hex: '5175' };

test.each([
  ['of P2WPKH', '', ['aa', 'bb'], program, {}],
  ['of P2PKH', '0151', [], `76a914${hash20}88ac`, {}],
  ['of P2WSH', '', ['aa', inner.hex], p2wsh, { inner_witnessscript_asm: inner.asm }],
  ['of P2WSH without a witness', '', [], p2wsh, {}],
  ['of P2SH', `010102${inner.hex}`, [], p2sh, { inner_redeemscript_asm: inner.asm }],
  [
    'of P2WPKH in P2SH',
    `16${program}`,
    ['aa', 'bb'],
    p2sh,
    { inner_redeemscript_asm: `OP_0 OP_PUSHBYTES_20 ${hash20}` },
  ],
  [
    'of P2WSH in P2SH',
    `22${p2wsh}`,
    [inner.hex],
    p2sh,
    {
      inner_redeemscript_asm: `OP_0 OP_PUSHBYTES_32 ${'22'.repeat(32)}`,
      inner_witnessscript_asm: inner.asm,
    },
  ],
  ['of P2SH whose last push runs over the end', '4c', [], p2sh, {}],
])('the scripts behind the hashes %s are shown', (_, scriptSig, witness, spent, expected) => {
  const input = { scriptSig: getHexBytes(scriptSig), witness: witness.map(getHexBytes) };
  expect(describeInnerScripts(input, getHexBytes(spent))).toEqual(expected);
});
