import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockHashOf, serializeBlock } from './block.ts';
import { checkBlock } from './block-check.ts';
import { scanBlock } from './block-scan.ts';
import { getHexBytes, parseDisplayHash } from './bytes.ts';
import { sha256 } from './hash.ts';
import { merkleRoot } from './merkle.ts';
import { getValue } from './result.ts';
import { blockArbitrary } from './testing/arbitraries.ts';
import { findRealBlock, MISSING_VECTORS } from './testing/real-blocks.ts';
import { txidOf } from './transaction.ts';

/** Any block, with the root of its own transactions in its header. */
const soundBlock = blockArbitrary().map((block) => {
  const headerBytes = block.headerBytes.slice();
  headerBytes.set(merkleRoot(block.transactions.map(txidOf)), 36);
  const bytes = serializeBlock(block);
  bytes.set(headerBytes);
  return { bytes, hash: blockHashOf(headerBytes), txids: block.transactions.map(txidOf) };
});

function check(bytes: Uint8Array, hash: Uint8Array) {
  return checkBlock(getValue(scanBlock(bytes, { auxpow: false, sha256 })), hash);
}

test('a block is accepted under its own hash, whatever its number of transactions', () => {
  fc.assert(
    fc.property(soundBlock, ({ bytes, hash }) => {
      expect(check(bytes, hash)).toEqual({ ok: true, value: true });
    }),
  );
});

test('another hash, another header and another transaction are found', () => {
  fc.assert(
    fc.property(soundBlock, fc.nat({ max: 639 }), ({ bytes, hash, txids }, bit) => {
      const otherHash = hash.slice();
      otherHash[bit % 32]! ^= 1;
      expect(check(bytes, otherHash)).toMatchObject({ ok: false, reason: /hash/ });

      const otherHeader = bytes.slice();
      otherHeader[bit >> 3]! ^= 1 << (bit & 7);
      expect(check(otherHeader, hash)).toMatchObject({ ok: false, reason: /hash/ });

      const scan = getValue(scanBlock(bytes, { auxpow: false, sha256 }));
      scan.txid[bit % (txids.length * 32)]! ^= 1;
      expect(checkBlock(scan, hash)).toMatchObject({ ok: false, reason: /merkle/ });
    }),
  );
});

test.for([
  ['bitcoin_mainnet_951658', false],
  ['litecoin_mainnet_2265985', false],
  ['dogecoin_mainnet_371337', true],
] as const)('the real block %s is the one of its hash', ([name, auxpow], ctx) => {
  const real = findRealBlock(name);
  if (!real) return ctx.skip(MISSING_VECTORS);
  const scan = getValue(scanBlock(getHexBytes(real.block), { auxpow, sha256 }));
  expect(checkBlock(scan, getValue(parseDisplayHash(real.hash)))).toEqual({ ok: true, value: true });
});
