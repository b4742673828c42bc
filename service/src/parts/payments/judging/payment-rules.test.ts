import type { PaymentStatus } from '@coinfront/api/payments.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  closePayment,
  dueOf,
  type JudgedMoment,
  type JudgedOutput,
  type JudgedPayment,
  type Judgement,
  judgePayment,
} from './payment-rules.ts';
import { sumOf } from './payment-sums.ts';

const EXPIRY = 1_000_000;
const TIP = 500;
const WAIT = 1_000;

function payment(changes: Partial<JudgedPayment> = {}): JudgedPayment {
  return {
    status: 'open',
    reason: null,
    amount: '1000',
    tolerance: '0',
    confirmations_required: 2,
    expires_at: EXPIRY,
    accepted_at: null,
    accepted_amount: null,
    held: 0,
    settled: 0,
    final: 0,
    lost_at: null,
    settled_at: null,
    refunded: '0',
    ...changes,
  };
}

/** In the mempool since before the expiry, unless told otherwise. */
function output(value: number, changes: Partial<JudgedOutput> = {}): JudgedOutput {
  return {
    value: String(value),
    coinbase: 0,
    height: null,
    replaceable: 0,
    block_time: null,
    first_seen_at: EXPIRY - 1,
    gone: 0,
    excluded: 0,
    late: 0,
    ...changes,
  };
}

/** With so many confirmations. */
function mined(value: number, confirmations: number, changes: Partial<JudgedOutput> = {}): JudgedOutput {
  return output(value, { height: TIP - confirmations + 1, block_time: EXPIRY - 1, ...changes });
}

const before: JudgedMoment = {
  tipHeight: TIP,
  syncedAtMs: EXPIRY,
  coinbaseMaturity: 100,
  trustsReplaceable: false,
  waitMs: WAIT,
};
const after: JudgedMoment = { ...before, syncedAtMs: EXPIRY + 1 };

const judge = (changes: Partial<JudgedPayment>, outputs: readonly JudgedOutput[], moment = before) =>
  judgePayment(payment(changes), outputs, moment);

describe('before settlement, the status says what the sums are', () => {
  const unfinished: PaymentStatus[] = ['open', 'underpaid', 'detected', 'confirming'];
  test.each<[string, JudgedOutput[], PaymentStatus]>([
    ['nothing', [], 'open'],
    ['one unit', [output(1)], 'underpaid'],
    ['one unit less than the amount', [output(999)], 'underpaid'],
    ['the amount in the mempool', [output(1000)], 'detected'],
    ['the amount in several outputs', [output(400), output(599), output(1)], 'detected'],
    ['more than the amount in the mempool', [output(1001)], 'detected'],
    ['a part mined', [output(400), mined(600, 9)], 'detected'],
    ['one unit less mined', [output(1), mined(999, 9)], 'detected'],
    ['the amount mined', [mined(1000, 1)], 'confirming'],
    ['a part deep enough', [mined(999, 2), mined(1, 1)], 'confirming'],
    ['the amount deep enough', [mined(1000, 2)], 'paid'],
    ['the amount deep enough, and more that is not', [mined(1000, 2), mined(5, 1), output(5)], 'paid'],
    ['one unit more deep enough', [mined(1001, 2)], 'overpaid'],
    ['the amount, gone', [output(1000, { gone: 1 })], 'open'],
    ['the amount, from before the payment', [mined(1000, 9, { excluded: 1 })], 'open'],
  ])('%s', (_, outputs, status) => {
    for (const from of unfinished) {
      const held = from === 'detected' || from === 'confirming' ? 1 : 0;
      expect(judge({ status: from, held }, outputs).status).toBe(status);
    }
  });
});

