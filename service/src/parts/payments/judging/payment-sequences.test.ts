import type { PaymentStatus } from '@coinfront/api/payments.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  closePayment,
  dueOf,
  isClosed,
  type JudgedOutput,
  type JudgedPayment,
  type Judgement,
  judgePayment,
} from './payment-rules.ts';
import { sumOf } from './payment-sums.ts';

// Small numbers, so that times and sums meet often.
const EXPIRY = 8;
const WAIT = 4;
const AMOUNT = 10n;
const COINBASE_MATURITY = 100;

const value = fc.constantFrom(10, 10, 10, 5, 5, 1, 12);
const index = fc.nat(3);
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('arrive' as const), value }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('replace' as const), index, value: fc.option(value) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), index }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const), index }) },
  // By a block that this side gets to know only now.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mineInTime' as const), index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 1, max: WAIT + 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('accept' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);
const judge = { do: 'judge' as const };
/** Much happens to what was seen in full, so it often begins with that, at some time before the expiry. */
const beginning = fc
  .tuple(fc.integer({ min: 0, max: EXPIRY - 1 }), fc.boolean())
  .map(([ms, isSeen]) => [
    { do: 'time' as const, ms },
    ...(isSeen ? [{ do: 'arrive' as const, value: Number(AMOUNT) }, judge] : []),
  ]);
/** What happens to a payment; what cannot at the moment is no step. Not every step is looked at. */
const steps = fc
  .tuple(
    beginning,
    fc.array(fc.tuple(change, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 30 }),
  )
  .map(([first, then]) => [
    ...first,
    ...then.flatMap(([step, seen]) => (seen === 0 ? [step] : [step, judge])),
  ]);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** A payment and its chain, beside which the laws keep notes of their own. */
