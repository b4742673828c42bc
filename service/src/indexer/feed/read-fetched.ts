import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseSpentOutputs } from '@coinfront/protocol/spent-outputs.ts';
import type { FetchedBlock as FetchedBytes } from '../../node/prefetch-blocks.ts';
import { sha256 } from '../encoding/hashes.ts';
import type { FetchedBlock } from './fetched-block.ts';
import { findMisfit } from './fit-spent.ts';
import type { SaidSpent, SpentTrust } from './spent-trust.ts';

/**
 * Scans a block and holds it against its hash.
 *
 * @throws Error when the bytes are not those of the block
 */
export function readBlock({ height, hash, bytes }: FetchedBytes, auxpow: boolean): FetchedBlock {
  const scan = scanBlock(ownBuffer(bytes), { auxpow, sha256 });
  if (!scan.ok) throw new Error(`block ${height} (${hash}) is malformed: ${scan.reason}`);
  const ownHash = getValue(parseDisplayHash(hash));
  const checked = checkBlock(scan.value, ownHash);
  if (!checked.ok) throw new Error(`block ${height} (${hash}) came damaged: ${checked.reason}`);
  return { height, hash: ownHash, scan: scan.value };
}

/** What the node says of the outputs that a block spends, where it says so and that can be true; otherwise it is not believed any more. */
export function readSpent(
  { scan, height }: FetchedBlock,
  { spentOutputs }: FetchedBytes,
  trust: SpentTrust,
): SaidSpent | undefined {
  if (!spentOutputs || !trust.isTaken) return undefined;
  const spent = parseSpentOutputs(spentOutputs);
  const fault = spent.ok ? findMisfit(scan, spent.value) : spent.reason;
  if (fault !== undefined) trust.withdraw(`block ${height}: ${fault}`);
  return spent.ok && fault === undefined ? { spent: spent.value, trust } : undefined;
}

/** Handing a buffer over takes all of it away from this thread, so it must hold nothing but the block. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? bytes
    : new Uint8Array(bytes);
}