describe('time', () => {
  test.each<[string, JudgedOutput[], PaymentStatus, Judgement['reason']]>([
    ['nothing', [], 'expired', 'unpaid'],
    ['a part', [mined(999, 9)], 'expired', 'partial'],
    ['the amount in the mempool', [output(1000)], 'detected', null],
    ['the amount mined', [mined(1000, 1)], 'confirming', null],
    ['the amount deep', [mined(1000, 2)], 'paid', null],
    ['the amount, seen exactly at the expiry', [output(1000, { first_seen_at: EXPIRY })], 'detected', null],
    ['the amount, seen right after', [output(1000, { first_seen_at: EXPIRY + 1 })], 'expired', 'unpaid'],
    [
      'the amount, seen after and mined at the expiry',
      [mined(1000, 1, { first_seen_at: EXPIRY + 9, block_time: EXPIRY })],
      'confirming',
      null,
    ],
    [
      'the amount, seen and mined right after',
      [mined(1000, 1, { first_seen_at: EXPIRY + 1, block_time: EXPIRY + 1 })],
      'expired',
      'unpaid',
    ],
    [
      'a part in time, the rest after',
      [output(999), output(1, { first_seen_at: EXPIRY + 1 })],
      'expired',
      'partial',
    ],
  ])('is up: %s', (_, outputs, status, reason) => {
    expect(judge({}, outputs, after)).toMatchObject({ status, reason });
  });

  test('is not up while the index may lack what came until the expiry', () => {
    expect(judge({}, [], { ...before, syncedAtMs: EXPIRY }).status).toBe('open');
    expect(judge({}, [], { ...before, syncedAtMs: EXPIRY + 1 }).status).toBe('expired');
  });

  test('that passed makes an output not count, also before the expiry is known to be over', () => {
    const tooLate = output(1000, { first_seen_at: EXPIRY + 1 });
    expect(judge({}, [tooLate])).toMatchObject({ status: 'open', held: false, seen: 0n, late: 0n });
    expect(judge({}, [tooLate], after)).toMatchObject({
      status: 'expired',
      late: 1000n,
      becomeLate: [tooLate],
    });
  });

  test('does not matter once the whole amount was seen: a replacement after the expiry counts', () => {
    const bumped = [output(1000, { gone: 1 }), output(1000, { first_seen_at: EXPIRY + 5 })];
    expect(judge({ status: 'detected', held: 1 }, bumped, after).status).toBe('detected');
  });

  test('matters again when the amount that was seen is gone: what comes back is late', () => {
    const gone = output(1000, { gone: 1 });
    const judged = judge({ status: 'detected', held: 1 }, [gone], after);
    expect(judged).toMatchObject({ status: 'expired', reason: 'unpaid', becomeLate: [gone] });
    const back = judge({ status: 'expired', reason: 'unpaid' }, [output(1000, { late: 1 })], after);
    expect(back).toMatchObject({ status: 'expired', seen: 0n, late: 1000n });
  });

  test('does not expire at once what was settled', () => {
    expect(judge({ status: 'paid', held: 1, settled: 1 }, [], after).status).toBe('reorged');
  });

  test('is up for what was seen in full before, and is not any more, as for any other', () => {
    const gone = output(999, { gone: 1 });
    const lost = judge({ status: 'detected', held: 1 }, [gone, output(1)]);
    expect(lost).toMatchObject({ status: 'underpaid', held: false, checkAt: EXPIRY });
    const later = output(999, { first_seen_at: EXPIRY + 1 });
    const judged = judge({ status: 'underpaid' }, [gone, output(1), later], after);
    expect(judged).toMatchObject({ status: 'expired', reason: 'partial', seen: 1n, late: 999n });
  });

  test('that a replacement came too late for counts, also when it brings a part only', () => {
    const part = output(400, { first_seen_at: EXPIRY + 5 });
    const judged = judge({ status: 'detected', held: 1 }, [output(1000, { gone: 1 }), part], after);
    expect(judged).toMatchObject({ status: 'expired', reason: 'unpaid', seen: 0n, late: 400n });
  });
});

