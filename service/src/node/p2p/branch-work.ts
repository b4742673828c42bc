/** Whether a branch has more work than ours: what nobody can say who has not done it. */

import { setImmediate } from 'node:timers/promises';
import { hasProofOfWork, type WorkKind } from '@coinfront/protocol/proof-of-work.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';

/** How blocks of our chain prove their work; undefined where headers of 80 bytes do not show it. */
export type HeaderWork = Exclude<WorkKind, 'auxpow'> | undefined;

/** Headers whose work is checked; a branch that needs more of them to have more than ours says nothing. */
const MAX_CHECKED = 2_000;
/** Headers that are checked before others have their turn. */
const SLICE = 16;

/**
 * Whether headers, which follow one another, prove more work than our chain has behind the block that they leave it at. Each has to meet the
 * target that it names, so whoever shows them has done the work, whatever the rules of the chain say of their blocks.
 *
 * @param headers of 80 bytes
 */
export async function hasMoreWork(
  headers: readonly Uint8Array[],
  ownWork: bigint,
  kind: HeaderWork,
): Promise<boolean> {
  if (kind === undefined) return false;
  const claimed = headers.slice(0, MAX_CHECKED);
  // What does not even say so need not be checked.
  if (claimed.reduce((sum, header) => sum + workOf(header), 0n) <= ownWork) return false;
  let work = 0n;
  for (const [i, header] of claimed.entries()) {
    if (i % SLICE === SLICE - 1) await setImmediate();
    if (!hasProofOfWork(header, kind)) return false;
    work += workOf(header);
    if (work > ownWork) return true;
  }
  return false;
}

function workOf(header: Uint8Array): bigint {
  return workOfBits(new DataView(header.buffer, header.byteOffset).getUint32(72, true));
}

/** How all of these headers of our chain prove their work, where that is the same in all of them and in one way only. */
export function findHeaderWork(headers: readonly Uint8Array[]): HeaderWork {
  const kinds = (['sha256d', 'scrypt'] as const).filter((kind) =>
    headers.every((header) => hasProofOfWork(header, kind)),
  );
  return headers.length > 0 && kinds.length === 1 ? kinds[0] : undefined;
}
