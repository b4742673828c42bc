import type { LeafJson } from '@coinfront/api/proof-calendar.ts';
import { compareAnchorPlaces } from '@coinfront/protocol/proofs/anchor.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import { isCoinfrontError } from '@coinfront/sdk/client/error.ts';
import { getCalendarLeaf } from '@coinfront/sdk/proofs/get-calendar-leaf.ts';
import { lookUpProof } from '@coinfront/sdk/proofs/look-up-proof.ts';
import type { KeptProof } from '@coinfront/sdk/verify/verify-proof.ts';

/** What a service has of a digest. */
export type ServedProof = KeptProof & Partial<Pick<LeafJson, 'state' | 'accepted_at' | 'pending'>>;

/** The proof of a digest, by a transaction of its own or by the calendar: the earlier one proves more, and whoever knows a digest can have it anchored again. */
export async function findEarlierProof(client: Client, sha256: string): Promise<ServedProof> {
  const own = await lookUpProof(client, { sha256 });
  const leaf = await getCalendarLeaf(client, { sha256 }).catch((error: unknown) => {
    // A service of before has no calendar.
    if (own.primary !== null && isCoinfrontError(error) && error.status === 404) return undefined;
    throw error;
  });
  if (leaf === undefined) return own;
  if (own.primary === null) return leaf;
  return leaf.primary !== null && compareAnchorPlaces(leaf.primary, own.primary) < 0 ? leaf : own;
}
