import type { FeedEventJson } from '@coinfront/api/merchant-events.ts';
import { expect, test } from 'vitest';
import { judgeArrivals, judgeFeed } from './judge-events.ts';

function event(sequence: number, type: string, payment = 'VP-1'): FeedEventJson {
  const id = `${payment} ${sequence}`;
  return {
    id,
    type,
    payment_id: payment,
    sequence,
    body: { id, type, sequence },
  } as unknown as FeedEventJson;
}

const whole = [event(1, 'payment.created'), event(2, 'payment.detected'), event(3, 'payment.paid')];

test('a feed without gaps, of several payments and of the pool, has nothing wrong', () => {
  const pool = { ...event(9, 'pool.low'), payment_id: null };
  const received = [event(4, 'payment.received'), event(5, 'payment.received')];
  expect(
    judgeFeed([whole[0]!, whole[2]!, whole[1]!, pool, event(1, 'payment.created', 'VP-2'), ...received]),
  ).toEqual([]);
});

test.each([
  ['a lost event', [whole[0]!, whole[2]!]],
  ['an event that is told twice', [...whole, event(4, 'payment.paid')]],
  ['a payment that was never created', [event(1, 'payment.detected')]],
  ['a payment that was created twice', [...whole, event(4, 'payment.created')]],
  ['a body of another event', [whole[0]!, { ...whole[1]!, body: whole[2]!.body }]],
])('%s is found', (_, events) => {
  expect(judgeFeed(events)).toHaveLength(1);
});

test('a webhook is one of the feed, word for word', () => {
  const feed = new Map(whole.map((each) => [each.id, each]));
  const body = JSON.stringify(whole[1]!.body);
  expect(judgeArrivals([{ id: 'VP-1 2', body }], feed)).toEqual([]);
  expect(judgeArrivals([{ id: 'VP-1 9', body }], feed)).toHaveLength(1);
  expect(judgeArrivals([{ id: 'VP-1 3', body }], feed)).toHaveLength(1);
});
