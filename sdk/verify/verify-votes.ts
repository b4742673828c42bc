import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import { hasLooksForm, hasVotesForm } from '@coinfront/protocol/registry/looks-form.ts';
import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import { findVotesFault } from '@coinfront/protocol/registry/verify-votes.ts';
import type { Client } from '../client/client.ts';
import { CoinfrontError } from '../client/error.ts';
import { getLooks } from '../nodes/get-looks.ts';

/** Whether a verdict is that of its votes; `fault` says why it is not. */
export type VotesVerdict = { ok: true } | { ok: false; fault: string };

/** A statement that does not come is as good as none; anything else is an error. */
const isAbsent = (error: unknown) => error instanceof CoinfrontError && error.code === 'looks_not_found';

/**
 * Reads the statements that a receipt names, checks their signatures, and works its verdict out anew. The receipt itself is checked by
 * {@link verifyReceipt}. A receipt without votes is the registry's word alone: there is nothing to work out.
 *
 * @param known - statements by hash that were read before, and take those that are read now
 * @example
 * const { receipt } = await getReceipt(client, { sequence });
 * const verdict = await verifyVotes(client, receipt as Receipt);
 */
export async function verifyVotes(
  client: Client,
  receipt: Receipt,
  known: Map<string, SignedLooks> = new Map(),
): Promise<VotesVerdict> {
  // The service is what is checked here: of its words nothing is taken for granted.
  const votes: unknown = receipt.votes ?? [];
  if (!hasVotesForm(votes)) return { ok: false, fault: 'its votes have another form' };
  for (const hash of votes.flatMap(({ statements }) => statements)) {
    if (known.has(hash)) continue;
    try {
      const signed: unknown = await getLooks(client, { hash });
      if (!hasLooksForm(signed)) return { ok: false, fault: `the statement ${hash} has another form` };
      known.set(hash, signed);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
  const fault = findVotesFault(receipt, (hash) => known.get(hash));
  return fault === undefined ? { ok: true } : { ok: false, fault };
}
