import { bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeSegwitAddress } from './segwit-address.ts';

test('writes what the library for bech32 and bech32m writes, for any prefix, version and program', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('bc', 'tb', 'bcrt', 'ltc', 'rltc', 'x1y'),
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
