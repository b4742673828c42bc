import type { NodeLook, NodeLooks, SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import type { ReceiptObservation, Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { isOwnReason, readVote, type Vote } from '@coinfront/protocol/registry/votes.ts';

/** A statement in which an endpoint is found at once. */
export type HeldStatement = { hash: string; find(endpoint: string): NodeLook | undefined };

/** What is there of a slot when it is judged: this service's own statement, and those of each vantage point by its key. */
export type Ballot = {
  own: HeldStatement | undefined;
  statements: ReadonlyMap<string, readonly HeldStatement[]>;
};

/** Makes a statement ready to be asked for many endpoints. */
export function holdStatement({
  hash,
  statement,
}: Pick<SignedLooks, 'hash'> & { statement: NodeLooks }): HeldStatement {
  const looks = new Map(statement.looks.map((look) => [look.endpoint, look]));
  return { hash, find: (endpoint) => looks.get(endpoint) };
}

/** What this service judged itself of a node, and where. */
type OwnJudgement = {
  verdict: Verdict;
  reason: string | null;
  observed: ReceiptObservation | null;
  endpoint: string;
  token: string;
};

/** The votes on a node, by the keys of who casts them. */
export function castVotes(
  { own, statements }: Ballot,
  { ownKey, vantages }: { ownKey: string; vantages: readonly string[] },
  { verdict, reason, observed, endpoint, token }: OwnJudgement,
): Vote[] {
  // What this service has signed binds it, but for what only it can know.
  const isSaid = own !== undefined && !isOwnReason(reason);
  const ownVote: Vote = isSaid
    ? readVote(ownKey, [own], { endpoint, token })
    : {
        ...{ vantage: ownKey, statements: own === undefined ? [] : [own.hash] },
        ...{ result: verdict, reason, proven: observed?.endpoint_proven === true },
      };
  const votes = vantages.map((key) => readVote(key, statements.get(key) ?? [], { endpoint, token }));
  return [...votes, ownVote].sort((a, b) => (a.vantage < b.vantage ? -1 : 1));
}
