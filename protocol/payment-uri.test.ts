import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAddress } from './address.ts';
import { buildPaymentUri, type PaymentRequest, parsePaymentUri } from './payment-uri.ts';
import { getValue } from './result.ts';
import { witnessScript } from './script.ts';
import { bitcoin, regtest } from './testing/profiles.ts';

// The address in BIP-21's examples has a wrong checksum on purpose; this one stands in for it.
const BIP21_ADDRESS = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
const VALID_ADDRESS = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const ADDRESS = 'rltc1q3f8cjg9yappdelresqzew57zf5yp74s9mruvh5';
const nothing = { amount: undefined, label: undefined, message: undefined, reference: undefined };

const requestArbitrary: fc.Arbitrary<PaymentRequest> = fc.record({
  address: fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((hash) => encodeAddress(witnessScript(0, hash), regtest)!),
  amount: fc.option(fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), { nil: undefined }),
  label: fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }), { nil: undefined }),
  message: fc.option(fc.string({ unit: 'binary', maxLength: 30 }), { nil: undefined }),
  reference: fc.option(fc.string({ maxLength: 30 }), { nil: undefined }),
});

describe('payment URI', () => {
  test('reads the examples of BIP-21, but for their address, whose checksum is wrong', () => {
    expect(parsePaymentUri(`bitcoin:${BIP21_ADDRESS}`, bitcoin)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('checksum'),
    });
    const read = (tail: string) => {
      const { script, ...request } = getValue(parsePaymentUri(`bitcoin:${VALID_ADDRESS}${tail}`, bitcoin));
      expect(script).toHaveLength(25);
      return request;
    };
    const address = VALID_ADDRESS;
    expect(read('')).toEqual({ ...nothing, address });
    expect(read('?label=Luke-Jr')).toEqual({ ...nothing, address, label: 'Luke-Jr' });
    expect(read('?amount=20.3&label=Luke-Jr')).toEqual({
      ...nothing,
      address,
      amount: 2_030_000_000n,
      label: 'Luke-Jr',
    });
    expect(read('?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz')).toEqual({
      ...nothing,
      address,
      amount: 5_000_000_000n,
      label: 'Luke-Jr',
      message: 'Donation for project xyz',
    });
    expect(read('?somethingyoudontunderstand=50&somethingelseyoudontget=999')).toEqual({
      ...nothing,
      address,
    });
    expect(
      parsePaymentUri(
        `bitcoin:${address}?req-somethingyoudontunderstand=50&req-somethingelseyoudontget=999`,
        bitcoin,
      ).ok,
    ).toBe(false);
  });

  test('parse(build(request)) gives the request', () => {
    fc.assert(
      fc.property(requestArbitrary, (request) => {
        const built = buildPaymentUri(request, regtest);
        const hasBadText = [request.label, request.message, request.reference].some(
          (text) => text?.isWellFormed() === false,
        );
        expect(built.ok).toBe(!hasBadText);
        if (!built.ok) return;
        const { script, ...parsed } = getValue(parsePaymentUri(built.value, regtest));
        expect(parsed).toEqual(request);
        expect(script).toHaveLength(22);
      }),
    );
  });

  test('writes what the specification shows', () => {
    const request = {
      address: ADDRESS,
      amount: 50_000_000n,
      label: 'Tea & co',
      message: 'a+b=c?',
      reference: '№ 7',
    };
    expect(buildPaymentUri(request, regtest)).toEqual({
      ok: true,
      value: `coin:${ADDRESS}?amount=0.50000000&label=Tea%20%26%20co&message=a%2Bb%3Dc%3F&reference=%E2%84%96%207`,
    });
    expect(buildPaymentUri({ ...nothing, address: ADDRESS }, regtest)).toEqual({
      ok: true,
      value: `coin:${ADDRESS}`,
    });
  });

  test('scheme and names are read in either case, as QR codes write them', () => {
    const uri = `COIN:${ADDRESS.toUpperCase()}?AMOUNT=1&Label=x`;
    expect(parsePaymentUri(uri, regtest)).toMatchObject({
      ok: true,
      value: { amount: 100_000_000n, label: 'x' },
    });
  });

  test('a plus sign is a plus sign', () => {
    expect(parsePaymentUri(`coin:${ADDRESS}?label=a+b`, regtest)).toMatchObject({ value: { label: 'a+b' } });
  });

  test.each([
    ['another scheme', `bitcoin:${ADDRESS}`, 'must begin with "coin:"'],
    ['no scheme', ADDRESS, 'must begin'],
    ['an authority', `coin://${ADDRESS}`, 'address'],
    ['no address', 'coin:?amount=1', 'address is empty'],
    ["another coin's address", `coin:${VALID_ADDRESS}`, 'another network'],
    ['an amount given twice', `coin:${ADDRESS}?amount=1&amount=1`, '"amount" twice'],
    ['an amount given twice in two cases', `coin:${ADDRESS}?amount=1&AMOUNT=2`, '"amount" twice'],
    ['an amount given twice, once encoded', `coin:${ADDRESS}?amount=1&%61mount=2`, '"amount" twice'],
    ['an unknown parameter twice', `coin:${ADDRESS}?x=1&x=2`, '"x" twice'],
    ['an unknown required one', `coin:${ADDRESS}?req-x=1`, 'requires "req-x"'],
    ['an unknown required one in capitals', `coin:${ADDRESS}?REQ-x`, 'requires "req-x"'],
    ['an unknown required one, encoded', `coin:${ADDRESS}?%72eq-x=1`, 'requires "req-x"'],
    ['an exponent', `coin:${ADDRESS}?amount=1e3`, 'plain decimal'],
    ['a negative amount', `coin:${ADDRESS}?amount=-1`, 'plain decimal'],
    ['a comma', `coin:${ADDRESS}?amount=1,5`, 'plain decimal'],
    ['too many decimals', `coin:${ADDRESS}?amount=0.123456789`, '9 decimals'],
    ['a bare point', `coin:${ADDRESS}?amount=.`, 'plain decimal'],
    ['two points', `coin:${ADDRESS}?amount=1.2.3`, 'plain decimal'],
    ['more whole digits than any coin has', `coin:${ADDRESS}?amount=${'9'.repeat(21)}`, 'whole digits'],
    ['an empty amount', `coin:${ADDRESS}?amount=`, 'plain decimal'],
    ['an amount without value', `coin:${ADDRESS}?amount`, 'no value for "amount"'],
    ['half a percent code', `coin:${ADDRESS}?label=%2`, 'malformed'],
    ['a percent code that is no hex', `coin:${ADDRESS}?label=%zz`, 'malformed'],
    ['bytes that are no UTF-8', `coin:${ADDRESS}?label=%ff`, 'malformed'],
    ['a space', `coin:${ADDRESS}?label=a b`, 'malformed'],
    ['a raw letter outside ASCII', `coin:${ADDRESS}?label=é`, 'malformed'],
    ['a second equals sign', `coin:${ADDRESS}?label=a=b`, 'malformed'],
    ['an empty parameter', `coin:${ADDRESS}?amount=1&`, 'malformed'],
    ['an empty query', `coin:${ADDRESS}?`, 'malformed'],
    ['a fragment', `coin:${ADDRESS}?label=a#b`, 'malformed'],
    ['an encoded address', `coin:%72${ADDRESS.slice(1)}`, 'address'],
    ['over 4,096 characters', `coin:${ADDRESS}?label=${'a'.repeat(4096)}`, 'over 4096'],
  ])('refuses %s', (_name, uri, reason) => {
    expect(parsePaymentUri(uri, regtest)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  test.each([
    ["another coin's address", { address: VALID_ADDRESS }],
    ['a negative amount', { amount: -1n }],
    ['half a surrogate pair', { label: '\ud800' }],
    ['text that is too long', { message: 'é'.repeat(1000) }],
  ])('does not build from %s', (_name, part) => {
    expect(buildPaymentUri({ ...nothing, address: ADDRESS, ...part }, regtest).ok).toBe(false);
  });

  test('random text never makes it throw', () => {
    const tail = fc.string({ unit: fc.constantFrom(...'&=%?#+-.aAmount0159reqlbs\u00e9') });
    fc.assert(
      fc.property(tail, (text) => {
        expect(typeof parsePaymentUri(`coin:${ADDRESS}?${text}`, regtest).ok).toBe('boolean');
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['.5', 50_000_000n],
  ['5.', 500_000_000n],
  ['00.5', 50_000_000n],
  ['0', 0n],
  ['000', 0n],
  ['0.', 0n],
  ['.0', 0n],
  ['0021', 2_100_000_000n],
  ['1.10', 110_000_000n],
  [`${'0'.repeat(60)}1`, 100_000_000n],
])('an amount is read as wallets write it: %s', (text, amount) => {
  expect(parsePaymentUri(`coin:${ADDRESS}?amount=${text}`, regtest)).toMatchObject({
    ok: true,
    value: { amount },
  });
});
