/** Whether the verdict of a receipt is what the signed statements of its vantage points make it. */

import { endpointTokenOf } from './endpoint-token.ts';
import { findLook, findLooksFault, type SignedLooks } from './looks.ts';
import type { Receipt } from './receipt.ts';
import { isOwnReason, judgeVotes, readVote, type Vote } from './votes.ts';

/**
 * Why a verdict is not that of its votes; undefined when it is. The receipt itself has been verified before.
 *
 * @param findStatement the statement of a hash, as it came from anywhere: it is checked here
 */
export function findVotesFault(
  receipt: Receipt,
  findStatement: (hash: string) => SignedLooks | undefined,
): string | undefined {
  const { votes, node_key, endpoint, payout_address, registry_key } = receipt;
  if (votes === undefined) return receipt.version === 1 ? undefined : 'it has no votes';
  if (receipt.version !== 2) return 'it has votes, and another version';
  if (node_key === null || endpoint === null || payout_address === null) return 'it is of no node';
  if (!votes.every(({ vantage }, i) => i === 0 || votes[i - 1]!.vantage < vantage))
    return 'its vantage points are not in the order of their keys';
  const own = votes.find(({ vantage }) => vantage === registry_key);
  if (own === undefined) return 'the vote of the registry itself is missing';
  const token = endpointTokenOf({
    ...{ registryKey: registry_key, genesisHash: receipt.network, nodeKey: node_key },
    payoutAddress: payout_address,
  });
  for (const vote of votes) {
    const fault = findVoteFault(vote, receipt, { endpoint, token, isOwn: vote === own }, findStatement);
    if (fault !== undefined) return `vantage point ${vote.vantage}: ${fault}`;
  }
  const voted = judgeVotes(votes, registry_key) ?? {
    ...{ verdict: own.result, reason: own.reason, proven: own.proven },
  };
  if (receipt.verdict !== voted.verdict || receipt.reason !== voted.reason)
    return 'its verdict is not that of its votes';
  if (voted.verdict === 'pass' && receipt.observed?.endpoint_proven !== voted.proven)
    return 'whether the endpoint is proven is not what its votes say';
  return undefined;
}

function findVoteFault(
  vote: Vote,
  receipt: Receipt,
  place: { endpoint: string; token: string; isOwn: boolean },
  findStatement: (hash: string) => SignedLooks | undefined,
): string | undefined {
  const { vantage, statements } = vote;
  const found: SignedLooks[] = [];
  for (const hash of statements) {
    const signed = findStatement(hash);
    if (signed === undefined || signed.hash !== hash) return 'its statement is not there';
    const { statement } = signed;
    if (statement.registry_key !== vantage) return 'its statement is of another one';
    if (statement.network !== receipt.network) return 'its statement is of another chain';
    if (statement.slot.to !== receipt.slots.to) return 'its statement is of another slot';
    const fault = findLooksFault(signed);
    if (fault !== undefined) return `its statement is none: ${fault}`;
    found.push(signed);
  }
  if (found.length > 2 || new Set(statements).size < statements.length) return 'its statements are too many';
  // A registry that has no vantage points any more makes no statement, and judges alone.
  if (place.isOwn && (isOwnReason(vote.reason) || found.length === 0)) return undefined;
  const said = readVote(
    vantage,
    found.map(({ hash, statement }) => ({ hash, find: (endpoint) => findLook(statement, endpoint) })),
    place,
  );
  const isSame =
    said.result === vote.result &&
    said.reason === vote.reason &&
    said.proven === vote.proven &&
    said.statements.join() === statements.join();
  return isSame ? undefined : 'its vote is not what its statement says';
}
