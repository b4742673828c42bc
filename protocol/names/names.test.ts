import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { damagedArbitrary } from '../testing/arbitraries.ts';
import { nameContext } from '../testing/protocol-rules.ts';
import { describeAvailability, doesNameResolve } from './name-availability.ts';
import { nameCommitment } from './name-commitment.ts';
import { decodeNameOperation, encodeNameOperation, type NameOperation } from './name-operation.ts';
import { premiumAt, pricePerPeriod } from './name-price.ts';
import type { NameRecord } from './name-rules.ts';
import { parseName } from './name-syntax.ts';

const { rules } = nameContext;
const { marker } = rules;
const OWNER = getHexBytes(`0014${'11'.repeat(20)}`);

const byte = fc.nat(255);
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const label = fc.stringMatching(/^[a-z0-9]{3,32}$/);
const name = fc.tuple(label, fc.constantFrom('coin', 'test')).map(([text, tld]) => `${text}.${tld}`);
const operation: fc.Arbitrary<NameOperation> = fc.oneof(
  fc.record({ kind: fc.constant('commit' as const), commitment: bytes(32) }),
  fc.record({ kind: fc.constant('register' as const), periods: byte, salt: bytes(16), name }),
  fc.record({ kind: fc.constant('transfer' as const), toVout: byte, name }),
  fc.record({ kind: fc.constant('renew' as const), periods: byte, name }),
);

describe('payloads', () => {
  test.each<[NameOperation, string]>([
    [{ kind: 'commit', commitment: getHexBytes('ab'.repeat(32)) }, `01${'ab'.repeat(32)}`],
    [
      { kind: 'register', periods: 2, salt: getHexBytes('cd'.repeat(16)), name: 'abc.coin' },
      `0202${'cd'.repeat(16)}6162632e636f696e`,
    ],
    [{ kind: 'transfer', toVout: 255, name: 'abc.coin' }, '03ff6162632e636f696e'],
    [{ kind: 'renew', periods: 10, name: 'abc.coin' }, '040a6162632e636f696e'],
  ])('$kind has exactly these bytes', (value, hex) => {
    expect(bytesToHex(encodeNameOperation(value, marker))).toBe(`564e5331${hex}`);
    expect(decodeNameOperation(getHexBytes(`564e5331${hex}`))).toEqual({ ok: true, operation: value });
  });

  test.each([
    ['', 'payload_truncated'],
    ['00', 'unknown_opcode'],
    ['05', 'unknown_opcode'],
    [`01${'ab'.repeat(31)}`, 'payload_truncated'],
    [`01${'ab'.repeat(33)}`, 'payload_trailing'],
    [`0201${'cd'.repeat(15)}`, 'payload_truncated'],
    ['03', 'payload_truncated'],
  ])('%s is no operation: %s', (hex, reason) => {
    expect(decodeNameOperation(getHexBytes(`564e5331${hex}`))).toEqual({ ok: false, reason });
  });

  test('what is written is read again, in at most 80 bytes', () => {
    fc.assert(
      fc.property(operation, (value) => {
        const payload = encodeNameOperation(value, marker);
        expect(payload.length).toBeLessThanOrEqual(80);
        expect(decodeNameOperation(payload)).toEqual({ ok: true, operation: value });
      }),
    );
  });

  test('no bytes make the decoder throw, and what it reads has one form', () => {
    const any = fc.uint8Array({ maxLength: 80 }).map((rest) => concatBytes(marker, rest));
    const damaged = damagedArbitrary(operation.map((value) => encodeNameOperation(value, marker)));
    fc.assert(
      fc.property(fc.oneof(any, damaged), (payload) => {
        const decoded = decodeNameOperation(payload);
        if (!decoded.ok) return;
        const isCanonicalText =
          decoded.operation.kind === 'commit' || /^[ -~]*$/.test(decoded.operation.name);
        if (isCanonicalText)
          expect(encodeNameOperation(decoded.operation, marker).subarray(4)).toEqual(payload.slice(4));
      }),
      { numRuns: 1000 },
    );
  });

  test('what does not fit is an error of the caller', () => {
    expect(() => encodeNameOperation({ kind: 'commit', commitment: new Uint8Array(31) }, marker)).toThrow(
      RangeError,
    );
    expect(() => encodeNameOperation({ kind: 'renew', periods: 256, name: 'abc.coin' }, marker)).toThrow(
      RangeError,
    );
  });
});

