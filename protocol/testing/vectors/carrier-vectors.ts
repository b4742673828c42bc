import { bytesToHex, getHexBytes } from '../../bytes.ts';
import { readCarrier } from '../../carrier.ts';
import { encodeLeb128, MAX_LEB128, readLeb128 } from '../../leb128.ts';

const SCRIPTS: [about: string, script: string][] = [
  ['a proof anchor', `6a2456504631${'bb'.repeat(32)}`],
  ['75 bytes pushed directly', `6a4b${'01'.repeat(75)}`],
  ['76 bytes by PUSHDATA1', `6a4c4c${'01'.repeat(76)}`],
  ['80 bytes', `6a4c50${'01'.repeat(80)}`],
  ['an empty push', '6a00'],
  ['one byte above 16', '6a0111'],
  ['the byte 0', '6a0100'],
  ['OP_RETURN alone', '6a'],
  ['two pushes', '6a01ff01ff'],
  ['an opcode after the push', '6a02ffff51'],
  ['75 bytes by PUSHDATA1', `6a4c4b${'01'.repeat(75)}`],
  ['4 bytes by PUSHDATA1', '6a4c0401020304'],
  ['OP_5, which pushes no bytes of its own', '6a55'],
  ['OP_1NEGATE', '6a4f'],
  ['5 as a byte, which is not minimal', '6a0105'],
  ['-1 as a byte, which is not minimal', '6a0181'],
  ['PUSHDATA2', `6a4d5000${'01'.repeat(80)}`],
  ['81 bytes', `6a4c51${'01'.repeat(81)}`],
  ['a push over the end', '6a0401'],
  ['an opcode that pushes nothing', '6aac'],
  ['no OP_RETURN', '0401020304'],
  ['nothing', ''],
];

const BAD_INTEGERS = [
  '',
  '80',
  '8000',
  'ff00',
  '818080808080808000',
  '80808080808080808001',
  'ffffffffffffffffff01',
];

/** The content of docs/protocols/vectors/carrier.json. */
export function makeCarrierVectors(): unknown {
  const integers = [0n, 1n, 127n, 128n, 300n, 16383n, 16384n, 2n ** 56n, MAX_LEB128];
  return {
    about: 'Test vectors of docs/protocols/carrier.md. A payload of null: the script carries nothing.',
    scripts: SCRIPTS.map(([about, script]) => {
      const payload = readCarrier(getHexBytes(script));
      return { about, script, payload: payload === undefined ? null : bytesToHex(payload) };
    }),
    integers: {
      valid: integers.map((value) => ({ value: String(value), bytes: bytesToHex(encodeLeb128(value)) })),
      invalid: BAD_INTEGERS.flatMap((bytes) => {
        const read = readLeb128(getHexBytes(bytes), 0);
        return read.ok ? [] : [{ bytes, fault: read.fault }];
      }),
    },
  };
}
