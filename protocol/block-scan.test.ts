import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, parseBlock, serializeBlock } from './block.ts';
import { SCRIPT_KEY_BYTES, type ScannedBlock, scanBlock } from './block-scan.ts';
import { concatBytes, getHexBytes, toDisplayHash } from './bytes.ts';
import { sha256 } from './hash.ts';
import { getValue } from './result.ts';
import { blockArbitrary, damagedArbitrary } from './testing/arbitraries.ts';
import { findRealBlock, MISSING_VECTORS } from './testing/real-blocks.ts';
import { serializeTransaction, transactionSizes, txidOf } from './transaction.ts';

const options = { auxpow: false, sha256 };

describe('scanning a block', () => {
  test.for([
    ['bitcoin_mainnet_951658', false],
    ['litecoin_mainnet_2265985', false],
    ['dogecoin_mainnet_371337', true],
  ] as const)('the real block %s says what parsing it says', ([name, auxpow], ctx) => {
    const real = findRealBlock(name);
    if (!real) return ctx.skip(MISSING_VECTORS);
    const raw = getHexBytes(real.block);
    const scan = getValue(scanBlock(raw, { auxpow, sha256 }));
    expectAgreement(scan, getValue(parseBlock(raw, { auxpow })));
    expect(real.tx).toEqual(
      Array.from({ length: scan.txCount }, (_, t) => toDisplayHash(scan.txid.subarray(t * 32, t * 32 + 32))),
    );
  });

  test('any block says what parsing it says', () => {
    fc.assert(
      fc.property(blockArbitrary(), (block) => {
        expectAgreement(getValue(scanBlock(serializeBlock(block), options)), block);
      }),
    );
  });

  test('bytes that lie within others are scanned as if they stood alone', () => {
    fc.assert(
      fc.property(blockArbitrary(), fc.nat(70), (block, offset) => {
        const bytes = concatBytes(
          new Uint8Array(offset).fill(0xff),
          serializeBlock(block),
          new Uint8Array(9),
        );
        expectAgreement(getValue(scanBlock(bytes.subarray(offset, -9), options)), block);
      }),
    );
  });

  test('damaged blocks are refused or read as parsing reads them, and never throw', () => {
    fc.assert(
      fc.property(damagedArbitrary(blockArbitrary().map(serializeBlock)), fc.boolean(), (bytes, auxpow) => {
        const scan = scanBlock(bytes, { auxpow, sha256 });
        const parsed = parseBlock(bytes, { auxpow });
        if (scan.ok) expectAgreement(scan.value, getValue(parsed));
        // The parser is the more tolerant: it reads a transaction without outputs, which no block may hold.
        else if (parsed.ok)
          expect(parsed.value.transactions.some((tx) => tx.outputs.length === 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a witness encoding without a witness, and bytes behind the last transaction, are refused', () => {
    const header = new Uint8Array(80);
    const input = getHexBytes(`01${'00'.repeat(36)}00ffffffff`);
    const output = getHexBytes('01000000000000000000');
    const version = getHexBytes('01000000');
    const locktime = getHexBytes('00000000');
    const plain = concatBytes(header, Uint8Array.of(1), version, input, output, locktime);
    expect(scanBlock(plain, options).ok).toBe(true);
    expect(scanBlock(concatBytes(plain, Uint8Array.of(0)), options)).toMatchObject({
      reason: expect.stringMatching(/followed by 1 more/),
    });
    const witnessless = concatBytes(
      ...[header, Uint8Array.of(1), version, Uint8Array.of(0, 1), input, output, Uint8Array.of(0), locktime],
    );
    expect(scanBlock(witnessless, options)).toMatchObject({ reason: expect.stringMatching(/witness/) });
  });

  test('every block cut short is refused', () => {
    fc.assert(
      fc.property(
        blockArbitrary(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (block, share) => {
          const bytes = serializeBlock({
            ...block,
            extension: undefined,
            transactions: block.transactions.filter((tx) => !tx.mweb),
          });
          expect(scanBlock(bytes.subarray(0, Math.floor(bytes.length * share)), options).ok).toBe(false);
        },
      ),
    );
  });

  test('random bytes never throw', () => {
    const bytes = fc.uint8Array({ maxLength: 600, size: 'max' });
    fc.assert(
      fc.property(bytes, fc.boolean(), (raw, auxpow) => {
        expect(typeof scanBlock(raw, { auxpow, sha256 }).ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });

  test('a count that no bytes can hold is refused before room is made for it', () => {
    const header = new Uint8Array(80);
    for (const count of ['feffffffff', 'ffffffffffffffffff', 'fdffff', 'fd0100']) {
      const bytes = concatBytes(header, getHexBytes(count), new Uint8Array(200));
      expect(scanBlock(bytes, options)).toMatchObject({ ok: false, reason: expect.stringMatching(/count/) });
    }
  });
});

function expectAgreement(scan: ScannedBlock, block: Block): void {
  const { transactions } = block;
  const slice = (offset: number, length: number) => scan.raw.subarray(offset, offset + length);
  expect(scan.headerEnd).toBe(80 + (block.auxpow?.length ?? 0));
  expect(scan.txCount).toBe(transactions.length);
  let input = 0;
  let output = 0;
  for (const [t, tx] of transactions.entries()) {
    expect(scan.inputStart[t]).toBe(input);
    expect(scan.outputStart[t]).toBe(output);
    expect(scan.txid.subarray(t * 32, t * 32 + 32)).toEqual(txidOf(tx));
    expect(scan.weight[t]).toBe(transactionSizes(tx).weight);
    const bytes = serializeTransaction(tx, { witness: true });
    expect(slice(scan.txOffset[t]!, scan.txOffset[t + 1]! - scan.txOffset[t]!)).toEqual(bytes);
    for (const { prevTxid, prevVout } of tx.inputs) {
      const offset = scan.outpointOffset[input++]!;
      expect(slice(offset, 32)).toEqual(prevTxid);
      expect(new DataView(scan.raw.buffer, scan.raw.byteOffset + offset + 32).getUint32(0, true)).toBe(
        prevVout,
      );
    }
    for (const { value, script } of tx.outputs) {
      // Consensus keeps values far below 2^63; the column is signed.
      expect(scan.outputValue[output]).toBe(BigInt.asIntN(64, value));
      expect(slice(scan.scriptOffset[output]!, scan.scriptLength[output]!)).toEqual(script);
      const key = scan.scriptKeys.subarray(output * SCRIPT_KEY_BYTES, (output + 1) * SCRIPT_KEY_BYTES);
      const hash = createHash('sha256').update(script).digest();
      expect(Buffer.from(key).equals(hash.subarray(0, SCRIPT_KEY_BYTES))).toBe(true);
      output++;
    }
  }
  expect([scan.inputCount, scan.outputCount]).toEqual([input, output]);
  expect([scan.inputStart[scan.txCount], scan.outputStart[scan.txCount]]).toEqual([input, output]);
  expect([
    scan.outpointOffset.length,
    scan.outputValue.length,
    scan.scriptKeys.length / SCRIPT_KEY_BYTES,
  ]).toEqual([input, output, output]);
  expect(scan.raw.subarray(scan.txOffset[scan.txCount]!)).toEqual(block.extension ?? new Uint8Array(0));
}
