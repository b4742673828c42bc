import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getHexBytes } from './bytes.ts';
import {
  classifyScript,
  disassembleScript,
  findWitnessProgram,
  isUnspendable,
  scriptTypeName,
  witnessScript,
} from './script.ts';

const KEY_33 = `02${'11'.repeat(32)}`;
const KEY_65 = `04${'22'.repeat(64)}`;
const HASH_20 = 'aa'.repeat(20);
const HASH_32 = 'bb'.repeat(32);

describe('classifyScript', () => {
  test.each([
    [`21${KEY_33}ac`, 'p2pk', 'pubkey'],
    [`41${KEY_65}ac`, 'p2pk', 'pubkey'],
    [`76a914${HASH_20}88ac`, 'p2pkh', 'pubkeyhash'],
    [`a914${HASH_20}87`, 'p2sh', 'scripthash'],
    [`0014${HASH_20}`, 'p2wpkh', 'witness_v0_keyhash'],
    [`0020${HASH_32}`, 'p2wsh', 'witness_v0_scripthash'],
    [`5120${HASH_32}`, 'p2tr', 'witness_v1_taproot'],
    ['51024e73', 'p2a', 'anchor'],
    [`5114${HASH_20}`, 'witness_unknown', 'witness_unknown'],
    [`5220${HASH_32}`, 'witness_unknown', 'witness_unknown'],
    [`5121${KEY_33}51ae`, 'multisig', 'multisig'],
    [`5221${KEY_33}41${KEY_65}21${KEY_33}53ae`, 'multisig', 'multisig'],
    ['6a', 'nulldata', 'nulldata'],
    ['6a24'.padEnd(76, '0'), 'nulldata', 'nulldata'],
    ['6a5102ffff', 'nulldata', 'nulldata'],
    ['', 'empty', 'nonstandard'],
    ['51', 'nonstandard', 'nonstandard'],
    [`0015${HASH_20}00`, 'nonstandard', 'nonstandard'],
    [`5221${KEY_33}51ae`, 'nonstandard', 'nonstandard'],
    [`5121${KEY_33}52ae`, 'nonstandard', 'nonstandard'],
    [`5121${KEY_33}51ae61`, 'nonstandard', 'nonstandard'],
    [`2105${'11'.repeat(32)}ac`, 'nonstandard', 'nonstandard'],
    ['6a02ff', 'nonstandard', 'nonstandard'],
    ['6aac', 'nonstandard', 'nonstandard'],
  ])('%s is %s, in the node’s words %s', (hex, kind, name) => {
    const info = classifyScript(getHexBytes(hex));
    expect(info.kind).toBe(kind);
    expect(scriptTypeName(info.kind)).toBe(name);
  });

  test('20 keys are a multisig, 21 are not', () => {
    const keys = (n: number) => `21${KEY_33}`.repeat(n);
    expect(classifyScript(getHexBytes(`51${keys(16)}60ae`))).toMatchObject({ kind: 'multisig', required: 1 });
    expect(classifyScript(getHexBytes(`51${keys(20)}0114ae`)).kind).toBe('multisig');
    expect(classifyScript(getHexBytes(`51${keys(21)}0115ae`)).kind).toBe('nonstandard');
  });

  test('a witness program is found in the script made of it', () => {
    const program = fc.uint8Array({ minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), program, (version, bytes) => {
        expect(findWitnessProgram(witnessScript(version, bytes))).toEqual({ version, program: bytes });
      }),
    );
  });

  test('random scripts are classified and shown without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (script, showSighash) => {
        expect(scriptTypeName(classifyScript(script).kind)).not.toBe('');
        expect(typeof disassembleScript(script, { showSighash })).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('isUnspendable', () => {
  test('holds for OP_RETURN first and for over 10,000 bytes, and for nothing else', () => {
    expect(isUnspendable(getHexBytes('6a'))).toBe(true);
    expect(isUnspendable(getHexBytes('6aff'))).toBe(true);
    expect(isUnspendable(new Uint8Array(10_001))).toBe(true);
    expect(isUnspendable(new Uint8Array(10_000))).toBe(false);
    expect(isUnspendable(getHexBytes('516a'))).toBe(false);
    expect(isUnspendable(new Uint8Array(0))).toBe(false);
  });
});

describe('disassembleScript', () => {
  test.each([
    [`76a914${HASH_20}88ac`, `OP_DUP OP_HASH160 ${HASH_20} OP_EQUALVERIFY OP_CHECKSIG`],
    [`0014${HASH_20}`, `0 ${HASH_20}`],
    ['51024e73', '1 29518'],
    ['6a0401020304', 'OP_RETURN 67305985'],
    ['6a0501020304ff', 'OP_RETURN 01020304ff'],
    ['4f6001800181', '-1 16 0 -1'],
    ['02ffff', '-32767'],
    ['50baff61bb', 'OP_RESERVED OP_CHECKSIGADD OP_INVALIDOPCODE OP_NOP OP_UNKNOWN'],
    ['b1b2', 'OP_CHECKLOCKTIMEVERIFY OP_CHECKSEQUENCEVERIFY'],
    ['5102ff', '1 [error]'],
    ['', ''],
  ])('shows %s as %s', (hex, text) => {
    expect(disassembleScript(getHexBytes(hex))).toBe(text);
  });

  test('shows the sighash of a signature in a scriptSig when asked', () => {
    const signature = '3006020101020101';
    const scriptSig = getHexBytes(`09${signature}01`);
    expect(disassembleScript(scriptSig, { showSighash: true })).toBe(`${signature}[ALL]`);
    expect(disassembleScript(scriptSig)).toBe(`${signature}01`);
    expect(disassembleScript(getHexBytes(`09${signature}04`), { showSighash: true })).toBe(`${signature}04`);
    expect(disassembleScript(getHexBytes(`09${signature}83`), { showSighash: true })).toBe(
      `${signature}[SINGLE|ANYONECANPAY]`,
    );
  });

  test('shows the beginning of a very long script and says that it was cut', () => {
    const text = disassembleScript(new Uint8Array(100_000).fill(0x61));
    expect(text.endsWith('OP_NOP [truncated]')).toBe(true);
    expect(text.split(' ')).toHaveLength(20_001);
  });
});
