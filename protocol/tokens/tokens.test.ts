import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { MAX_LEB128 } from '../leb128.ts';
import { damagedArbitrary } from '../testing/arbitraries.ts';
import { tokenContext } from '../testing/protocol-rules.ts';
import { tokenIdOf } from './token-id.ts';
import { decodeTokenOperation, encodeTokenOperation, type TokenOperation } from './token-operation.ts';

const { marker } = tokenContext.rules;
const ID = 'ab'.repeat(32);
const tokenId = getHexBytes(ID);

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const amount = fc.bigInt({ min: 0n, max: MAX_LEB128 });
const smallAmount = fc.bigInt({ min: 0n, max: 127n });
const byte = fc.nat(255);
const operation: fc.Arbitrary<TokenOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    terms: fc.record({
      mintable: fc.boolean(),
      decimals: fc.nat(18),
      premine: amount,
      cap: fc.option(amount, { nil: undefined }),
      ticker: fc.stringMatching(/^[A-Z0-9]{1,12}$/),
      metadataHash: fc.option(bytes32, { nil: undefined }),
    }),
  }),
  fc.record({
    kind: fc.constant('mint' as const),
    tokenId: bytes32,
    closes: fc.boolean(),
    toVout: byte,
    amount,
  }),
  fc.record({
    kind: fc.constant('transfer' as const),
    tokenId: bytes32,
    shares: fc.oneof(
      fc.array(fc.record({ toVout: byte, amount }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ toVout: byte, amount: smallAmount }), { minLength: 1, maxLength: 21 }),
    ),
  }),
  fc.record({ kind: fc.constant('burn' as const), tokenId: bytes32, amount }),
);

describe('payloads', () => {
  const terms = {
    mintable: false,
    decimals: 8,
    premine: 300n,
    cap: undefined,
    ticker: 'ABC',
    metadataHash: undefined,
  };
  test.each<[TokenOperation, string]>([
    [{ kind: 'create', terms }, '010008ac0203414243'],
    [
      {
        kind: 'create',
        terms: { ...terms, mintable: true, cap: 128n, premine: 0n, metadataHash: tokenId },
      },
      `01070800800103414243${ID}`,
    ],
    [{ kind: 'mint', tokenId, closes: false, toVout: 2, amount: 1n }, `02${ID}000201`],
    [{ kind: 'mint', tokenId, closes: true, toVout: 2, amount: 0n }, `02${ID}010200`],
    [
      {
        kind: 'transfer',
        tokenId,
        shares: [
          { toVout: 1, amount: 5n },
          { toVout: 0, amount: 128n },
        ],
      },
      `03${ID}020105008001`,
    ],
    [{ kind: 'burn', tokenId, amount: MAX_LEB128 }, `04${ID}ffffffffffffffff7f`],
  ])('$kind has exactly these bytes', (value, hex) => {
    expect(bytesToHex(encodeTokenOperation(value, marker))).toBe(`56544b31${hex}`);
    expect(decodeTokenOperation(getHexBytes(`56544b31${hex}`))).toEqual({ ok: true, operation: value });
  });

  test.each([
    ['', 'payload_truncated'],
    ['00', 'unknown_opcode'],
    [`05${ID}00`, 'unknown_opcode'],
    [`06${ID}00`, 'unknown_opcode'],
    ['010808000141', 'unknown_flags'],
    ['010013000141', 'decimals_too_many'],
    ['0100128000', 'integer_not_minimal'],
    ['01000080808080808080808001', 'integer_too_large'],
    ['01000001', 'payload_truncated'],
    ['0100000100', 'ticker_form'],
    [`010000010d${'41'.repeat(13)}`, 'ticker_form'],
    ['010000010161', 'ticker_form'],
    ['01000001022e41', 'ticker_form'],
    ['0100000101c1', 'ticker_form'],
    ['010000010341', 'payload_truncated'],
    [`010400010141${'00'.repeat(31)}`, 'payload_truncated'],
    ['01000001014100', 'payload_trailing'],
    [`02${ID}020001`, 'unknown_flags'],
    [`02${ID}0000`, 'payload_truncated'],
    [`02${ID}00000100`, 'payload_trailing'],
    [`03${ID}00`, 'shares_none'],
    [`03${ID}020001`, 'payload_truncated'],
    [`03${ID}01000102`, 'payload_trailing'],
    [`04${ID}`, 'payload_truncated'],
    [`04${ID}8100`, 'integer_not_minimal'],
  ])('%s is no operation: %s', (hex, reason) => {
    expect(decodeTokenOperation(getHexBytes(`56544b31${hex}`))).toEqual({ ok: false, reason });
  });

  test('what is written is read again', () => {
    fc.assert(
      fc.property(operation, (value) => {
        expect(decodeTokenOperation(encodeTokenOperation(value, marker))).toEqual({
          ok: true,
          operation: value,
        });
      }),
    );
  });

  test('no bytes make the decoder throw, and what it reads has one form', () => {
    const any = fc.uint8Array({ maxLength: 80 }).map((rest) => concatBytes(marker, rest));
    const damaged = damagedArbitrary(operation.map((value) => encodeTokenOperation(value, marker)));
    fc.assert(
      fc.property(fc.oneof(any, damaged), (payload) => {
        const decoded = decodeTokenOperation(payload);
        if (!decoded.ok || payload.length > 80) return;
        expect(encodeTokenOperation(decoded.operation, marker).subarray(4)).toEqual(payload.slice(4));
      }),
      { numRuns: 2000 },
    );
  });

  test('what does not fit is an error of the caller', () => {
    const shares = Array.from({ length: 22 }, (_, toVout) => ({ toVout, amount: 1n }));
    expect(() => encodeTokenOperation({ kind: 'transfer', tokenId, shares }, marker)).toThrow(RangeError);
    expect(() => encodeTokenOperation({ kind: 'burn', tokenId, amount: -1n }, marker)).toThrow(RangeError);
    expect(() =>
      encodeTokenOperation({ kind: 'create', terms: { ...terms, ticker: 'abc' } }, marker),
    ).toThrow(RangeError);
  });
});

test('the id binds tag, chain, outpoint and payload', () => {
  const prevTxid = getHexBytes('cd'.repeat(32));
  const payload = getHexBytes('56544b31aa');
  expect(tokenIdOf({ prevTxid, prevVout: 258 }, payload, tokenContext.genesisPrefix)).toEqual(
    sha256(
      concatBytes(
        getHexBytes('56544b31'),
        getHexBytes('f916c456fc51df62'),
        prevTxid,
        getHexBytes('02010000'),
        payload,
      ),
    ),
  );
});
