/** Writes what a slot was: receipts, and what they change of nodes, in the same transactions. */

import type { ReceiptAttempt, ReceiptObservation } from '@coinfront/protocol/registry/receipt.ts';
import { judgeVotes } from '@coinfront/protocol/registry/votes.ts';
import type { Precious } from '../../../db/precious.ts';
import { type ToldVerdict, tellEnds, tellVerdicts } from '../alerts/tell-owners.ts';
import { findAwaiting } from '../claims/claim-store.ts';
import { handOverEndpoint } from '../claims/register-node.ts';
import { splitByDay } from '../days/day-rules.ts';
import { addToDay, forgetDays } from '../days/day-store.ts';
import {
  appendReceipts,
  findPauseEnd,
  findVantages,
  type LogMoment,
  type LogRules,
  type ReceiptDraft,
} from '../log/receipt-log.ts';
import { parseEndpoint } from '../nodes/endpoint-rules.ts';
import { findNode, lapseNodes, placeOf } from '../nodes/node-store.ts';
import { LAPSE_MS, lockRegistry } from '../registry-context.ts';
import { countSlot, findEpochRules } from '../rewards/epoch-rules-store.ts';
import {
  hasMissedSlots,
  type NodeUpdate,
  recordMissedSlots,
  recordVerdict,
} from '../rewards/verdict-store.ts';
import type { RegistryNodeTable, RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import { type Ballot, castVotes } from '../vantage/cast-votes.ts';
import type { LookedOther } from '../vantage/peer-nodes.ts';
import { type FindVoid, findOwnFault } from './own-fault.ts';
import { saveSlotEnd } from './prober-store.ts';
import { type LookedNode, settleMove } from './settle-move.ts';
import { judgeAttempts, pauseSlots, type Slot } from './slot-rules.ts';

export type RecordOptions = {
  precious: Precious;
  /** Who holds the lease. */
  holder: string;
  log: LogRules;
  slotMs: number;
};

/** Nobody else was asked. */
const noBallot: Ballot = { own: undefined, statements: new Map() };

/** Nodes that are written in one transaction: others wait for it. */
const CHUNK = 100;

/**
 * Judges the nodes of a slot.
 *
 * @param seen others' nodes, which say something of this service, too; and what vantage points have signed of the slot
 * @throws LeaseLostError when another process has taken over
 */
export async function recordSlot(
  options: RecordOptions,
  slot: Slot,
  moment: LogMoment,
  looked: readonly LookedNode[],
  seen: { others: readonly LookedOther[]; ballot: Ballot } = { others: [], ballot: noBallot },
): Promise<void> {
  const { precious, holder } = options;
  const judging = { findVoid: findOwnFault(looked, seen.others), ballot: seen.ballot };
  for (let start = 0; start === 0 || start < looked.length; start += CHUNK) {
    const chunk = looked.slice(start, start + CHUNK);
    const isLast = start + CHUNK >= looked.length;
    await precious.transaction<RegistryTables, void>(async (trx) => {
      await lockRegistry(trx, precious.engine);
      await saveSlotEnd(trx, holder, isLast ? slot.endMs : undefined);
      await recordNodes(trx, options, slot, moment, chunk, judging);
      if (!isLast) return;
      const lapsed = await lapseNodes(trx, moment.nowMs - LAPSE_MS);
      await tellEnds(trx, lapsed, 'node.lapsed', moment.nowMs);
      await forgetDays(trx, slot.startMs);
    });
  }
}

async function recordNodes(
  trx: RegistryQuery,
  { log, slotMs }: RecordOptions,
  slot: Slot,
  moment: LogMoment,
  looked: readonly LookedNode[],
  { findVoid, ballot }: { findVoid: FindVoid; ballot: Ballot },
): Promise<void> {
  const isAnyPaused = looked.some(({ node }) => (node.judged_until ?? slot.startMs) < slot.startMs);
  const pauseEndMs = isAnyPaused ? await findPauseEnd(trx, log, moment) : undefined;
  const settled: LookedNode[] = [];
  for (const each of looked) settled.push(await settleMove(trx, each, moment.nowMs));
  const vantages = await findVantages(trx, log, moment);
  const judged = settled.map((each) =>
    judgeNode(
      each,
      { ...slot, slotMs, pauseEndMs },
      judgeTogether(each, findVoid(each), { log, vantages, ballot }),
    ),
  );
  const receipts = await appendReceipts(
    trx,
    log,
    moment,
    judged.flatMap(({ drafts }) => drafts),
  );
  if (judged.some(({ update }) => update.passed + update.failed > 0))
    await countSlot(trx, receipts[0]!.epoch, slot.endMs);
  const findAsn = await chooseAsTable(trx, log, receipts[0]?.epoch);
  let at = -1;
  const told: ToldVerdict[] = [];
  for (const { looked: each, drafts, update } of judged) {
    at += drafts.length;
    const { sequence, epoch } = receipts[at]!;
    const { verdict, reason, node } = update;
    told.push({ nodeKey: node.node_key, verdict, reason, sequence, epoch, endpoint: placeOf(node) });
    await recordVerdict(trx, { ...update, sequence, epoch, asn: findAsn(node) });
    await countDays(trx, drafts, slotMs);
    await settleEndpoint(trx, each, moment.nowMs);
  }
  await tellVerdicts(trx, told, moment.nowMs);
}

/**
 * How autonomous systems are found: by the table that the epoch began with. Where the operator has changed it since, or taken it away,
 * those of new places are not known.
 */
async function chooseAsTable(
  trx: RegistryQuery,
  { asTable }: LogRules,
  epoch: number | undefined,
): Promise<(node: RegistryNodeTable) => number | null | undefined> {
  const named = epoch === undefined ? null : (await findEpochRules(trx, epoch)).asTable;
  if (named === null) return () => null;
  if (asTable?.sha256 !== named) return () => undefined;
  return (node) => {
    const endpoint = parseEndpoint(placeOf(node));
    if (!endpoint.ok || endpoint.value.kind !== 'address') return null;
    return asTable.find(endpoint.value.address) ?? null;
  };
}

/** Counts the slots that receipts judge for the days that they were on. */
async function countDays(trx: RegistryQuery, drafts: readonly ReceiptDraft[], slotMs: number): Promise<void> {
  for (const { node_key, verdict, slots } of drafts) {
    if (node_key === null || verdict === 'void') continue;
    const span = { fromMs: Date.parse(slots.from), toMs: Date.parse(slots.to) };
    for (const [day, count] of splitByDay(span, slotMs)) {
      const isPass = verdict === 'pass';
      await addToDay(trx, node_key, { day, passed: isPass ? count : 0, failed: isPass ? 0 : count });
    }
  }
}

/** What is said of a node in a slot, and who said it where vantage points were asked. */
type Judgement = Pick<ReceiptDraft, 'verdict' | 'reason' | 'observed' | 'votes'>;

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
function judgeTogether(
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

type Judged = {
  looked: LookedNode;
  drafts: ReceiptDraft[];
  update: Omit<NodeUpdate, 'sequence' | 'epoch' | 'asn'>;
};

function judgeNode(
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

/** Gives the endpoint to another node's owner, when whoever runs the node there says so. */
async function settleEndpoint(
  trx: RegistryQuery,
  { node, token, looks }: LookedNode,
  nowMs: number,
): Promise<void> {
  const tokens = new Set(looks.flatMap((look) => look.tokens));
  if (tokens.size === 0 || tokens.has(token)) return;
  const claim = await findAwaiting(trx, [node.endpoint, placeOf(node)], [...tokens], nowMs);
  if (claim === undefined) return;
  const holder = await findNode(trx, node.node_key);
  if (holder?.state !== 'active' || holder.claim_id !== node.claim_id) return;
  // Of the same host name the holder's look knows where it leads now.
  const { reached, network } = holder;
  const place = claim.endpoint === holder.endpoint ? { reached, network } : {};
  await handOverEndpoint(trx, { ...claim, ...place }, holder, nowMs);
}

/**
 * Says that slots passed in which nobody looked: one receipt, for all nodes that were registered.
 *
 * @throws LeaseLostError when another process has taken over
 */
export async function recordOutage(
  { precious, holder, log, slotMs }: RecordOptions,
  span: Slot,
  moment: LogMoment,
): Promise<void> {
  await precious.transaction<RegistryTables, void>(async (trx) => {
    await lockRegistry(trx, precious.engine);
    await saveSlotEnd(trx, holder, span.endMs);
    const missed = { ...span, slotMs };
    if (!(await hasMissedSlots(trx, missed))) return;
    const draft: ReceiptDraft = {
      kind: 'outage',
      node_key: null,
      endpoint: null,
      payout_address: null,
      slots: {
        from: new Date(span.startMs).toISOString(),
        to: new Date(span.endMs).toISOString(),
        count: Math.max(1, Math.round((span.endMs - span.startMs) / slotMs)),
      },
      verdict: 'void',
      reason: 'registry_down',
      attempts: [],
      observed: null,
    };
    const [receipt] = await appendReceipts(trx, log, moment, [draft]);
    await recordMissedSlots(trx, missed, receipt!);
  });
}
