/** Whether a branch has more work than ours: what nobody can say who has not done it. */

import { setImmediate } from 'node:timers/promises';
import { findParentHeader } from '@coinfront/protocol/auxpow.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hasProofOfWork, type WorkKind } from '@coinfront/protocol/proof-of-work.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';
import type { PeerHeader } from './messages.ts';

/** By what hash the work of our chain is measured; undefined where that is not known. */
export type HeaderWork = Exclude<WorkKind, 'auxpow'> | undefined;

/** A header, and what leads to the one that has its work, where that is another. */
export type ClaimedHeader = Pick<PeerHeader, 'header' | 'proof'>;

/** Headers that are looked at; a branch that needs more of them to have more than ours says nothing. */
const MOST_HEADERS = 2_000;
/** Headers that are checked before others have their turn: a hash of scrypt takes five milliseconds. */
const AT_ONCE = { sha256d: 64, scrypt: 1 } as const;

/**
 * Whether headers, which follow one another, prove more work than our chain has behind the block that they leave it at. Each has to meet the
 * target that it names, so whoever shows them has done the work, whatever the rules of the chain say of their blocks. A parent is the work of one
 * block only.
 *
 * What claims most is checked first, and of equal claims any: one that is made up is found before many were hashed for it.
 *
 * @throws what `signal` was aborted with
 */
export async function hasMoreWork(
  headers: readonly ClaimedHeader[],
  ownWork: bigint,
  kind: HeaderWork,
  { signal, isProven = hasProofOfWork }: { signal?: AbortSignal; isProven?: typeof hasProofOfWork } = {},
): Promise<boolean> {
  if (kind === undefined) return false;
  const claims = headers
    .slice(0, MOST_HEADERS)
    .map(({ header, proof }) => ({ header, proof, work: workOf(header), order: Math.random() }));
  // What does not even say so need not be checked.
  if (claims.reduce((sum, { work }) => sum + work, 0n) <= ownWork) return false;
  claims.sort((a, b) => (a.work === b.work ? a.order - b.order : a.work > b.work ? -1 : 1));
  let proven = 0n;
  /** Headers that have proven something, in hex. */
  const used = new Set<string>();
  for (const [i, { header, proof, work }] of claims.entries()) {
    if (i % AT_ONCE[kind] === AT_ONCE[kind] - 1) await setImmediate();
    signal?.throwIfAborted();
    const worked = proof === undefined ? header : findParentHeader(header, proof);
    if (worked === undefined || used.has(bytesToHex(worked))) return false;
    used.add(bytesToHex(worked));
    if (!isProven(header, kind, undefined, worked)) return false;
    proven += work;
    if (proven > ownWork) return true;
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