describe('a payment waits past its expiry for blocks', () => {
  const at = (syncedAtMs: number): JudgedMoment => ({ ...before, syncedAtMs });
  const detected = { status: 'detected', held: 1 } as const;

  test('when all was seen in time, so long and no longer', () => {
    const end = EXPIRY + WAIT;
    expect(judge(detected, [output(1000)], at(end))).toMatchObject({ status: 'detected', checkAt: end });
    expect(judge(detected, [output(1000)], at(end + 1))).toMatchObject({
      status: 'expired',
      reason: 'unconfirmed',
      seen: 1000n,
      checkAt: null,
    });
  });

  test('without an end of time while all is in them', () => {
    const confirming = judge(detected, [mined(1000, 1)], at(EXPIRY + 9 * WAIT));
    expect(confirming).toMatchObject({ status: 'confirming', checkAt: null, lostAt: null });
  });

  test('anew from when a reorganisation took them away', () => {
    const lostAt = EXPIRY + 9 * WAIT;
    const first = judge({ status: 'confirming', held: 1 }, [output(1000)], at(lostAt));
    expect(first).toMatchObject({ status: 'detected', lostAt, checkAt: lostAt + WAIT });
    const lost = { ...detected, lost_at: lostAt };
    expect(judge(lost, [output(1000)], at(lostAt + WAIT)).status).toBe('detected');
    expect(judge(lost, [output(1000)], at(lostAt + WAIT + 1)).status).toBe('expired');
    // What is not in sight any more ends at once.
    expect(judge(lost, [output(999)], at(lostAt + 1)).status).toBe('expired');
  });

  test.each([
    ['nothing of it', []],
    ['a part', [output(999)]],
    ['all in the mempool', [output(1000)]],
  ])('when it was paid and that was taken back: %s is there', (_, outputs) => {
    const lostAt = EXPIRY + 5;
    const first = judge({ status: 'paid', held: 1, settled: 1 }, outputs, at(lostAt));
    expect(first).toMatchObject({ status: 'reorged', lostAt, checkAt: lostAt + WAIT });
    const reorged = {
      status: 'reorged',
      settled: 1,
      held: first.held ? 1 : 0,
      lost_at: lostAt,
    } as const;
    expect(judge(reorged, outputs, at(lostAt + WAIT)).status).toBe('reorged');
    expect(judge(reorged, outputs, at(lostAt + WAIT + 1))).toMatchObject({
      status: 'expired',
      reason: 'lost',
      settled: false,
      final: false,
    });
  });

  test('but not before its expiry when it lost before', () => {
    const first = judge({ status: 'paid', held: 1, settled: 1 }, [], at(5));
    expect(first).toMatchObject({ status: 'reorged', lostAt: 5, checkAt: EXPIRY + WAIT });
  });

  test('and what paid it counts when it comes back, though it had been a replacement after the expiry', () => {
    const [from, lostAt] = [EXPIRY + 2, EXPIRY + 5];
    const bumped = mined(1000, 1, { first_seen_at: from, block_time: from });
    const reorged = { status: 'reorged', settled: 1, held: 0, lost_at: lostAt } as const;
    expect(judge(reorged, [bumped], at(lostAt + 9))).toMatchObject({ held: true, lostAt: null, late: 0n });
  });

  test('and new money after the expiry is late at once, while what was there in time may come back', () => {
    const reorged = { status: 'reorged', settled: 1, held: 0, lost_at: EXPIRY + 5 } as const;
    const fresh = output(1000, { first_seen_at: EXPIRY + 6 });
    const judged = judge(reorged, [fresh], at(EXPIRY + 7));
    expect(judged).toMatchObject({ status: 'reorged', seen: 0n, late: 1000n, becomeLate: [fresh] });
    const both = [mined(1000, 2), { ...fresh, late: 1 }];
    expect(judge(reorged, both, at(EXPIRY + 7))).toMatchObject({ status: 'paid', late: 1000n });
  });
});

describe('closing by the merchant', () => {
  const unsettled: Partial<JudgedPayment>[] = [
    { status: 'open' },
    { status: 'underpaid' },
    { status: 'detected', held: 1 },
    { status: 'confirming', held: 1 },
    { status: 'reorged', settled: 1, held: 1, lost_at: EXPIRY - 9 },
    { status: 'underpaid', accepted_at: EXPIRY - 9, accepted_amount: '500' },
  ];
  test.each(unsettled)('%o keeps what was there, and nothing that comes counts', (changes) => {
    const outputs = [output(300), mined(100, 1), output(7, { gone: 1 })];
    const closed = closePayment(payment(changes), outputs, 'cancelled', before);
    expect(closed).toMatchObject({
      ...{ status: 'cancelled', reason: null, seen: 400n, mined: 100n, late: 0n },
      ...{ held: false, settled: false, accepted: false, lostAt: null, checkAt: null },
      becomeLate: [outputs[2]],
    });
    const row = { status: 'cancelled' } as const;
    const then = [...outputs.slice(0, 2), output(7, { late: 1 }), output(1000, { late: 1 })];
    expect(judge(row, then, after)).toMatchObject({ status: 'cancelled', seen: 400n, late: 1007n });
  });

  test('takes what came after the expiry for late', () => {
    const tooLate = output(5, { first_seen_at: EXPIRY + 1 });
    expect(closePayment(payment(), [output(1), tooLate], 'cancelled', before)).toMatchObject({
      seen: 1n,
      late: 5n,
      becomeLate: [tooLate],
    });
  });
});

