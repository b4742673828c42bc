import type { PaymentStatus } from '@coinfront/api/payments.ts';
import type { PaymentEventJson } from '@coinfront/api/webhooks.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePayment } from '../../test/browser/fixture-payment.ts';
import { type Orders, openOrders } from './orders.ts';

let orders: Orders;
let orderId: string;

beforeEach(() => {
  orders = openOrders(':memory:');
  orderId = orders.place('coffee', '0.02500000').id;
  orders.attachPayment(orderId, makePayment());
});
afterEach(() => orders.close());

function makeEvent(status: PaymentStatus, sequence: number, id = `evt_${sequence}`): PaymentEventJson {
  const payment = makePayment({ status, sequence });
  return {
    id,
    type: `payment.${status}`,
    created_at: payment.updated_at,
    sequence,
    data: { payment, order_id: null, tip: null },
  };
}

function isPaid(): boolean {
  return orders.find(orderId)?.is_paid === 1;
}

test.each([
  ['paid', true],
  ['overpaid', true],
  ['open', false],
  ['underpaid', false],
  ['detected', false],
  ['confirming', false],
  ['expired', false],
  ['cancelled', false],
  ['reorged', false],
] as const)('an order is paid by %s: %s', (status, paid) => {
  expect(orders.take(makeEvent(status, 2))).toBe('taken');
  expect(isPaid()).toBe(paid);
});

test('a reorganisation takes it back, and it can be paid again', () => {
  orders.take(makeEvent('paid', 2));
  orders.take(makeEvent('reorged', 3));
  expect(isPaid()).toBe(false);
  orders.take(makeEvent('paid', 4));
  expect(isPaid()).toBe(true);
});

test('an event that is delivered again does nothing, and older news do not undo newer', () => {
  expect(orders.take(makeEvent('reorged', 5))).toBe('taken');
  expect(orders.take(makeEvent('reorged', 5))).toBe('repeated');
  expect(orders.take(makeEvent('paid', 4))).toBe('older');
  expect(isPaid()).toBe(false);
});

test("another's payment is let be, and may become ours later", () => {
  const second = orders.place('teapot', '1.50000000');
  const event = makeEvent('paid', 2);
  const foreign = {
    ...event,
    data: { ...event.data, payment: { ...event.data.payment, id: 'VP-ZZZZZZZZZZZZ' } },
  };
  expect(orders.take(foreign)).toBe('foreign');
  orders.attachPayment(second.id, { id: 'VP-ZZZZZZZZZZZZ', checkout_url: '/pay/VP-ZZZZZZZZZZZZ' });
  expect(orders.take(foreign)).toBe('taken');
  expect(orders.find(second.id)?.is_paid).toBe(1);
});
