/**
 * The deliverer: takes due deliveries, sends them, writes how it went. At least once: a delivery that was taken by a
 * process which died is taken again when its claim runs out.
 */

import { type Alarm, createAlarm } from '../../../alarm.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../outbound/outbound-client.ts';
import { waitAtMost } from '../../../pause.ts';
import { describeRefusal, judgeAnswer, retryPausesMs } from '../../../webhooks/retry-rules.ts';
import type { PaymentContext } from '../payment-context.ts';
import { originOf } from './delivery-lanes.ts';
import { createDeliverySlots, type DeliverySlots } from './delivery-slots.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DueDelivery,
  findNextDue,
  listDue,
  listDueOfLane,
  listLanes,
  releaseDeliveries,
} from './delivery-store.ts';
import { type DeliveryChange, disablePending, disableUntried, recordAttempt } from './end-deliveries.ts';
import { type PreparedDelivery, prepareDeliveries } from './prepare-deliveries.ts';

export type DelivererContext = Pick<PaymentContext, 'precious' | 'now'> & {
  /** Rejects with an error whose message may be shown to the merchant. */
  post: (request: OutboundRequest) => Promise<OutboundAnswer>;
  /** Called when the database fails; the deliverer goes on by itself. */
  onError: (error: unknown) => void;
};

export type DelivererOptions = {
  userAgent: string;
  maxUnderWay: number;
  maxPerMerchant: number;
  /** By all processes of one database together; the two before are those of each. */
  maxPerOrigin: number;
  pausesMs: readonly number[];
  /** How long nobody else takes what was taken; longer than any request. */
  claimMs: number;
  /** Longest time until events of other processes are noticed. */
  pollMs: number;
};

export type Deliverer = {
  /** There is, or may be, something to send. */
  wake(): void;
  /** Takes nothing more, waits for what is under way, and gives back what does not end within the deadline. */
  stop(deadlineMs: number): Promise<void>;
};

const defaults: DelivererOptions = {
  userAgent: 'Coinfront',
  maxUnderWay: 64,
  maxPerMerchant: 16,
  maxPerOrigin: 4,
  pausesMs: retryPausesMs,
  claimMs: 60_000,
  pollMs: 500,
};
/** Due deliveries that are looked at in their order, before lanes are looked at one by one. */
const WINDOW = 256;
/** Lanes that are looked at in one round; the next round goes on from there. */
const LANES = 1_000;
/** Pause after another process was faster. */
const LOST_PAUSE_MS = 20;

type State = {
  context: DelivererContext;
  options: DelivererOptions;
  slots: DeliverySlots;
  /** Origins that others send to as much as all may, each with the time of the next look. */
  fullUntil: Map<string, number>;
  underWay: Map<ClaimedDelivery, Promise<void>>;
  alarm: Alarm;
  /** Where the next look at lanes begins. */
  lastLane: string;
  /** From then on what is under way belongs to whoever takes it next. */
  isAbandoned: boolean;
};

/** Starts to deliver. */
export function startDeliverer(context: DelivererContext, given: Partial<DelivererOptions> = {}): Deliverer {
  const options = { ...defaults, ...given };
  const stopping = new AbortController();
  const state: State = {
    context,
    options,
    slots: createDeliverySlots({
      all: options.maxUnderWay,
      perMerchant: options.maxPerMerchant,
      perOrigin: options.maxPerOrigin,
    }),
    fullUntil: new Map(),
    underWay: new Map(),
    alarm: createAlarm(stopping.signal),
    lastLane: '',
    isAbandoned: false,
  };
  const ended = run(state, stopping.signal);
  return {
    wake: () => state.alarm.ring(),
    async stop(deadlineMs) {
      stopping.abort();
      await ended;
      await waitAtMost(Promise.all(state.underWay.values()), deadlineMs);
      state.isAbandoned = true;
      await releaseDeliveries(context.precious, [...state.underWay.keys()], context.now()).catch(
        context.onError,
      );
    },
  };
}

async function run(state: State, signal: AbortSignal): Promise<void> {
  const { context, options, alarm } = state;
  let isFailing = false;
  while (!signal.aborted) {
    let pauseMs = options.pollMs;
    try {
      let taken: Taken;
      do taken = await takeSome(state);
      while (taken === 'some' && !signal.aborted);
      const next = await findNextDue(context.precious, context.now());
      if (next !== undefined) pauseMs = Math.min(pauseMs, Math.max(0, next - context.now()));
      if (taken === 'lost') pauseMs = Math.min(pauseMs, LOST_PAUSE_MS);
      isFailing = false;
    } catch (error) {
      // Once for each time that it begins: a database that is away for an hour is one piece of news.
      if (!isFailing) context.onError(error);
      isFailing = true;
    }
    await alarm.wait(pauseMs);
  }
}

