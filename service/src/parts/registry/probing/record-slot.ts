/** Writes what a slot was: receipts, and what they change of nodes, in the same transactions. */

import type { Precious } from '../../../db/precious.ts';
import { type ToldVerdict, tellEnds, tellVerdicts } from '../alerts/tell-owners.ts';
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
import { lapseNodes, placeOf } from '../nodes/node-store.ts';
import { LAPSE_MS, lockRegistry } from '../registry-context.ts';
import { countSlot, findEpochRules } from '../rewards/epoch-rules-store.ts';
import { recordVerdict } from '../rewards/verdict-store.ts';
import type { RegistryNodeTable, RegistryQuery, RegistryTables } from '../schema/registry-tables.ts';
import type { Ballot } from '../vantage/cast-votes.ts';
import type { LookedOther } from '../vantage/peer-nodes.ts';
import { judgeNode, judgeTogether } from './judge-node.ts';
import { type FindVoid, findOwnFault } from './own-fault.ts';
import { saveSlotEnd } from './prober-store.ts';
import { settleEndpoint } from './settle-endpoint.ts';
import { type LookedNode, settleMove } from './settle-move.ts';
import type { Slot } from './slot-rules.ts';

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
