import { sha256 } from '../hash.ts';

/** The newest blocks are left out: a node may be so far behind. */
export const NEWEST_LEFT_OUT = 4;

/**
 * The block that a node has to hand over: known to everybody who knows the tip and the node, and to nobody before the
 * tip was mined.
 *
 * @param tip hash (display hex) and height of the best block; above genesis
 * @param nodeKey hex
 * @returns a height from 1 to that of the tip less {@link NEWEST_LEFT_OUT}; 1 on shorter chains
 */
export function chooseBlockHeight(tip: { hash: string; height: number }, nodeKey: string): number {
  if (!Number.isSafeInteger(tip.height) || tip.height < 1)
    throw new RangeError(`no block above genesis at ${tip.height}`);
  const text = `node registry block, version 1\n${tip.hash}\n${nodeKey}`;
  const digest = sha256(new TextEncoder().encode(text));
  const number = new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  const heights = Math.max(1, tip.height - NEWEST_LEFT_OUT);
  return 1 + Number(number % BigInt(heights));
}