function openWorld(confirmations: number) {
  let payment: JudgedPayment = {
    status: 'open',
    reason: null,
    amount: String(AMOUNT),
    tolerance: '0',
    confirmations_required: confirmations,
    expires_at: EXPIRY,
    accepted_at: null,
    accepted_amount: null,
    held: 0,
    settled: 0,
    final: 0,
    lost_at: null,
    settled_at: null,
    refunded: '0',
  };
  let outputs: JudgedOutput[] = [];
  let [nowMs, tipHeight] = [1, 100];
  const notes = {
    /** The whole of what is due has been in sight since it came in time. */
    isUnbroken: false,
    wasSettled: false,
    /** Since when it is in no block, and not in sight, after it was. */
    leftBlocksAt: undefined as number | undefined,
    leftSightAt: undefined as number | undefined,
    lastLeftAt: undefined as number | undefined,
    closedSeen: undefined as bigint | undefined,
  };

  const moment = () => ({
    tipHeight,
    syncedAtMs: nowMs,
    coinbaseMaturity: COINBASE_MATURITY,
    trustsReplaceable: false,
    waitMs: WAIT,
  });
  const present = () => outputs.filter(({ gone }) => gone === 0);
  const isInTime = ({ first_seen_at, block_time }: JudgedOutput) =>
    first_seen_at <= EXPIRY || (block_time !== null && block_time <= EXPIRY);
  const changeAt = (i: number, changes: Partial<JudgedOutput>, holds: (output: JudgedOutput) => boolean) => {
    outputs = outputs.map((each, at) => (at === i && holds(each) ? { ...each, ...changes } : each));
  };
  const mempool = { height: null, block_time: null } as const;
  const arrive = (units: number) => {
    const late = isClosed(payment) ? 1 : 0;
    const fresh = { ...mempool, coinbase: 0, replaceable: 0, gone: 0, excluded: 0, first_seen_at: nowMs };
    outputs = [...outputs, { ...fresh, value: String(units), late }];
  };
  const apply = ({ status, reason, becomeLate, becomeInTime, ...judged }: Judgement) => {
    const late = new Map([
      ...becomeLate.map((each) => [each, 1] as const),
      ...becomeInTime.map((each) => [each, 0] as const),
    ]);
    outputs = outputs.map((each) => ({ ...each, late: late.get(each) ?? each.late }));
    const flag = (is: boolean) => (is ? 1 : 0);
    payment = {
      ...payment,
      ...{ status, reason, held: flag(judged.held), settled: flag(judged.settled) },
      ...{ final: flag(judged.final), lost_at: judged.lostAt, settled_at: judged.settledAt },
      ...(judged.accepted ? {} : { accepted_at: null, accepted_amount: null }),
    };
  };

  function judge(): void {
    const [before, judged] = [payment, judgePayment(payment, outputs, moment())];
    apply(judged);
    expect(judgePayment(payment, outputs, moment())).toEqual({ ...judged, becomeLate: [], becomeInTime: [] });
    const there = sumOf(present());
    expect(judged.seen + judged.late <= there).toBe(true);
    if (isClosed(before) && !isClosed(payment)) checkReopened(before);
    else if (isClosed(before)) expect(judged.status).toBe(before.status);
    if (isClosed(payment)) {
      // Nothing that comes counts, and all of it is told.
      expect(judged.seen + judged.late).toBe(there);
      expect(judged.seen <= (notes.closedSeen ?? judged.seen)).toBe(true);
      Object.assign(notes, { closedSeen: judged.seen, wasSettled: false, isUnbroken: false });
      Object.assign(notes, { leftBlocksAt: undefined, leftSightAt: undefined, lastLeftAt: undefined });
      return;
    }
    checkLate(judged);
    checkEnd(judged);
  }

  /** Only blocks of before the expiry open what has expired, when they have all that was due. */
  function checkReopened({ status }: JudgedPayment): void {
    expect(status).toBe('expired');
    const inTime = present().filter((each) => each.late === 0 && isInTime(each));
    expect(sumOf(inTime) >= dueOf(payment)).toBe(true);
    expect(inTime.some(({ block_time }) => block_time !== null && block_time <= EXPIRY)).toBe(true);
    notes.closedSeen = undefined;
  }

  /** Money that was first seen after the expiry never settles, unless it took the place of what was in time. */
  function checkLate(judged: Judgement): void {
    const due = dueOf(payment);
    const stayed = present().filter(({ late }) => late === 0);
    const inTime = sumOf(stayed.filter(isInTime));
    notes.isUnbroken = inTime >= due || (notes.isUnbroken && sumOf(stayed) >= due);
    if (payment.accepted_at === null && !notes.isUnbroken) {
      if (nowMs > EXPIRY && !notes.wasSettled) throw new Error(`It is still ${judged.status}.`);
      if (!notes.wasSettled) expect(['open', 'underpaid']).toContain(judged.status);
      // What paid it may come back; what is new then is late.
      const until = Math.max(EXPIRY, notes.leftSightAt ?? nowMs);
      const fresh = stayed.filter((each) => !isInTime(each) && each.first_seen_at > until);
      const back = sumOf(stayed) - sumOf(fresh);
      // Once what is due is back, more of it counts as for any that is paid.
      if (!notes.wasSettled || back < due) expect(judged.seen <= back).toBe(true);
    }
    notes.wasSettled ||= judged.settled;
  }

  /** What is in no block ends within the wait. */
  function checkEnd({ seen, mined, deep, settled }: Judgement): void {
    const [due, isAccepted] = [dueOf(payment), payment.accepted_at !== null];
    const isInBlocks = deep >= due || mined >= due;
    if (isInBlocks) notes.leftBlocksAt = undefined;
    else if (settled || payment.lost_at !== null) notes.leftBlocksAt ??= nowMs;
    if (isInBlocks || seen >= due) notes.leftSightAt = undefined;
    else if (settled) notes.leftSightAt ??= nowMs;
    // What comes at the very moment that the rest goes takes its place; the wait goes on from that moment.
    if (isInBlocks) notes.lastLeftAt = undefined;
    else notes.lastLeftAt = notes.leftSightAt ?? notes.lastLeftAt;
    if (isInBlocks) return;
    const mayWait = seen >= due || settled || isAccepted;
    const lostAt = Math.max(notes.leftBlocksAt ?? 0, isAccepted ? 0 : (notes.lastLeftAt ?? 0));
    const from = Math.max(EXPIRY, payment.accepted_at ?? 0, lostAt);
    expect(nowMs).toBeLessThanOrEqual(mayWait ? from + WAIT : EXPIRY);
  }

  const inMempool = ({ gone, height }: JudgedOutput) => gone === 0 && height === null;
  const isPaid = () => payment.status === 'paid' || payment.status === 'overpaid';

  function replace(at: number, by: number | null): void {
    const target = outputs[at];
    if (!target || !inMempool(target)) return;
    changeAt(at, { gone: 1 }, inMempool);
    if (by !== null) arrive(by);
  }

  function mine(at: number, blockTime = nowMs): void {
    tipHeight++;
    changeAt(at, { height: tipHeight, block_time: blockTime }, inMempool);
  }

  function reorganise(depth: number): void {
    const fork = tipHeight - depth;
    outputs = outputs.map((each) =>
      each.height !== null && each.height > fork ? { ...each, ...mempool } : each,
    );
  }

  function cancel(): void {
    if (isClosed(payment) || isPaid()) return;
    apply(closePayment(payment, outputs, 'cancelled', moment()));
    expect(payment.status).toBe('cancelled');
  }

  function accept(): void {
    const came = sumOf(present());
    if (payment.accepted_at !== null || isPaid() || came === 0n) return;
    payment = { ...payment, accepted_at: nowMs, accepted_amount: String(came) };
    outputs = outputs.map((each) => ({ ...each, late: 0 }));
    notes.closedSeen = undefined;
  }

  function take(step: Step): void {
    if (step.do === 'arrive') arrive(step.value);
    else if (step.do === 'replace') replace(step.index, step.value);
    else if (step.do === 'return') changeAt(step.index, { gone: 0 }, ({ gone }) => gone === 1);
    else if (step.do === 'mine') mine(step.index);
    else if (step.do === 'mineInTime') mine(step.index, Math.min(nowMs, EXPIRY));
    else if (step.do === 'block') tipHeight++;
    else if (step.do === 'reorganise') reorganise(step.depth);
    else if (step.do === 'time') nowMs += step.ms;
    else if (step.do === 'cancel') cancel();
    else if (step.do === 'accept') accept();
    else judge();
  }

  return { take, status: () => payment.status, isInBlocks: () => payment.lost_at === null };
}

describe('whatever happens to a payment, and whenever it is looked at', () => {
  test.each([0, 1, 2])(
    'with %i confirmations it ends, and nothing that is late settles it',
    (confirmations) => {
      fc.assert(
        fc.property(steps, (taken) => {
          const { take } = openWorld(confirmations);
          for (const step of taken) take(step);
          take({ do: 'judge' });
        }),
        { numRuns: 6_000 },
      );
    },
  );

  test('it is over in the end, or in blocks, or settled', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { take, status, isInBlocks } = openWorld(2);
        for (const step of [...taken, { do: 'judge' } as const]) take(step);
        take({ do: 'time', ms: EXPIRY + WAIT });
        take({ do: 'judge' });
        const ended: PaymentStatus[] = ['expired', 'cancelled', 'paid', 'overpaid', 'confirming'];
        if (status() === 'reorged') expect(isInBlocks()).toBe(true);
        else expect(ended).toContain(status());
      }),
      { numRuns: 2_000 },
    );
  });
});
