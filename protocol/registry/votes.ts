/** How vantage points judge a node together: what a receipt says of each of them, and the verdict that follows. */

import type { NodeLook } from './looks.ts';
import type { Verdict } from './receipt.ts';

/** What one vantage point has to say of a node in a slot. */
export type Vote = {
  /** Its key. */
  vantage: string;
  /** Hashes of its statements of the slot: one, none, or two that contradict each other. */
  statements: string[];
  /** `void` does not vote. */
  result: Verdict;
  reason: string | null;
  /** Whether it saw the token of the node's registration. */
  proven: boolean;
};

/** Votes that it takes: with fewer the registry's own look decides. */
export const LEAST_VOTES = 3;

/** Reasons of the registry's own that say where a node is, and not whether it is there: nobody else can know them. */
const OWN_REASONS: ReadonlySet<string | null> = new Set([
  ...['unresolved', 'address_refused', 'endpoint_taken', 'network_full', 'endpoint_refused'],
]);

/** Whether a reason is of the registry's own place for a node, which others have no say in. */
export function isOwnReason(reason: string | null): boolean {
  return OWN_REASONS.has(reason);
}

/** The vote of a vantage point: none of who is silent, and none of who says two things. */
export function readVote(
  vantage: string,
  statements: readonly { hash: string; find: (endpoint: string) => NodeLook | undefined }[],
  { endpoint, token }: { endpoint: string; token: string },
): Vote {
  const hashes = statements.map(({ hash }) => hash).sort();
  const silent = (reason: string): Vote => ({
    ...{ vantage, statements: hashes, result: 'void', reason, proven: false },
  });
  const [statement, other] = statements;
  if (statement === undefined) return silent('vantage_missing');
  if (other !== undefined) return silent('vantage_equivocal');
  const look = statement.find(endpoint);
  if (look === undefined) return silent('vantage_silent');
  const { result, reason, tokens } = look;
  return { vantage, statements: hashes, result, reason, proven: tokens.includes(token) };
}

/** A verdict that votes decide: `proven` is of a node that passed. */
export type VotedVerdict = { verdict: Verdict; reason: string | null; proven: boolean };

/**
 * What most of those say who saw whether the node is there; as many on both sides are no judgement.
 *
 * @param votes in the order of the vantage points' keys
 * @returns undefined when the registry's own look decides
 */
export function judgeVotes(votes: readonly Vote[], ownKey: string): VotedVerdict | undefined {
  const own = votes.find(({ vantage }) => vantage === ownKey);
  if (own !== undefined && isOwnReason(own.reason)) return undefined;
  const passed = votes.filter(({ result }) => result === 'pass');
  const failed = votes.filter(({ result }) => result === 'fail');
  if (passed.length + failed.length < LEAST_VOTES) return undefined;
  if (passed.length === failed.length) return { verdict: 'void', reason: 'vantages_tied', proven: false };
  if (passed.length < failed.length) {
    const { reason } = own?.result === 'fail' ? own : failed[0]!;
    return { verdict: 'fail', reason, proven: false };
  }
  const proven = passed.filter((vote) => vote.proven).length;
  return { verdict: 'pass', reason: null, proven: proven * 2 > passed.length };
}
