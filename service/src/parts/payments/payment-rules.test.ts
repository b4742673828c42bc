import type { PaymentStatus } from '@coinfront/api/payments.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type JudgedMoment,
  type JudgedOutput,
  type JudgedPayment,
  type Judgement,
  judgePayment,
} from './payment-rules.ts';

const EXPIRY = 1_000_000;
const TIP = 500;

function payment(changes: Partial<JudgedPayment> = {}): JudgedPayment {
  return {
    status: 'open',
    reason: null,
    amount: '1000',
    confirmations_required: 2,
    expires_at: EXPIRY,
    accepted_at: null,
    held: 0,
    settled: 0,
    final: 0,
    ...changes,
  };
}

/** In the mempool since before the expiry, unless told otherwise. */
function output(value: number, changes: Partial<JudgedOutput> = {}): JudgedOutput {
  return {
    value: String(value),
    coinbase: 0,
    height: null,
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

const before: JudgedMoment = { tipHeight: TIP, syncedAtMs: EXPIRY, coinbaseMaturity: 100 };
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

  test('does not expire what was settled once', () => {
    expect(judge({ status: 'paid', held: 1, settled: 1 }, [], after).status).toBe('reorged');
  });
});

describe('what is over', () => {
  test('stays expired with its reason, whatever comes, until it is accepted', () => {
    const late = mined(1000, 9, { late: 1 });
    const expired = { status: 'expired', reason: 'partial' } as const;
    expect(judge(expired, [late], after)).toMatchObject({ ...expired, seen: 0n, late: 1000n });
    const accepted = judge({ ...expired, accepted_at: EXPIRY + 9 }, [late], after);
    expect(accepted).toMatchObject({ status: 'paid', reason: null, deep: 1000n, late: 0n });
  });

  test('stays cancelled: all that comes is late, also what was on its way when it was cancelled', () => {
    const found = output(1000);
    expect(judge({ status: 'cancelled' }, [found])).toMatchObject({
      status: 'cancelled',
      seen: 0n,
      late: 1000n,
      becomeLate: [found],
    });
  });

  test('and accepted does not expire again, and waits for what is missing', () => {
    const accepted = { status: 'expired', reason: 'partial', accepted_at: EXPIRY + 9 } as const;
    expect(judge(accepted, [mined(999, 9)], after).status).toBe('underpaid');
    const more = output(1, { first_seen_at: EXPIRY + 99 });
    expect(judge({ ...accepted, status: 'underpaid' }, [mined(999, 9), more], after).status).toBe('detected');
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
    accepted: fc.boolean(),
    held: flag,
    final: flag,
    outputs: outputsArbitrary,
    syncedAtMs: times,
    tipHeight: fc.integer({ min: TIP, max: TIP + 5 }),
  })
  .map(({ status, accepted, outputs, syncedAtMs, tipHeight, ...rest }) => {
    const settled = status === 'paid' || status === 'overpaid' || status === 'reorged' ? 1 : 0;
    const isOver = status === 'expired' || status === 'cancelled';
    return {
      payment: payment({
        status,
        ...rest,
        reason: status === 'expired' ? 'unpaid' : null,
        accepted_at: accepted ? EXPIRY + 1 : null,
        settled,
        held: settled === 1 || status === 'detected' || status === 'confirming' ? 1 : isOver ? 0 : rest.held,
        final: settled === 1 ? rest.final : 0,
      }),
      outputs: outputs.map(({ place, block_time, ...output }): JudgedOutput => {
        const isMined = place !== null && output.gone === 0;
        return { ...output, height: isMined ? place : null, block_time: isMined ? block_time : null };
      }),
      moment: { ...before, syncedAtMs, tipHeight },
    };
  });

/** The payment and its outputs as the judgement leaves them. */
function applyJudgement(given: JudgedPayment, outputs: readonly JudgedOutput[], judgement: Judgement) {
  const late = new Set(judgement.becomeLate);
  const { status, reason, held, settled, final } = judgement;
  return {
    payment: { ...given, status, reason, held: held ? 1 : 0, settled: settled ? 1 : 0, final: final ? 1 : 0 },
    outputs: outputs.map((each) => (late.has(each) ? { ...each, late: 1 } : each)),
  };
}

describe('always', () => {
  test('judging twice changes nothing', () => {
    fc.assert(
      fc.property(situations, ({ payment, outputs, moment }) => {
        const first = judgePayment(payment, outputs, moment);
        const then = applyJudgement(payment, outputs, first);
        expect(judgePayment(then.payment, then.outputs, moment)).toEqual({ ...first, becomeLate: [] });
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
        expect({ ...other!, becomeLate: [] }).toEqual({ ...one!, becomeLate: [] });
        expect(new Set(other!.becomeLate)).toEqual(new Set(one!.becomeLate));
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
        const { status, settled, held } = judgePayment(payment, outputs, moment);
        const from = payment.status;
        const isAccepted = payment.accepted_at !== null;
        if (from === 'expired' || from === 'cancelled') {
          expect(isAccepted ? unsettled : [from]).toContain(status);
        } else if (settledStatuses.includes(from)) expect(settledStatuses).toContain(status);
        else expect(isAccepted ? unsettled : [...unsettled, 'expired']).toContain(status);
        // Sticky: what was settled stays so, and only settled payments are called reorged.
        expect(settled).toBe(settledStatuses.includes(status));
        expect(['detected', 'confirming', ...settledStatuses].includes(status) && !held).toBe(false);
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
        expect(judgePayment(then.payment, then.outputs, justBefore)).toEqual({ ...first, becomeLate: [] });
      }),
      { numRuns: 2_000 },
    );
  });
});
