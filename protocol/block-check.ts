import type { ScannedBlock } from './block-scan.ts';
import { equalBytes } from './bytes.ts';
import { fail, ok, type Result } from './result.ts';
import { hashShortMessage } from './sha256-short.ts';

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
  const found = new Uint8Array(32);
  hashTwice(header, 0, 80, found, 0);
  if (!equalBytes(found, hash)) return fail('its header has another hash');
  const root = header.subarray(MERKLE_ROOT_OFFSET, MERKLE_ROOT_OFFSET + 32);
  if (!equalBytes(rootOf(scan.txid), root)) return fail('its transactions have another merkle root');
  return ok(true);
}

/** The merkle root over txids that lie back to back; `merkle.ts` has the readable form. */
function rootOf(txids: Uint8Array): Uint8Array {
  // One more place, for the last txid of an odd level, which is paired with itself.
  const level = new Uint8Array(txids.length + 32);
  level.set(txids);
  for (let count = txids.length / 32; count > 1; count = (count + 1) >>> 1) {
    if ((count & 1) === 1) level.copyWithin(count * 32, (count - 1) * 32, count * 32);
    for (let i = 0; i < count; i += 2) {
      hashTwice(level, i * 32, 64, level, i * 16);
    }
  }
  return level.subarray(0, 32);
}

const once = new Uint8Array(32);

function hashTwice(
  bytes: Uint8Array,
  offset: number,
  length: number,
  target: Uint8Array,
  targetOffset: number,
): void {
  hashShortMessage(bytes, offset, length, once, 0);
  hashShortMessage(once, 0, 32, target, targetOffset);
}
