import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockHashOf,
  parseBlock,
  parseHeader,
  serializeBlock,
  serializeHeader,
  skipAuxpow,
} from './block.ts';
import { bytesToHex, concatBytes, getHexBytes, toDisplayHash } from './bytes.ts';
import { merkleRoot } from './merkle.ts';
import { getValue } from './result.ts';
import { blockArbitrary, damagedArbitrary } from './testing/arbitraries.ts';
import { findRealBlock, MISSING_VECTORS } from './testing/real-blocks.ts';
import { isHogEx, txidOf } from './transaction.ts';

const BITCOIN_GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';

const noAuxpow = { auxpow: false };

describe('block', () => {
  test("Bitcoin's genesis block parses, and hashes to what every profile of Bitcoin names", () => {
    const block = getValue(parseBlock(getHexBytes(BITCOIN_GENESIS), noAuxpow));
    expect(toDisplayHash(blockHashOf(block.headerBytes))).toBe(
      '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    );
    expect(block.header).toMatchObject({ version: 1, time: 1231006505, bits: 0x1d00ffff, nonce: 2083236893 });
    expect(merkleRoot(block.transactions.map(txidOf))).toEqual(block.header.merkleRoot);
    expect(serializeHeader(block.header)).toEqual(block.headerBytes);
  });

  test.for([
    ['bitcoin_mainnet_951658', false],
    ['litecoin_mainnet_2265985', false],
    ['dogecoin_mainnet_371337', true],
  ] as const)(
    'the real block %s parses whole: hash, txids, merkle root and bytes agree',
    ([name, auxpow], ctx) => {
      const real = findRealBlock(name);
      if (!real) return ctx.skip(MISSING_VECTORS);
      const block = getValue(parseBlock(getHexBytes(real.block), { auxpow }));
      const txids = block.transactions.map(txidOf);
      expect(toDisplayHash(blockHashOf(block.headerBytes))).toBe(real.hash);
      expect(txids.map(toDisplayHash)).toEqual(real.tx);
      expect(toDisplayHash(merkleRoot(txids))).toBe(real.merkleroot);
      expect(block.header.bits.toString(16)).toBe(real.bits);
      expect(bytesToHex(serializeBlock(block))).toBe(real.block);
    },
  );

  test('the real Litecoin block ends in a HogEx and an extension block', (ctx) => {
    const real = findRealBlock('litecoin_mainnet_2265985');
    if (!real) return ctx.skip(MISSING_VECTORS);
    const block = getValue(parseBlock(getHexBytes(real.block), noAuxpow));
    expect(isHogEx(block.transactions.at(-1)!)).toBe(true);
    expect(block.extension?.[0]).toBe(1);
  });

  test('the real Dogecoin block has a merged-mining proof, which skipAuxpow steps over', (ctx) => {
    const real = findRealBlock('dogecoin_mainnet_371337');
    if (!real) return ctx.skip(MISSING_VECTORS);
    const raw = getHexBytes(real.block);
    const block = getValue(parseBlock(raw, { auxpow: true }));
    expect(skipAuxpow(raw, 80)).toEqual({ ok: true, value: 80 + block.auxpow!.length });
    expect(parseBlock(raw, noAuxpow).ok).toBe(false);
    for (let end = 80; end < 80 + block.auxpow!.length; end++) {
      expect(skipAuxpow(raw.subarray(0, end), 80).ok).toBe(false);
    }
  });

  test('every cut of a real block is refused', (ctx) => {
    const real = findRealBlock('dogecoin_mainnet_371337');
    if (!real) return ctx.skip(MISSING_VECTORS);
    const raw = getHexBytes(real.block);
    for (let end = 0; end < raw.length; end++) {
      expect(parseBlock(raw.subarray(0, end), { auxpow: true }).ok).toBe(false);
    }
  });

  test('parse(serialise(block)) gives block, with and without extension block', () => {
    fc.assert(
      fc.property(blockArbitrary(), fc.boolean(), (block, auxpow) => {
        expect(getValue(parseBlock(serializeBlock(block), { auxpow }))).toEqual(block);
      }),
    );
  });

  test('what parses out of damaged bytes serialises back to exactly those bytes; the rest is refused', () => {
    fc.assert(
      fc.property(damagedArbitrary(blockArbitrary().map(serializeBlock)), fc.boolean(), (raw, auxpow) => {
        const block = parseBlock(raw, { auxpow });
        if (block.ok) expect(serializeBlock(block.value)).toEqual(raw);
        else expect(block.reason).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('random bytes never make it throw', () => {
    const header = getHexBytes(BITCOIN_GENESIS).subarray(0, 80);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.boolean(),
        fc.boolean(),
        (raw, afterHeader, auxpow) => {
          const bytes = afterHeader ? concatBytes(header, raw) : raw;
          expect(typeof parseBlock(bytes, { auxpow }).ok).toBe('boolean');
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('a header is exactly 80 bytes', () => {
    expect(parseHeader(new Uint8Array(79))).toMatchObject({ ok: false });
    expect(parseHeader(new Uint8Array(81))).toMatchObject({ ok: false });
  });

  test.each([
    ['no transactions', `${BITCOIN_GENESIS.slice(0, 160)}00`, 'no transactions'],
    ['a count that cannot fit', `${BITCOIN_GENESIS.slice(0, 160)}fe00000002`, 'more than'],
    ['bytes after the last transaction', `${BITCOIN_GENESIS}00`, 'followed by 1 more'],
  ])('refuses %s', (_name, hex, reason) => {
    expect(parseBlock(getHexBytes(hex), noAuxpow)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });
});
