/** When nodes are looked at, and what came of it. Times are Unix milliseconds. */

import type { ReceiptAttempt, Verdict } from '@coinfront/protocol/registry/receipt.ts';

/** A stretch of time in which each node is judged once. */
export type Slot = { startMs: number; endMs: number };

/**
 * Parts of a slot: first looks may come at any time but the end of it, which is left for retries; these keep a distance
 * from the look before.
 */
const FIRST_LOOK_UNTIL = 0.85;
const RETRY_GAP = 0.05;
const LAST_LOOK_AT = 0.95;
/** Who comes later than this into a slot leaves it out. */
const LATE_START = 0.3;
/** Looks that fail in a row before a node is looked at less often, and the longest pause, in slots. */
export const PATIENCE = 3;
const MAX_PAUSE_SLOTS = 16;
/** From so many looks on, a slot in which nothing at all could be reached says more of us than of them. */
const ISOLATED_FROM = 3;

/** The slot that a moment is in. */
export function slotAt(nowMs: number, slotMs: number): Slot {
  const startMs = Math.floor(nowMs / slotMs) * slotMs;
  return { startMs, endMs: startMs + slotMs };
}

/** The slot to begin with: the present one if it has just begun, or else the next. */
export function nextSlot(nowMs: number, slotMs: number): Slot {
  const current = slotAt(nowMs, slotMs);
  if (nowMs - current.startMs <= slotMs * LATE_START) return current;
  return { startMs: current.endMs, endMs: current.endMs + slotMs };
}

/** When a node is looked at first. @param random uniform from 0 (included) to 1 */
export function planFirstLook({ startMs, endMs }: Slot, nowMs: number, random: number): number {
  const from = Math.max(startMs, nowMs);
  const to = startMs + (endMs - startMs) * FIRST_LOOK_UNTIL;
  return Math.floor(from + Math.max(0, to - from) * random);
}

/** When a node that failed is looked at again; undefined when the slot has no time for it any more. */
export function planRetry(slot: Slot, nowMs: number, random: number): number | undefined {
  const from = nowMs + (slot.endMs - slot.startMs) * RETRY_GAP;
  const to = lastLookAt(slot);
  return from > to ? undefined : Math.floor(from + (to - from) * random);
}

/** After it no look begins in a slot. */
export function lastLookAt({ startMs, endMs }: Slot): number {
  return startMs + Math.floor((endMs - startMs) * LAST_LOOK_AT);
}

/**
 * What a slot's looks say: one that passed is enough, two that failed make a failure, and anything else is no judgement.
 */
export function judgeAttempts(attempts: readonly ReceiptAttempt[]): {
  verdict: Verdict;
  reason: string | null;
} {
  if (attempts.some(({ result }) => result === 'pass')) return { verdict: 'pass', reason: null };
  const failed = attempts.filter(({ result }) => result === 'fail');
  if (failed.length >= 2) return { verdict: 'fail', reason: failed.at(-1)!.reason };
  const voided = attempts.find(({ result }) => result === 'void');
  return { verdict: 'void', reason: voided?.reason ?? 'registry_busy' };
}

/** What a look says when nothing was there: no connection, or a name that nobody knows. */
const NOTHING_THERE: ReadonlySet<string | null> = new Set(['unreachable', 'unresolved']);

/**
 * Whether a slot shows rather that the registry itself was cut off: several nodes of different networks, and none of them
 * could even be connected to. Looks that failed for a reason of ours say the same.
 */
export function isCutOff(
  looked: readonly { network: string; attempts: readonly ReceiptAttempt[] }[],
): boolean {
  if (new Set(looked.map(({ network }) => network)).size < ISOLATED_FROM) return false;
  return looked.every(({ attempts }) =>
    attempts.every(({ result, reason }) => NOTHING_THERE.has(reason) || isOwnWay(result, reason)),
  );
}

function isOwnWay(result: Verdict, reason: string | null): boolean {
  return result === 'void' && (reason === 'no_route' || reason === 'no_name_server' || reason === 'no_proxy');
}

/**
 * Whether a slot shows rather that our own chain is not the one that is followed: more networks have another than have ours, we
 * ourselves counted as one of these. A network with a node that passed has ours. For another one only nodes speak that have passed before
 * and shown their token (`isTrusted`): anybody can register strangers' nodes of another chain.
 */
export function isOutvoted(
  looked: readonly { network: string; isTrusted: boolean; attempts: readonly ReceiptAttempt[] }[],
): boolean {
  const ours = new Set<string>();
  const others = new Set<string>();
  for (const { network, isTrusted, attempts } of looked) {
    if (attempts.some(({ result, reason }) => result === 'pass' || reason === 'lagging')) ours.add(network);
    else if (isTrusted && attempts.some(({ reason }) => reason === 'wrong_chain')) others.add(network);
  }
  for (const network of ours) others.delete(network);
  return others.size > ours.size + 1;
}

/** Whether a slot lies ahead by more than its own length: the clock was set back since it was begun. */
export function isFuture({ startMs, endMs }: Slot, nowMs: number): boolean {
  return startMs - nowMs > endMs - startMs;
}

/** The longest pause of a node that failed again and again. */
export const lastPauseSlots = MAX_PAUSE_SLOTS;

/** For how many slots a node that failed so many looks in a row is left alone. */
export function pauseSlots(failsInRow: number): number {
  if (failsInRow <= PATIENCE) return 0;
  return Math.min(MAX_PAUSE_SLOTS, 2 ** (failsInRow - PATIENCE)) - 1;
}
