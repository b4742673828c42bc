/** What a slot says of a node: from looks and votes to receipts, without reading or writing anything. */

import type { ReceiptAttempt, ReceiptObservation } from '@coinfront/protocol/registry/receipt.ts';
import { judgeVotes } from '@coinfront/protocol/registry/votes.ts';
import type { LogRules, ReceiptDraft } from '../log/receipt-log.ts';
import { placeOf } from '../nodes/node-store.ts';
import type { NodeUpdate } from '../rewards/verdict-store.ts';
import type { RegistryNodeTable } from '../schema/registry-tables.ts';
import { type Ballot, castVotes } from '../vantage/cast-votes.ts';
import type { LookedNode } from './settle-move.ts';
import { judgeAttempts, pauseSlots, type Slot } from './slot-rules.ts';

/** What is said of a node in a slot, and who said it where vantage points were asked. */
export type Judgement = Pick<ReceiptDraft, 'verdict' | 'reason' | 'observed' | 'votes'>;

/** By the looks of this service alone. */
function judgeAlone({ looks }: LookedNode, voidReason: string | undefined): Judgement {
  const { verdict, reason } =
    voidReason === undefined
      ? judgeAttempts(looks.map(({ attempt }) => attempt))
      : { verdict: 'void' as const, reason: voidReason };
  const seen = looks.findLast(({ attempt }) => attempt.result === verdict) ?? looks.at(-1);
  return { verdict, reason, observed: seen?.observed ?? null };
}

/** By all vantage points of the epoch; what they outvote stays in the votes. */
export function judgeTogether(
  looked: LookedNode,
  voidReason: string | undefined,
  { log, vantages, ballot }: { log: LogRules; vantages: readonly string[]; ballot: Ballot },
): Judgement {
  const alone = judgeAlone(looked, voidReason);
  const own = { ...alone, observed: alone.verdict === 'void' ? null : alone.observed };
  if (vantages.length === 0) return own;
  const { publicKey } = log.signer;
  const place = { endpoint: placeOf(looked.node), token: looked.token };
  const votes = castVotes(ballot, { ownKey: publicKey, vantages }, { ...own, ...place });
  const ownVote = votes.find(({ vantage }) => vantage === publicKey)!;
  const voted = judgeVotes(votes, publicKey);
  const { verdict, reason, proven } = voted ?? { ...ownVote, verdict: ownVote.result };
  if (verdict === 'void') return { verdict, reason, observed: null, votes };
  const { observed } = alone;
  return {
    ...{ verdict, reason, votes },
    observed: verdict === 'pass' ? { ...(observed ?? nothingSeen), endpoint_proven: proven } : observed,
  };
}

const nothingSeen: ReceiptObservation = {
  ...{ start_height: null, lag: null, protocol_version: null, services: null, user_agent: null },
  ...{ endpoint_proven: null, block_height: null, block_hash: null, ping_ms: null },
};

/** A node with the receipts of a slot, and what they change of it. */
export type Judged = {
  looked: LookedNode;
  drafts: ReceiptDraft[];
  update: Omit<NodeUpdate, 'sequence' | 'epoch' | 'asn'>;
};

/** Writes what a slot says of a node as receipts: it judges the slots in which the node was left alone, too. */
export function judgeNode(
  looked: LookedNode,
  slot: Slot & { slotMs: number; pauseEndMs: number | undefined },
  judgement: Judgement,
): Judged {
  const { node, looks } = looked;
  const { slotMs, pauseEndMs = 0 } = slot;
  const { verdict, reason, observed } = judgement;
  const said = { ...judgement, attempts: looks.map(({ attempt }) => attempt) };
  // Slots in which it was left alone, because it had failed so often.
  const pausedFromMs = Math.min(node.judged_until ?? slot.startMs, slot.startMs);
  const paused = Math.round((slot.startMs - pausedFromMs) / slotMs);
  const draft = (fromMs: number, toMs: number, count: number) => describeProbe(node, { fromMs, toMs, count });
  const drafts: ReceiptDraft[] = [];
  let voided = verdict === 'void' ? 1 : 0;
  let failed = verdict === 'fail' ? 1 : 0;
  if (verdict === 'fail') {
    // It failed before them and after them; those of an epoch that is over were counted for nothing then.
    const over = Math.floor((Math.min(pauseEndMs, slot.startMs) - pausedFromMs) / slotMs);
    const left = Math.max(0, over);
    const failedFromMs = pausedFromMs + left * slotMs;
    voided += left;
    failed += paused - left;
    if (left > 0) drafts.push({ ...draft(pausedFromMs, failedFromMs, left), ...backedOff });
    drafts.push({ ...draft(failedFromMs, slot.endMs, 1 + paused - left), ...said });
  } else {
    voided += paused;
    if (paused > 0) drafts.push({ ...draft(pausedFromMs, slot.startMs, paused), ...backedOff });
    drafts.push({ ...draft(slot.startMs, slot.endMs, 1), ...said });
  }
  const pauseMs = pauseSlots(node.fails_in_row + 1) * slotMs;
  return {
    looked,
    drafts,
    update: {
      node,
      passed: verdict === 'pass' ? 1 : 0,
      failed,
      voided,
      judgedUntilMs: slot.endMs,
      verdict,
      reason,
      nextLookAtMs: slot.endMs + pauseMs,
      lag: observed?.lag ?? undefined,
      userAgent: observed?.user_agent ?? undefined,
      protocolVersion: observed?.protocol_version ?? undefined,
      endpointProven: observed?.endpoint_proven ?? undefined,
    },
  };
}

const backedOff = {
  verdict: 'void' as const,
  reason: 'backed_off',
  attempts: [] as ReceiptAttempt[],
  observed: null,
};

function describeProbe(
  node: RegistryNodeTable,
  { fromMs, toMs, count }: { fromMs: number; toMs: number; count: number },
) {
  const slots = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), count };
  const { node_key, payout_address } = node;
  return { kind: 'probe' as const, node_key, endpoint: placeOf(node), payout_address, slots };
}
