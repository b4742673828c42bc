/**
 * The tree of an epoch's receipts (RFC 6962), kept as the roots of its parts: thousands of nodes have a million receipts in an epoch,
 * and a proof of one looks at those of its own part only.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { leafOfReceipt } from '@coinfront/protocol/registry/receipt.ts';
import { inclusionPath, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import { listHashes } from './receipt-store.ts';

/** Receipts of a part, but for the last: a power of two, so that each part is a subtree. */
export const PART_RECEIPTS = 1_024;

/** Receipts that follow one another, of one epoch: all until now. */
export type EpochSpan = { epoch: number; firstSequence: number; lastSequence: number };

/**
 * The roots of an epoch's parts, in order. Those of whole parts that were not kept yet are worked out, others getting their turn in
 * between, and kept: what is in the log never changes.
 */
export async function completeParts(db: RegistryQuery, span: EpochSpan): Promise<Uint8Array[]> {
  const { epoch, firstSequence, lastSequence } = span;
  const kept = await db.selectFrom('registry_part').selectAll().where('epoch', '=', epoch).execute();
  const rootOf = new Map(kept.map(({ part, root }) => [Number(part), getHexBytes(root)]));
  const receipts = lastSequence - firstSequence + 1;
  const roots: Uint8Array[] = [];
  for (let part = 0; part * PART_RECEIPTS < receipts; part++) {
    const known = rootOf.get(part);
    const root = known ?? rootOfLeaves(await listLeaves(db, span, part));
    roots.push(root);
    if (known !== undefined || (part + 1) * PART_RECEIPTS > receipts) continue;
    await db
      .insertInto('registry_part')
      .values({ epoch, part, root: bytesToHex(root) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await nextTurn();
  }
  return roots;
}

/** Whether receipts from a place on end a part, so that its root can be kept. */
export function endsPart({ firstSequence, lastSequence }: EpochSpan, from: number): boolean {
  const partsBefore = (sequence: number) => Math.floor((sequence - firstSequence) / PART_RECEIPTS);
  return partsBefore(from) < partsBefore(lastSequence + 1);
}

/** The hashes that lead from a receipt to the root of its closed epoch, lowest first. */
export async function proveInclusion(
  db: RegistryQuery,
  span: EpochSpan,
  sequence: number,
): Promise<Uint8Array[]> {
  const index = sequence - span.firstSequence;
  const part = Math.floor(index / PART_RECEIPTS);
  const leaves = await listLeaves(db, span, part);
  const roots = await completeParts(db, span);
  return [...inclusionPath(leaves, index % PART_RECEIPTS), ...inclusionPath(roots, part)];
}

async function listLeaves(
  db: RegistryQuery,
  { firstSequence, lastSequence }: EpochSpan,
  part: number,
): Promise<Uint8Array[]> {
  const from = firstSequence + part * PART_RECEIPTS;
  const to = Math.min(lastSequence, from + PART_RECEIPTS - 1);
  return (await listHashes(db, from, to)).map(leafOfReceipt);
}
