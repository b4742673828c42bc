import { type Sha256, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { expect, test } from 'vitest';
import { sha256 } from '../encoding/hashes.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { packBatch } from './pack-batch.ts';
import type { PreparedBatch } from './prepare-batch.ts';

/** A block with one transaction, whose output script has so many bytes. */
function makeBlock(height: number, scriptBytes: number): FetchedBlock {
  const [prefix, digits] = scriptBytes > 0xffff ? ['fe', 8] : ['fd', 4];
  const size = scriptBytes.toString(16).padStart(digits, '0').match(/../g)!.toReversed().join('');
  const raw = getHexBytes(
    `${'01'.repeat(80)}01` +
      `01000000${'01'}${'00'.repeat(32)}ffffffff${'02'}${'5151'}ffffffff` +
      `01${height.toString(16).padStart(2, '0')}${'00'.repeat(7)}${prefix}${size}${'51'.repeat(scriptBytes)}00000000`,
  );
  const scan = getValue(scanBlock(raw, { auxpow: false, sha256: sha256 as Sha256 }));
  return { height, hash: new Uint8Array(32).fill(height), scan };
}

function makeBatch(blocks: readonly FetchedBlock[]): PreparedBatch {
  const inputs = blocks.length;
  return {
    blocks,
    ...{ firstOutput: 7, spentOutput: new Float64Array(inputs).fill(-1) },
    ...{ spentValue: new BigInt64Array(inputs), spentKeys: new Uint8Array(16 * inputs) },
  };
}

test('what another thread gets is what was there, of small blocks and large ones', () => {
  const blocks = [70_000, 66_000, 300, 70_001, 299].map((bytes, i) => makeBlock(i + 1, bytes));
  const original = structuredClone(makeBatch(blocks));
  const { batch, buffers } = packBatch(makeBatch(blocks));
  const got = structuredClone(batch, { transfer: buffers });
  expect(got).toEqual(original);
  // Where values are read as words they begin at a word.
  for (const { scan } of got.blocks) expect(scan.outputValue.byteOffset % 8).toBe(0);
  // The preparer compares the next block with the hash of the last one.
  expect(blocks.map(({ hash }) => hash.length)).toEqual([32, 32, 32, 32, 32]);
});

test('a batch of thousands of small blocks is handed over by a few buffers', () => {
  const block = makeBlock(1, 300);
  const { batch, buffers } = packBatch(makeBatch(Array.from({ length: 5_000 }, () => block)));
  expect(buffers).toHaveLength(4);
  expect(new Set(batch.blocks.map(({ scan }) => scan.raw.buffer)).size).toBe(1);
});

test('blocks that came as Buffers are handed over as bytes', () => {
  const block = makeBlock(1, 300);
  const given = { ...block, scan: { ...block.scan, raw: Buffer.from(block.scan.raw) } };
  const [packed] = packBatch(makeBatch([given])).batch.blocks;
  expect(packed!.scan.raw).toEqual(block.scan.raw);
  expect(Buffer.isBuffer(packed!.scan.raw)).toBe(false);
});

test('a batch without small blocks has no buffer for them', () => {
  const { batch, buffers } = packBatch(makeBatch([makeBlock(1, 70_000)]));
  expect(batch.blocks[0]!.scan.raw.buffer.byteLength).toBe(batch.blocks[0]!.scan.raw.byteLength);
  expect(buffers.every(({ byteLength }) => byteLength > 0)).toBe(true);
});