describe('what is over', () => {
  test('stays expired with its reason, whatever comes, until it is accepted', () => {
    const late = mined(1000, 9, { late: 1, block_time: EXPIRY + 1 });
    const expired = { status: 'expired', reason: 'partial' } as const;
    expect(judge(expired, [late], after)).toMatchObject({ ...expired, seen: 0n, late: 1000n });
    const little = mined(999, 9, { late: 1, block_time: EXPIRY });
    expect(judge(expired, [late, little], after)).toMatchObject({ ...expired, seen: 0n, late: 1999n });
  });

  test('is judged anew when blocks of before its expiry have all that was due, unless its script is taken', () => {
    const expired = { status: 'expired', reason: 'unpaid' } as const;
    const inTime = mined(1000, 9, { late: 1, block_time: EXPIRY });
    const more = output(5, { late: 1 });
    expect(judge(expired, [inTime, more], after)).toMatchObject({
      status: 'paid',
      reason: null,
      seen: 1000n,
      late: 5n,
      becomeInTime: [inTime],
    });
    expect(judge(expired, [inTime], { ...after, mayReopen: false })).toMatchObject(expired);
    const accepted = { ...expired, accepted_at: EXPIRY + 9, accepted_amount: '500' };
    expect(judge(accepted, [output(500)], { ...after, mayReopen: false })).toMatchObject({
      ...expired,
      seen: 500n,
      accepted: false,
    });
    expect(judge({ status: 'cancelled' }, [inTime], after)).toMatchObject({
      status: 'cancelled',
      late: 1000n,
    });
  });

  test('stays cancelled, and what is gone of it is late when it comes back', () => {
    const gone = output(1000, { gone: 1 });
    expect(judge({ status: 'cancelled' }, [gone])).toMatchObject({ seen: 0n, late: 0n, becomeLate: [gone] });
    const back = output(1000, { late: 1 });
    expect(judge({ status: 'cancelled' }, [back])).toMatchObject({ status: 'cancelled', late: 1000n });
  });
});

describe('what the merchant accepted is enough', () => {
  const acceptedAt = EXPIRY + 9;
  const accepted = { accepted_at: acceptedAt, accepted_amount: '999', reason: 'partial' } as const;
  const of = (
    outputs: readonly JudgedOutput[],
    changes: Partial<JudgedPayment> = {},
    syncedAtMs = acceptedAt,
  ) => judge({ ...accepted, status: 'expired', ...changes }, outputs, { ...before, syncedAtMs });

  test.each<[string, JudgedOutput[], PaymentStatus]>([
    ['deep enough', [mined(999, 2)], 'paid'],
    ['in a block', [mined(999, 1)], 'confirming'],
    ['in the mempool', [output(999, { first_seen_at: EXPIRY + 5 })], 'detected'],
    ['partly gone', [mined(900, 2), output(99, { gone: 1 })], 'underpaid'],
    ['gone', [output(999, { gone: 1 })], 'open'],
    ['deep enough, and more came', [mined(999, 2), output(1, { first_seen_at: EXPIRY + 50 })], 'paid'],
    ['deep enough, with the rest', [mined(1000, 2)], 'paid'],
    ['deep enough, with more than was asked', [mined(1001, 2)], 'overpaid'],
    ['partly gone, and made up for', [mined(900, 2), mined(99, 2, { first_seen_at: EXPIRY + 50 })], 'paid'],
  ])('%s', (_, outputs, status) => {
    expect(of(outputs)).toMatchObject({ status, reason: null, late: 0n, accepted: true });
  });

  test('and never more than was asked for is needed', () => {
    expect(of([mined(1000, 2), output(500, { gone: 1 })], { accepted_amount: '1500' }).status).toBe('paid');
  });

  test('as long as it is waited for, which is counted from when it was accepted', () => {
    const end = acceptedAt + WAIT;
    for (const outputs of [[], [mined(900, 2)], [output(999)]]) {
      expect(of(outputs, {}, end)).toMatchObject({ checkAt: end, accepted: true });
      expect(of(outputs, {}, end + 1)).toMatchObject({ status: 'expired', accepted: false });
    }
    // What comes and goes puts that off no more.
    expect(of([], { status: 'detected', held: 1 }, acceptedAt + 5).checkAt).toBe(end);
    expect(of([mined(999, 1)], {}, end + 1)).toMatchObject({ status: 'confirming', checkAt: null });
  });

  test('and once settled by it, it is reorged without it', () => {
    const paid = { ...accepted, status: 'paid', settled: 1, held: 1 } as const;
    const lostAt = acceptedAt + 100;
    const lost = judge(paid, [mined(998, 9)], { ...before, syncedAtMs: lostAt });
    expect(lost).toMatchObject({ status: 'reorged', lostAt, checkAt: lostAt + WAIT });
  });
});

