/** Whether a verdict follows from the statements that are kept. */

import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import { findVotesFault } from '@coinfront/protocol/registry/verify-votes.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import { findStatement } from '../vantage/statement-store.ts';

/** The vantage points besides the registry that voted on a node that was looked at; undefined of any other receipt. */
export function votersOf({ kind, reason, votes = [], registry_key }: Receipt): string | undefined {
  if (kind !== 'probe' || reason === 'backed_off') return undefined;
  return votes
    .map(({ vantage }) => vantage)
    .filter((key) => key !== registry_key)
    .join();
}

/**
 * Why a verdict is not that of its votes; undefined when it is.
 *
 * @param statements those of the receipt before, which are changed for those of this one
 */
export async function checkVotes(
  db: RegistryQuery,
  receipt: Receipt,
  statements: Map<string, SignedLooks>,
): Promise<string | undefined> {
  const hashes = (receipt.votes ?? []).flatMap((vote) => vote.statements);
  for (const hash of statements.keys()) if (!hashes.includes(hash)) statements.delete(hash);
  for (const hash of hashes) {
    const found = statements.has(hash) ? undefined : await findStatement(db, hash);
    if (found !== undefined) statements.set(hash, found);
  }
  return findVotesFault(receipt, (hash) => statements.get(hash));
}
