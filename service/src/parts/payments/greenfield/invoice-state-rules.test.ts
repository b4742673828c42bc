import { paymentReasons, paymentStatuses } from '@coinfront/api/payments.ts';
import { paymentEventTypes } from '@coinfront/api/webhooks.ts';
import { describe, expect, test } from 'vitest';
import { describeState, listMarkable, type MarkedPayment, translateEvent } from './invoice-state-rules.ts';

const payment = (given: Partial<MarkedPayment>): MarkedPayment => ({
  status: 'open',
  reason: null,
  amount: '100',
  tolerance: '0',
  refunded: '0',
  seen: '0',
  late: '0',
  accepted_at: null,
  accepted_amount: null,
  ...given,
});
const accepted = { accepted_at: 1, accepted_amount: '60' };
const stateOf = (given: Partial<MarkedPayment>, arrived = 0n): string => {
  const { status, additionalStatus } = describeState(payment(given), arrived);
  return `${status} ${additionalStatus}`;
};

describe('the state of an invoice', () => {
  test.each<[string, Partial<MarkedPayment>, bigint?]>([
    ['New None', { status: 'open' }],
    ['New PaidPartial', { status: 'underpaid', seen: '60' }],
    ['Processing None', { status: 'detected', seen: '100' }],
    ['Processing PaidOver', { status: 'detected', seen: '101' }],
    ['Processing None', { status: 'confirming', seen: '100' }],
    ['Processing PaidOver', { status: 'confirming', seen: '101' }],
    ['Settled None', { status: 'paid', seen: '100' }],
    ['Settled PaidOver', { status: 'overpaid', seen: '101' }],
    ['Expired None', { status: 'expired', reason: 'unpaid' }],
    ['Expired PaidPartial', { status: 'expired', reason: 'partial', seen: '60' }],
    ['Invalid None', { status: 'expired', reason: 'unconfirmed', seen: '100' }],
    ['Invalid None', { status: 'expired', reason: 'lost' }],
    ['Invalid Marked', { status: 'cancelled' }],
    ['Invalid Marked', { status: 'cancelled', seen: '100' }],
    ['Processing None', { status: 'reorged', seen: '100' }],
    ['Invalid None', { status: 'reorged', seen: '60' }],
    // Late money is told as such, and as the whole only when it is as deep as the payment asks for.
    ['Expired PaidPartial', { status: 'expired', reason: 'unpaid', late: '100' }, 0n],
    ['Expired PaidPartial', { status: 'expired', reason: 'partial', seen: '60', late: '40' }, 60n],
    ['Expired PaidLate', { status: 'expired', reason: 'partial', seen: '60', late: '40' }, 100n],
    ['Expired PaidLate', { status: 'expired', reason: 'unconfirmed', late: '100' }, 100n],
    // What its merchant accepts is paid by the merchant's word.
    ['Processing None', { status: 'expired', reason: 'partial', seen: '60', ...accepted }, 60n],
    ['Processing None', { status: 'cancelled', seen: '60', ...accepted }],
    ['Processing None', { status: 'confirming', seen: '60', ...accepted }],
    ['Settled Marked', { status: 'paid', seen: '60', ...accepted }],
    ['Processing None', { status: 'reorged', seen: '60', ...accepted }],
    ['Invalid None', { status: 'reorged', seen: '59', ...accepted }],
  ])('%s: %j, %s deep', (expected, given, arrived) => {
    expect(stateOf(given, arrived)).toBe(expected);
  });

  test('is there for everything that a payment can be', () => {
    for (const status of paymentStatuses) {
      for (const reason of [null, ...paymentReasons]) {
        for (const each of [{}, accepted]) expect(stateOf({ status, reason, ...each })).not.toBe('');
      }
    }
  });

  test('is Settled for nothing but what is settled', () => {
    for (const status of paymentStatuses) {
      const isSettled = stateOf({ status, seen: '100', late: '100' }, 200n).startsWith('Settled');
      expect(isSettled, status).toBe(status === 'paid' || status === 'overpaid');
    }
  });
});

test('what can be marked is what can be accepted or cancelled', () => {
  expect(listMarkable(payment({ status: 'open' }))).toEqual(['Invalid']);
  expect(listMarkable(payment({ status: 'underpaid', seen: '1' }))).toEqual(['Settled', 'Invalid']);
  expect(listMarkable(payment({ status: 'confirming', seen: '100' }))).toEqual(['Invalid']);
  expect(listMarkable(payment({ status: 'paid', seen: '100' }))).toEqual([]);
  expect(listMarkable(payment({ status: 'overpaid', seen: '101' }))).toEqual([]);
  expect(listMarkable(payment({ status: 'reorged', seen: '1' }))).toEqual(['Settled', 'Invalid']);
  expect(listMarkable(payment({ status: 'expired', late: '1' }))).toEqual(['Settled']);
  expect(listMarkable(payment({ status: 'expired' }))).toEqual([]);
  expect(listMarkable(payment({ status: 'cancelled', seen: '1' }))).toEqual(['Settled']);
  // What goes back cannot be enough as well.
  expect(listMarkable(payment({ status: 'cancelled', seen: '1', refunded: '1' }))).toEqual([]);
});