/** Whether a round took anything, or has to look again at once; `lost` when another process was faster. */
type Taken = 'some' | 'lost' | 'none';

/** Begins what is due and has room. */
async function takeSome(state: State): Promise<Taken> {
  const { context, options, slots } = state;
  const { precious } = context;
  const chosen: DueDelivery[] = [];
  let claims: ClaimedDelivery[] = [];
  let prepared = new Map<string, PreparedDelivery>();
  try {
    await chooseDue(state, (due) => {
      slots.take(due.lane);
      chosen.push(due);
    });
    if (chosen.length === 0) return 'none';
    const nowMs = context.now();
    const { claimMs, maxPerOrigin, pollMs } = options;
    const claim = await claimDeliveries(precious, chosen, { nowMs, untilMs: nowMs + claimMs, maxPerOrigin });
    claims = claim.claims;
    for (const origin of claim.fullOrigins) state.fullUntil.set(origin, nowMs + pollMs);
    // What was full is left out now, so that the others are looked at without a pause.
    if (claims.length === 0) return claim.fullOrigins.size > 0 ? 'some' : 'lost';
    prepared = await prepareDeliveries(precious, claims, nowMs);
  } catch (error) {
    // What was claimed comes back when the claim runs out.
    claims = [];
    throw error;
  } finally {
    const claimed = new Set(claims.map(({ id }) => id));
    for (const { id, lane } of chosen) if (!claimed.has(id)) slots.release(lane);
  }
  for (const claim of claims) {
    const delivery = prepared.get(claim.id);
    const sent = (
      delivery === undefined
        ? disableUntried(precious, claim, context.now())
        : deliver(state, claim, delivery)
    )
      .catch(context.onError)
      .finally(() => {
        slots.release(claim.lane);
        // Its place is free now, for whoever is first.
        state.fullUntil.delete(originOf(claim.lane));
        state.underWay.delete(claim);
        state.alarm.ring();
      });
    state.underWay.set(claim, sent);
  }
  return 'some';
}

/** Calls `choose`, which takes the slot, for the due deliveries that have room, the longest waiting first. */
async function chooseDue(state: State, choose: (due: DueDelivery) => void): Promise<void> {
  const { slots, fullUntil } = state;
  const { precious, now } = state.context;
  if (slots.free() === 0) return;
  for (const [origin, untilMs] of fullUntil) if (untilMs <= now()) fullUntil.delete(origin);
  const roomOf = (lane: string): number => (fullUntil.has(originOf(lane)) ? 0 : slots.roomOf(lane));
  const before = slots.free();
  const window = await listDue(precious, now(), WINDOW);
  for (const due of window) if (roomOf(due.lane) > 0) choose(due);
  if (window.length < WINDOW || slots.free() < before) return;

  // All that waits longest is for receivers at their limit, and there may be thousands of it: the others' turn.
  const lanes = await listLanes(precious, state.lastLane, LANES);
  state.lastLane = lanes.length < LANES ? '' : (lanes.at(-1)?.lane ?? '');
  const dueLanes = lanes.filter(({ next_at }) => next_at <= now()).sort((a, b) => a.next_at - b.next_at);
  for (const { lane } of dueLanes) {
    const room = roomOf(lane);
    if (room <= 0) continue;
    for (const due of await listDueOfLane(precious, lane, now(), room)) choose(due);
  }
}

async function deliver(
  state: State,
  claim: ClaimedDelivery,
  { body, sign }: PreparedDelivery,
): Promise<void> {
  const { options } = state;
  const { precious, now, post } = state.context;
  const atMs = now();
  const started = performance.now();
  let answer: OutboundAnswer | undefined;
  let error: string | null;
  try {
    const headers = {
      'content-type': 'application/json',
      'user-agent': options.userAgent,
      ...sign(atMs),
    };
    answer = await post({ url: claim.url, headers, body });
    error = describeRefusal(answer);
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  if (state.isAbandoned) return;
  const durationMs = Math.round(performance.now() - started);
  const tries = claim.attempts - claim.attempts_before;
  const verdict = judgeAnswer(answer, tries, now(), Math.random(), options.pausesMs);
  const change: DeliveryChange =
    verdict.kind === 'retry'
      ? { state: 'pending', nextAtMs: verdict.atMs }
      : { state: verdict.kind, endedAtMs: now() };
  const attempt = { atMs, durationMs, status: answer?.status ?? null, error };
  await recordAttempt(precious, claim, attempt, change);
  if (verdict.kind === 'disabled') await disablePending(precious, claim, now());
}
