/** Walks a signed log, and finds whatever does not follow from its entries. */

import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { findOriginKey, openCheckpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { createFrontier } from '@coinfront/protocol/signed-log/frontier.ts';
import { hashLeaf } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { listEntries, listHeads, listTreeHashes } from './log-store.ts';
import type { SignedLogQuery } from './log-tables.ts';

const PAGE = 500;
const encoder = new TextEncoder();

/**
 * Checks every entry against the hash of its leaf, and every checkpoint against the root of its entries.
 *
 * @param onEntry - is given each entry, with its place
 */
export async function verifyLog(
  db: SignedLogQuery,
  origin: string,
  report: (fault: string) => void,
  onEntry: (entry: string, place: number) => void,
): Promise<{ entries: number }> {
  const publicKey = findOriginKey(origin) ?? '';
  const frontier = createFrontier();
  let head = (await listHeads(db, origin, 0, 1))[0];
  for (;;) {
    const from = frontier.size();
    const entries = await listEntries(db, origin, from, PAGE);
    const stored = await listTreeHashes(db, origin, { level: 0, from, count: entries.length });
    for (const [i, entry] of entries.entries()) {
      const place = from + i;
      const leaf = hashLeaf(encoder.encode(entry));
      if (stored[i] === undefined || !equalBytes(stored[i], leaf))
        report(`log entry ${place}: it is not what was hashed`);
      onEntry(entry, place);
      frontier.add(leaf);
      if (head?.size !== frontier.size()) continue;
      const opened = openCheckpoint(head.note, { origin, publicKey });
      if (!opened.ok) report(`checkpoint ${head.size}: the log has not signed it`);
      else if (bytesToHex(opened.checkpoint.root) !== bytesToHex(frontier.root()))
        report(`checkpoint ${head.size}: its entries have another root`);
      head = (await listHeads(db, origin, head.size, 1))[0];
    }
    if (entries.length < PAGE) break;
  }
  if (head !== undefined) report(`checkpoint ${head.size}: its entries are gone`);
  return { entries: frontier.size() };
}