describe('after settlement', () => {
  const settled = { status: 'paid', held: 1, settled: 1 } as const;
  test.each<[string, JudgedOutput[], PaymentStatus]>([
    ['everything is gone', [mined(1000, 9, { gone: 1, height: null })], 'reorged'],
    ['it is in the mempool again', [output(1000)], 'reorged'],
    ['it is mined again, not deep enough', [mined(1000, 1)], 'reorged'],
    ['one unit of it is not deep enough', [mined(999, 9), mined(1, 1)], 'reorged'],
    ['it is deep enough again', [mined(1000, 2)], 'paid'],
    ['more came', [mined(1000, 2), mined(1, 2)], 'overpaid'],
  ])('%s', (_, outputs, status) => {
    expect(judge(settled, outputs, after).status).toBe(status);
    expect(judge({ ...settled, status: 'reorged' }, outputs, after).status).toBe(status);
  });

  test('it is final at a hundred confirmations of the amount, not before', () => {
    expect(judge(settled, [mined(1000, 99)]).final).toBe(false);
    expect(judge(settled, [mined(999, 100), mined(1, 99)]).final).toBe(false);
    expect(judge(settled, [mined(1000, 100)])).toMatchObject({ final: true, checkHeight: null });
  });

  test('a final one still sees more money become deep', () => {
    const outputs = [mined(1000, 100), mined(5, 1)];
    expect(judge({ ...settled, final: 1 }, outputs)).toMatchObject({ status: 'paid', checkHeight: TIP + 1 });
  });
});

describe('confirmations', () => {
  test('none required: the mempool pays', () => {
    expect(judge({ confirmations_required: 0 }, [output(1000)])).toMatchObject({ status: 'paid', mined: 0n });
  });

  test('a coinbase output counts as deep when it can be spent', () => {
    expect(judge({}, [mined(1000, 99, { coinbase: 1 })])).toMatchObject({
      status: 'confirming',
      checkHeight: TIP + 1,
    });
    expect(judge({}, [mined(1000, 100, { coinbase: 1 })]).status).toBe('paid');
  });

  test('the next height to look again is the first at which an output is deep enough, then final', () => {
    expect(judge({}, []).checkHeight).toBeNull();
    expect(judge({}, [output(1000)]).checkHeight).toBeNull();
    expect(judge({ confirmations_required: 6 }, [mined(500, 1), mined(500, 3)]).checkHeight).toBe(TIP + 3);
    expect(judge({}, [mined(1000, 2)]).checkHeight).toBe(TIP + 98);
  });
});

