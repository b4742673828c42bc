import type { ScannedBlock } from './block-scan.ts';
import { equalBytes } from './bytes.ts';
import { sha256d } from './hash.ts';
import { fail, ok, type Result } from './result.ts';
import { hashTogether } from './sha256-lanes.ts';

const MERKLE_ROOT_OFFSET = 36;

/**
 * Checks that a block is the one that was asked for: its header has this hash, and commits to these transactions. Bytes
 * that were damaged or exchanged on their way are found so; whether the block is valid is the node's affair. Witnesses
 * are not covered by txids.
 *
 * @param hash internal byte order
 */
export function checkBlock(scan: ScannedBlock, hash: Uint8Array): Result<true> {
  const header = scan.raw.subarray(0, 80);
  if (!equalBytes(sha256d(header), hash)) return fail('its header has another hash');
  const root = header.subarray(MERKLE_ROOT_OFFSET, MERKLE_ROOT_OFFSET + 32);
  if (!equalBytes(merkleRootOf(scan.txid), root)) return fail('its transactions have another merkle root');
  return ok(true);
}

/** The merkle root over one or more txids that lie back to back; `merkle.ts` has the readable form. */
export function merkleRootOf(txids: Uint8Array): Uint8Array {
  // One more place, for the last txid of an odd level, which is paired with itself.
  const level = new Uint8Array(txids.length + 32);
  level.set(txids);
  for (let count = txids.length / 32; count > 1; count = (count + 1) >>> 1) {
    if ((count & 1) === 1) level.copyWithin(count * 32, (count - 1) * 32, count * 32);
    // A parent lies before its pair's place, and behind all pairs that were copied before it.
    const take = (parent: number, hashes: Uint8Array, at: number): void => {
      for (let i = 0; i < 32; i++) level[parent * 32 + i] = hashes[at + i]!;
    };
    hashTogether({ twice: true, take }, (messages, reserve) => {
      for (let parent = 0; parent * 2 < count; parent++) {
        const at = reserve(parent, 64);
        for (let i = 0; i < 64; i++) messages[at + i] = level[parent * 64 + i]!;
      }
    });
  }
  return level.subarray(0, 32);
}