describe('parseName', () => {
  test.each(['abc.coin', 'a-b.test', '0-0.coin', `${'z'.repeat(32)}.coin`, 'ab-c-d.coin', 'abc--d.coin'])(
    '%s is a name',
    (text) => expect(parseName(text, rules)).toMatchObject({ ok: true, value: { name: text } }),
  );

  test.each([
    [`${'a'.repeat(45)}.coin`, 'name_too_long'],
    ['', 'name_form'],
    ['abc', 'name_form'],
    ['a.b.coin', 'name_form'],
    ['abc.coin.', 'name_form'],
    ['abc.', 'name_tld'],
    ['abc.com', 'name_tld'],
    ['abc.COIN', 'name_tld'],
    ['ab.coin', 'label_length'],
    [`${'a'.repeat(33)}.coin`, 'label_length'],
    ['.coin', 'label_length'],
    ['Abc.coin', 'label_characters'],
    ['a_c.coin', 'label_characters'],
    ['a c.coin', 'label_characters'],
    ['abc\n.coin', 'label_characters'],
    ['äbc.coin', 'label_characters'],
    ['-abc.coin', 'label_hyphens'],
    ['abc-.coin', 'label_hyphens'],
    ['xn--a.coin', 'label_hyphens'],
    ['----.coin', 'label_hyphens'],
  ])('%s: %s', (text, reason) => {
    expect(parseName(text, rules)).toEqual({ ok: false, reason });
  });

  test('a coin may ask for longer labels', () => {
    expect(parseName('abcd.coin', { ...rules, minLabelLength: 5 })).toEqual({
      ok: false,
      reason: 'label_length',
    });
  });
});

test('a commitment binds tag, chain, owner, salt and name', () => {
  const parts = { ownerScript: OWNER, salt: new Uint8Array(16), name: 'abc.coin' };
  const expected = sha256(
    concatBytes(
      getHexBytes('564e5331'),
      // The genesis hash is written 5308…16f9: its bytes come in the other order.
      getHexBytes('f916c456fc51df62'),
      sha256(OWNER),
      new Uint8Array(16),
      getHexBytes('6162632e636f696e'),
    ),
  );
  expect(nameCommitment(parts, nameContext.genesisPrefix)).toEqual(expected);
  for (const other of [
    nameCommitment({ ...parts, name: 'abd.coin' }, nameContext.genesisPrefix),
    nameCommitment({ ...parts, salt: new Uint8Array(16).fill(1) }, nameContext.genesisPrefix),
    nameCommitment({ ...parts, ownerScript: OWNER.subarray(1) }, nameContext.genesisPrefix),
    nameCommitment(parts, new Uint8Array(8)),
  ]) {
    expect(other).not.toEqual(expected);
  }
});

describe('prices', () => {
  test('go by length of the label and by height', () => {
    expect([3, 4, 5, 32].map((length) => pricePerPeriod(length, 100, rules))).toEqual([500n, 100n, 10n, 10n]);
    expect([3, 32].map((length) => pricePerPeriod(length, 129, rules))).toEqual([500n, 10n]);
    expect([3, 32].map((length) => pricePerPeriod(length, 130, rules))).toEqual([20n, 20n]);
  });

  test('the premium begins whole with the end of grace, and falls to zero, rounded down', () => {
    // Expiry 100, grace 5 blocks, premium 1001 over 4 blocks.
    expect([105, 106, 107, 108, 109, 1000].map((height) => premiumAt(100, height, rules))).toEqual([
      1001n,
      750n,
      500n,
      250n,
      0n,
      0n,
    ]);
  });

  test('the premium never rises and never leaves its bounds', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(6000),
        (premiumStart, premiumBlocks, elapsed) => {
          const own = { ...rules, premiumStart, premiumBlocks };
          const now = premiumAt(100, 105 + elapsed, own);
          expect(now >= 0n && now <= premiumStart).toBe(true);
          expect(premiumAt(100, 106 + elapsed, own) <= now).toBe(true);
        },
      ),
    );
  });
});

describe('availability', () => {
  const record: NameRecord = { name: 'abc.coin', owner: OWNER, registeredHeight: 110, expiry: 120 };
  const parsed = { name: 'abc.coin', label: 'abc', tld: 'coin' };
  const at = (height: number, known: NameRecord | undefined = record) =>
    describeAvailability(parsed, known, height, rules);

  test('says why not, and from when', () => {
    expect(describeAvailability(parsed, undefined, 99, rules)).toEqual({
      status: 'inactive',
      availableFrom: 102,
    });
    expect(describeAvailability(parsed, undefined, 100, rules)).toEqual({ status: 'free', perPeriod: 500n });
    expect(at(119)).toEqual({ status: 'registered', expiry: 120, availableFrom: 125 });
    expect(at(120)).toEqual({ status: 'grace', expiry: 120, availableFrom: 125 });
    expect(at(124)).toEqual({ status: 'grace', expiry: 120, availableFrom: 125 });
    expect(at(125)).toEqual({
      status: 'premium',
      expiry: 120,
      premium: 1001n,
      premiumEnds: 129,
      perPeriod: 500n,
    });
    expect(at(128)).toMatchObject({ status: 'premium', premium: 250n });
    expect(at(129)).toEqual({ status: 'free', perPeriod: 500n });
  });

  test('a name resolves below its expiry', () => {
    expect([119, 120].map((height) => doesNameResolve(record, height))).toEqual([true, false]);
  });
});