const statuses = fc.constantFrom<PaymentStatus>(
  'open',
  'underpaid',
  'detected',
  'confirming',
  'paid',
  'overpaid',
  'expired',
  'cancelled',
  'reorged',
);
const flag = fc.constantFrom(0, 1);
const times = fc.integer({ min: EXPIRY - 3, max: EXPIRY + 3 });
const outputsArbitrary = fc.array(
  fc.record({
    value: fc.integer({ min: 0, max: 1_200 }).map(String),
    coinbase: flag,
    place: fc.option(fc.integer({ min: TIP - 120, max: TIP }), { nil: null }),
    block_time: times,
    first_seen_at: times,
    gone: flag,
    replaceable: fc.constantFrom(0, 1, null),
    excluded: fc.constantFrom(0, 0, 0, 1),
    late: fc.constantFrom(0, 0, 1),
  }),
  { maxLength: 5 },
);
/** Payments as a judge can have left them. */
const situations = fc
  .record({
    status: statuses,
    confirmations_required: fc.integer({ min: 0, max: 6 }),
    accepted: fc.option(fc.integer({ min: 1, max: 1_500 }).map(String), { nil: null }),
    held: flag,
    final: flag,
    lost: fc.option(fc.integer({ min: EXPIRY - WAIT - 3, max: EXPIRY + 2 }), { nil: null }),
    outputs: outputsArbitrary,
    syncedAtMs: fc.oneof(times, fc.integer({ min: EXPIRY + WAIT - 3, max: EXPIRY + WAIT + 3 })),
    tipHeight: fc.integer({ min: TIP, max: TIP + 5 }),
  })
  .map(({ status, accepted, outputs, syncedAtMs, tipHeight, lost, ...rest }) => {
    const settled = status === 'paid' || status === 'overpaid' || status === 'reorged' ? 1 : 0;
    const isOver = status === 'expired' || status === 'cancelled';
    const isWhole = ['detected', 'confirming', 'paid', 'overpaid'].includes(status);
    return {
      payment: payment({
        status,
        ...rest,
        reason: status === 'expired' ? 'unpaid' : null,
        accepted_at: accepted === null ? null : EXPIRY + 1,
        accepted_amount: accepted,
        settled,
        held: isWhole ? 1 : status === 'reorged' ? rest.held : 0,
        lost_at: isOver || status === 'confirming' || (isWhole && settled === 1) ? null : lost,
        final: settled === 1 ? rest.final : 0,
      }),
      outputs: outputs.map(({ place, block_time, late, ...output }): JudgedOutput => {
        const isMined = place !== null && output.gone === 0;
        return {
          ...output,
          // To accept is to take nothing for late.
          late: accepted === null ? late : 0,
          height: isMined ? place : null,
          block_time: isMined ? block_time : null,
        };
      }),
      moment: { ...before, syncedAtMs, tipHeight },
    };
  });

/** The payment and its outputs as the judgement leaves them. */
function applyJudgement(given: JudgedPayment, outputs: readonly JudgedOutput[], judgement: Judgement) {
  const late = new Map([
    ...judgement.becomeLate.map((each) => [each, 1] as const),
    ...judgement.becomeInTime.map((each) => [each, 0] as const),
  ]);
  const { status, reason, held, settled, final, accepted, lostAt, settledAt } = judgement;
  return {
    payment: {
      ...given,
      ...{ status, reason, held: held ? 1 : 0, settled: settled ? 1 : 0, final: final ? 1 : 0 },
      ...{ lost_at: lostAt, settled_at: settledAt },
      ...{ ...(accepted ? {} : { accepted_at: null, accepted_amount: null }) },
    },
    outputs: outputs.map((each) => ({ ...each, late: late.get(each) ?? each.late })),
  };
}

test('of a settled payment that was not in sight, and of which nobody noted since when, all that is there counts, now and when it is judged again', () => {
  const given = payment({ status: 'reorged', settled: 1, held: 0, lost_at: null, confirmations_required: 0 });
  const outputs = [
    mined(1, 3, { first_seen_at: EXPIRY + 1, block_time: EXPIRY - 3 }),
    mined(2, 3, { first_seen_at: EXPIRY + 1, height: null, block_time: null }),
  ];
  const moment = { ...before, syncedAtMs: EXPIRY - 3 };
  const first = judgePayment(given, outputs, moment);
  const then = applyJudgement(given, outputs, first);
  expect(first.seen).toBe(3n);
  expect(judgePayment(then.payment, then.outputs, moment)).toEqual(first);
});

