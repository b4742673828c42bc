/** Proofs of what is in a signed log, of what is stored of its tree. */

import { listConsistencyRanges, listInclusionRanges } from '@coinfront/protocol/signed-log/merkle-ranges.ts';
import { findRangeRoot } from './log-store.ts';
import type { SignedLogQuery } from './log-tables.ts';

/** The hashes that lead from an entry to the root of the first `size`, lowest first. */
export async function proveEntry(
  db: SignedLogQuery,
  origin: string,
  place: number,
  size: number,
): Promise<Uint8Array[]> {
  const path: Uint8Array[] = [];
  for (const range of listInclusionRanges(place, size)) path.push(await findRangeRoot(db, origin, range));
  return path;
}

/** The hashes that prove that the first entries begin the larger log. */
export async function proveGrowth(
  db: SignedLogQuery,
  origin: string,
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[]> {
  const path: Uint8Array[] = [];
  for (const range of listConsistencyRanges(oldSize, newSize))
    path.push(await findRangeRoot(db, origin, range));
  return path;
}
