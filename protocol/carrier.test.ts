import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, getHexBytes } from './bytes.ts';
import { buildCarrier, findPayload, readCarrier } from './carrier.ts';

const HASH_32 = 'bb'.repeat(32);
const MARKER = getHexBytes('564e5331');
const output = (script: string) => ({ value: 0n, script: getHexBytes(script) });

describe('readCarrier', () => {
  test.each([
    ['a proof anchor', `6a2456504631${HASH_32}`, `56504631${HASH_32}`],
    ['75 bytes pushed directly', `6a4b${'01'.repeat(75)}`, '01'.repeat(75)],
    ['76 bytes by PUSHDATA1', `6a4c4c${'01'.repeat(76)}`, '01'.repeat(76)],
    ['80 bytes', `6a4c50${'01'.repeat(80)}`, '01'.repeat(80)],
    ['an empty push', '6a00', ''],
    ['one byte above 16', '6a0111', '11'],
    ['the byte 0', '6a0100', '00'],
  ])('reads %s', (_name, script, payload) => {
    expect(readCarrier(getHexBytes(script))).toEqual(getHexBytes(payload));
  });

  test.each([
    ['OP_RETURN alone', '6a'],
    ['two pushes', '6a01ff01ff'],
    ['an opcode after the push', '6a02ffff51'],
    ['75 bytes by PUSHDATA1', `6a4c4b${'01'.repeat(75)}`],
    ['4 bytes by PUSHDATA1', '6a4c0401020304'],
    ['nothing by PUSHDATA1', '6a4c00'],
    ['a small number', '6a55'],
    ['minus one', '6a4f'],
    ['a small number as a byte', '6a0105'],
    ['minus one as a byte', '6a0181'],
    ['PUSHDATA2', `6a4d5000${'01'.repeat(80)}`],
    ['PUSHDATA4', `6a4e50000000${'01'.repeat(80)}`],
    ['81 bytes', `6a4c51${'01'.repeat(81)}`],
    ['a push over the end', '6a0401'],
    ['an opcode that pushes nothing', '6aac'],
    ['no OP_RETURN', '0401020304'],
    ['nothing', ''],
  ])('reads nothing in %s', (_name, script) => {
    expect(readCarrier(getHexBytes(script))).toBeUndefined();
  });

  test('finds in every carrier that is written the payload that was put in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 2, maxLength: 80 }), (payload) => {
        expect(readCarrier(buildCarrier(payload))).toEqual(payload);
      }),
    );
    expect(() => buildCarrier(new Uint8Array(81))).toThrow(RangeError);
    expect(() => buildCarrier(new Uint8Array(1))).toThrow(RangeError);
  });

  test('what is read is the only script that carries it', () => {
    const script = fc.uint8Array({ maxLength: 84 }).map((rest) => Uint8Array.of(0x6a, ...rest));
    fc.assert(
      fc.property(script, (bytes) => {
        const payload = readCarrier(bytes);
        if (payload === undefined || payload.length < 2) return;
        expect(bytesToHex(buildCarrier(payload))).toBe(bytesToHex(bytes));
      }),
    );
  });
});

describe('findPayload', () => {
  test('of a protocol there is none, one with its output, or several', () => {
    const other = output(`6a2456504631${HASH_32}`);
    const first = output('6a05564e533101');
    const second = output('6a05564e533102');
    expect(findPayload([other], MARKER)).toEqual({ kind: 'none' });
    expect(findPayload([other, first], MARKER)).toEqual({
      kind: 'one',
      vout: 1,
      payload: getHexBytes('564e533101'),
    });
    expect(findPayload([second, other, first], MARKER)).toEqual({ kind: 'several', vouts: [0, 2] });
  });

  test('a marker in a script that carries nothing does not count', () => {
    const notMinimal = output('6a4c05564e533102');
    const tooShort = output('6a03564e53');
    expect(findPayload([notMinimal, tooShort], MARKER)).toEqual({ kind: 'none' });
    expect(findPayload([notMinimal, output('6a04564e5331')], MARKER)).toMatchObject({ kind: 'one', vout: 1 });
  });
});
