import { concatBytes } from './bytes.ts';
import { sha256d } from './hash.ts';
import { createWriter } from './writer.ts';

/**
 * The `merkleblock` of one transaction (BIP-37): header, count, and the partial merkle tree that leads to it, as nodes
 * give it by `gettxoutproof`.
 *
 * @param header the 80 bytes, and behind them the merged-mining proof where the block has one: nodes read both or neither
 * @param txids of the whole block, in order, internal byte order
 * @throws RangeError when there is no txid at the index
 */
export function buildMerkleBlock(
  header: Uint8Array,
  txids: readonly Uint8Array[],
  index: number,
): Uint8Array {
  if (!Number.isInteger(index) || index < 0 || index >= txids.length) {
    throw new RangeError(`no transaction ${index} among ${txids.length}`);
  }
  const levels = buildLevels(txids);
  const hashes: Uint8Array[] = [];
  const bits: boolean[] = [];
  // Depth first from the root: a node on the way to the transaction is opened, any other is given by its hash.
  const visit = (level: number, position: number): void => {
    const isOnTheWay = index >> level === position;
    bits.push(isOnTheWay);
    if (level === 0 || !isOnTheWay) {
      hashes.push(levels[level]![position]!);
      return;
    }
    visit(level - 1, position * 2);
    if (position * 2 + 1 < levels[level - 1]!.length) visit(level - 1, position * 2 + 1);
  };
  visit(levels.length - 1, 0);

  const writer = createWriter(128 + hashes.length * 32);
  writer.bytes(header);
  writer.u32(txids.length);
  writer.compactSize(hashes.length);
  for (const hash of hashes) writer.bytes(hash);
  writer.varBytes(packBits(bits));
  return writer.finish();
}

/** The tree from the txids up to the root; an odd last node is paired with itself. */
function buildLevels(txids: readonly Uint8Array[]): Uint8Array[][] {
  const levels = [[...txids]];
  for (let below = levels[0]!; below.length > 1; below = levels.at(-1)!) {
    const level: Uint8Array[] = [];
    for (let i = 0; i < below.length; i += 2) {
      level.push(sha256d(concatBytes(below[i]!, below[i + 1] ?? below[i]!)));
    }
    levels.push(level);
  }
  return levels;
}

/** Lowest bit of each byte first. */
function packBits(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [i, bit] of bits.entries()) if (bit) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}
