import { expect, test } from 'vitest';
import { type NewDelivery, putInTurn } from './event-deliveries.ts';

test('deliveries of a queue are due one after another for each payment, also those of several events at one time; others at once', () => {
  const delivery = (
    eventId: string,
    paymentId: string | null,
    webhookId: string | null,
    isQueued: boolean,
    nowMs = 1_000,
  ): NewDelivery => ({
    ...{ eventId, paymentId, merchantId: 'mer_1', url: 'https://shop.example/', webhookId, body: null },
    ...{ isQueued, nowMs },
  });
  const due = putInTurn([
    delivery('evt_1', 'VP-1', null, false),
    delivery('evt_1', 'VP-1', 'whk_1', true),
    delivery('evt_1', 'VP-1', 'whk_1', true),
    delivery('evt_1', 'VP-1', 'whk_2', true),
    delivery('evt_2', 'VP-1', 'whk_3', false),
    delivery('evt_2', 'VP-1', 'whk_1', true),
    delivery('evt_2', 'VP-1', 'whk_2', true, 2_000),
    // What follows later for this one must not overtake.
    delivery('evt_3', 'VP-2', 'whk_1', true),
    delivery('evt_3', 'VP-2', 'whk_1', true),
  ]);
  expect(due.map(({ nowMs }) => nowMs)).toEqual([
    ...[1_000, 1_000, 1_001, 1_000, 1_000, 1_002, 2_000],
    ...[1_000, 1_001],
  ]);
});