test('an expired payment whose money went back is not opened by a block of before its expiry', () => {
  const [first, second] = [mined(600, 3), mined(400, 3, { first_seen_at: EXPIRY + 5, late: 1 })];
  const expired = payment({ status: 'expired', reason: 'partial' });
  const moment = { ...before, syncedAtMs: EXPIRY + 10 };
  expect(judgePayment(expired, [first, second], moment).status).toBe('paid');
  expect(judgePayment({ ...expired, refunded: '600' }, [first, second], moment)).toMatchObject({
    status: 'expired',
    seen: 600n,
    late: 400n,
    becomeInTime: [],
  });
});

describe('always', () => {
  test('judging twice changes nothing', () => {
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const first = judgePayment(payment, outputs, moment);
        const then = applyJudgement(payment, outputs, first);
        expect(judgePayment(then.payment, then.outputs, moment)).toEqual({
          ...first,
          becomeLate: [],
          becomeInTime: [],
        });
      }),
      { numRuns: 2_000 },
    );
  });

  test('the order of outputs does not matter', () => {
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const [one, other] = [outputs, [...outputs].reverse()].map((list) =>
          judgePayment(payment, list, moment),
        );
        const lists = { becomeLate: [], becomeInTime: [] };
        expect({ ...other!, ...lists }).toEqual({ ...one!, ...lists });
        expect(new Set(other!.becomeLate)).toEqual(new Set(one!.becomeLate));
        expect(new Set(other!.becomeInTime)).toEqual(new Set(one!.becomeInTime));
      }),
      { numRuns: 1_000 },
    );
  });

  test('sums balance: nothing is counted twice, or more than there is', () => {
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const { seen, mined, deep, late } = judgePayment(payment, outputs, moment);
        const there = outputs
          .filter(({ gone, excluded }) => gone === 0 && excluded === 0)
          .reduce((sum, { value }) => sum + BigInt(value), 0n);
        expect(seen >= mined && seen >= deep && deep >= 0n && late >= 0n).toBe(true);
        expect(payment.confirmations_required === 0 || mined >= deep).toBe(true);
        expect(seen + late <= there).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a status leads only where the table of states says', () => {
    const settledStatuses: PaymentStatus[] = ['paid', 'overpaid', 'reorged'];
    const unsettled: PaymentStatus[] = ['open', 'underpaid', 'detected', 'confirming', 'paid', 'overpaid'];
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const { status, settled, held, checkAt } = judgePayment(payment, outputs, moment);
        const from = payment.status;
        const isAccepted = payment.accepted_at !== null;
        const mined = outputs.filter(
          ({ gone, excluded, block_time }) =>
            !gone && !excluded && block_time !== null && block_time <= payment.expires_at,
        );
        const isPaidInTime = from === 'expired' && sumOf(mined) >= dueOf(payment);
        if (isPaidInTime && !isAccepted) expect(['confirming', 'paid', 'overpaid']).toContain(status);
        else if (from === 'expired' || from === 'cancelled') {
          expect(isAccepted ? [...unsettled, 'expired'] : [from]).toContain(status);
        } else if (settledStatuses.includes(from)) expect([...settledStatuses, 'expired']).toContain(status);
        else expect([...unsettled, 'expired']).toContain(status);
        // Only settled payments are called reorged.
        expect(settled).toBe(settledStatuses.includes(status));
        expect(['detected', 'confirming', 'paid', 'overpaid'].includes(status) && !held).toBe(false);
        // What is not in blocks has an end; what has one is not over yet.
        if (['open', 'underpaid', 'detected'].includes(status)) expect(checkAt).not.toBeNull();
        if (['confirming', 'paid', 'overpaid', 'cancelled', 'expired'].includes(status))
          expect(checkAt).toBeNull();
        expect(checkAt ?? moment.syncedAtMs).toBeGreaterThanOrEqual(moment.syncedAtMs);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a height to look again lies above the tip, and nothing changes by depth before it', () => {
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const first = judgePayment(payment, outputs, moment);
        const then = applyJudgement(payment, outputs, first);
        const next = first.checkHeight ?? moment.tipHeight + 50;
        expect(next).toBeGreaterThan(moment.tipHeight);
        const justBefore = { ...moment, tipHeight: next - 1 };
        expect(judgePayment(then.payment, then.outputs, justBefore)).toEqual({
          ...first,
          becomeLate: [],
          becomeInTime: [],
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
