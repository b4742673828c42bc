import { concatBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { DIGEST_BYTES } from '@coinfront/protocol/proofs/anchor.ts';
import { pathThroughParts } from '@coinfront/protocol/proofs/part-paths.ts';
import type { Precious } from '../../../db/precious.ts';
import { findBatch, findPart, listPartRoots } from './batch-store.ts';
import { type CalendarTables, LEAVES_OF_PART, PARTS_OF_BATCH } from './calendar-tables.ts';
import { findKnown } from './pending-store.ts';

/** Where a digest stands in a tree. */
export type CalendarLeaf = {
  batch: number;
  index: number;
  /** Leaves of the tree. */
  size: number;
  /** Lowest first. */
  path: Uint8Array[];
  /** Hex. */
  root: string;
  /** Unix milliseconds. */
  sealedAt: number;
};

/** What is known of a digest: it waits for a tree, or one has it. */
export type FoundLeaf = { acceptedAt: number | undefined; leaf: CalendarLeaf | undefined };

/** What is known of a digest; undefined when it was never taken. */
export async function findLeaf(precious: Precious, digest: string): Promise<FoundLeaf | undefined> {
  const query = precious.query<CalendarTables>();
  const known = (await findKnown(query, [digest])).get(digest);
  if (known?.part === undefined) return known && { acceptedAt: known.acceptedAt, leaf: undefined };
  const batch = Math.floor(known.part / PARTS_OF_BATCH);
  const place = known.part % PARTS_OF_BATCH;
  const [tree, part] = [await findBatch(query, batch), await findPart(query, known.part)];
  if (tree === undefined || part === undefined)
    throw new Error(`part ${known.part} of the calendar is missing`);
  if (tree.state === 'open') return { acceptedAt: undefined, leaf: undefined };
  const roots = concatBytes(...(await listPartRoots(query, batch)));
  const at = findPlace(part.digests, getHexBytes(digest));
  const path = pathThroughParts(part.digests, at, roots, place);
  const { size, root, sealed_at: sealedAt } = tree;
  return {
    acceptedAt: undefined,
    leaf: { batch, index: place * LEAVES_OF_PART + at, size, path, root, sealedAt },
  };
}

/** The tree that a part belongs to. */
export function batchOfPart(part: number): number {
  return Math.floor(part / PARTS_OF_BATCH);
}

/** The place of a digest among those that lie back to back; -1 where it is none of them. */
function findPlace(digests: Uint8Array, digest: Uint8Array): number {
  const bytes = Buffer.from(digests.buffer, digests.byteOffset, digests.length);
  for (let at = bytes.indexOf(digest); at >= 0; at = bytes.indexOf(digest, at + 1)) {
    // The end of one and the beginning of the next may look like it.
    if (at % DIGEST_BYTES === 0) return at / DIGEST_BYTES;
  }
  return -1;
}
