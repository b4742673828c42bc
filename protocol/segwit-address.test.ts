import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSegwitText, encodeSegwitAddress } from './segwit-address.ts';

const prefixes = fc.constantFrom('bc', 'tb', 'bcrt', 'ltc', 'rltc', 'x1y');

test('writes what the library for bech32 and bech32m writes, for any prefix, version and program', () => {
  fc.assert(
    fc.property(
      prefixes,
      fc.integer({ min: 0, max: 16 }),
      fc.uint8Array({ minLength: 2, maxLength: 40 }),
      (hrp, version, program) => {
        const coder = version === 0 ? bech32 : bech32m;
        expect(encodeSegwitAddress(hrp, version, program)).toBe(
          coder.encode(hrp, [version, ...coder.toWords(program)]),
        );
      },
    ),
  );
});

/** What the library makes of a text of a prefix. */
function decodeByLibrary(text: string, hrp: string) {
  const [old, young] = [bech32.decodeUnsafe(text), bech32m.decodeUnsafe(text)];
  const decoded = old ?? young;
  if (decoded?.prefix !== hrp) return undefined;
  const [version, ...words] = decoded.words;
  const program = version === undefined ? undefined : (bech32.fromWordsUnsafe(words) ?? undefined);
  return { form: old ? 'bech32' : 'bech32m', version, program };
}

test('reads what the library reads, whatever numbers stand behind the prefix, in either form and case', () => {
  fc.assert(
    fc.property(
      prefixes,
      fc.constantFrom(bech32, bech32m),
      fc.array(fc.integer({ min: 0, max: 31 }), { maxLength: 85 }),
      fc.boolean(),
      (hrp, coder, words, isUpper) => {
        const written = coder.encode(hrp, words, false);
        const text = isUpper ? written.toUpperCase() : written;
        expect(decodeSegwitText(text, hrp)).toEqual(decodeByLibrary(text, hrp));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('refuses what the library refuses: any other character at any place, and cases that are mixed', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 2, maxLength: 40 }),
      fc.nat(),
      // The last one is the sign for Kelvin, whose lower case is a k.
      fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7lbio1AQ B-\u0000\u0080é１\u212a'),
      fc.boolean(),
      (program, place, char, isUpper) => {
        const written = encodeSegwitAddress('kc', 1, program);
        const right = isUpper ? written.toUpperCase() : written;
        const at = place % right.length;
        const text = right.slice(0, at) + char + right.slice(at + 1);
        expect(decodeSegwitText(text, 'kc')).toEqual(decodeByLibrary(text, 'kc'));
        if (char !== right[at]) expect(decodeSegwitText(text, 'kc')).toBeUndefined();
      },
    ),
    { numRuns: 1_000 },
  );
});