describe('the events of a change', () => {
  const received = { type: 'InvoiceReceivedPayment', afterExpiration: false };
  const settled = { type: 'InvoicePaymentSettled', afterExpiration: false };
  const after = (type: string, given: Partial<MarkedPayment>, before: Partial<MarkedPayment>, arrived = 0n) =>
    translateEvent(type as never, { before: payment(before), after: payment(given), arrived });

  test.each<[string, Partial<MarkedPayment>, Partial<MarkedPayment>, object[]]>([
    ['payment.created', {}, {}, [{ type: 'InvoiceCreated' }]],
    ['payment.underpaid', {}, { status: 'underpaid', seen: '60' }, [received]],
    [
      'payment.detected',
      { status: 'underpaid', seen: '60' },
      { status: 'detected', seen: '100' },
      [received, { type: 'InvoiceProcessing', overPaid: false }],
    ],
    [
      'payment.confirming',
      {},
      { status: 'confirming', seen: '101' },
      [received, { type: 'InvoiceProcessing', overPaid: true }],
    ],
    ['payment.confirming', { status: 'detected', seen: '100' }, { status: 'confirming', seen: '100' }, []],
    ['payment.received', { status: 'underpaid', seen: '1' }, { status: 'underpaid', seen: '2' }, [received]],
    // A part that was replaced, or evicted, is nothing that came.
    ['payment.underpaid', { status: 'detected', seen: '100' }, { status: 'underpaid', seen: '60' }, []],
    ['payment.open', { status: 'underpaid', seen: '60' }, { status: 'open' }, []],
    [
      'payment.paid',
      { status: 'confirming', seen: '100' },
      { status: 'paid', seen: '100' },
      [settled, { type: 'InvoiceSettled', manuallyMarked: false, overPaid: false }],
    ],
    [
      'payment.paid',
      {},
      { status: 'paid', seen: '100' },
      [received, settled, { type: 'InvoiceSettled', manuallyMarked: false, overPaid: false }],
    ],
    [
      'payment.overpaid',
      { status: 'confirming', seen: '101' },
      { status: 'overpaid', seen: '101' },
      [settled, { type: 'InvoiceSettled', manuallyMarked: false, overPaid: true }],
    ],
    ['payment.overpaid', { status: 'paid', seen: '101' }, { status: 'overpaid', seen: '101' }, [settled]],
    [
      'payment.paid',
      { status: 'expired', reason: 'partial', seen: '60', ...accepted },
      { status: 'paid', seen: '60', ...accepted },
      [settled, { type: 'InvoiceSettled', manuallyMarked: true, overPaid: false }],
    ],
    [
      'payment.expired',
      {},
      { status: 'expired', reason: 'unpaid' },
      [{ type: 'InvoiceExpired', partiallyPaid: false }],
    ],
    [
      'payment.expired',
      { status: 'underpaid', seen: '60' },
      { status: 'expired', reason: 'partial', seen: '60' },
      [{ type: 'InvoiceExpired', partiallyPaid: true }],
    ],
    [
      'payment.expired',
      { status: 'detected', seen: '100' },
      { status: 'expired', reason: 'unconfirmed', seen: '100' },
      [{ type: 'InvoiceInvalid', manuallyMarked: false }],
    ],
    ['payment.cancelled', {}, { status: 'cancelled' }, [{ type: 'InvoiceInvalid', manuallyMarked: true }]],
    [
      'payment.reorged',
      { status: 'paid', seen: '100' },
      { status: 'reorged', seen: '100' },
      [{ type: 'InvoiceProcessing', overPaid: false }],
    ],
    [
      'payment.reorged',
      { status: 'paid', seen: '100' },
      { status: 'reorged' },
      [{ type: 'InvoiceInvalid', manuallyMarked: false }],
    ],
    // It was told already that the money is not there.
    ['payment.expired', { status: 'reorged' }, { status: 'expired', reason: 'lost' }, []],
    [
      'payment.cancelled',
      { status: 'reorged' },
      { status: 'cancelled' },
      [{ type: 'InvoiceInvalid', manuallyMarked: true }],
    ],
    [
      'payment.late',
      { status: 'expired', reason: 'unpaid' },
      { status: 'expired', reason: 'unpaid', late: '100' },
      [{ type: 'InvoiceReceivedPayment', afterExpiration: true }],
    ],
    ['pool.low', {}, {}, []],
  ])('%s, from %j to %j', (type, before, given, expected) => {
    expect(after(type, given, before)).toEqual(expected);
  });

  test('tell that late money is settled when it is as deep as was asked for', () => {
    const late = { status: 'expired', reason: 'unpaid', late: '100' } as const;
    expect(after('payment.late', late, { ...late, late: '0' }, 100n)).toEqual([
      { type: 'InvoiceReceivedPayment', afterExpiration: true },
      { type: 'InvoicePaymentSettled', afterExpiration: true },
    ]);
  });

  test('say InvoiceSettled of nothing but a payment that is settled', () => {
    for (const type of paymentEventTypes) {
      for (const status of paymentStatuses) {
        for (const before of paymentStatuses) {
          const events = after(type, { status, seen: '100' }, { status: before }, 100n);
          const isTold = events.some((event) => event.type === 'InvoiceSettled');
          if (isTold) expect(['paid', 'overpaid']).toContain(status);
        }
      }
    }
  });
});
