/// <reference path="../harness/global-setup.ts" />
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { finishRound, judgeDuePayments } from '../../service/src/parts/payments/judging/judge-payments.ts';
import { findShared, runInTurn, TurnLostError } from '../../service/src/parts/payments/judging/judge-turn.ts';
import { createPaymentId } from '../../service/src/parts/payments/payment-ids.ts';
import { newPaymentRow } from '../../service/src/parts/payments/schema/new-rows.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import {
  type Deliverer,
  startDeliverer,
} from '../../service/src/parts/payments/webhooks/deliver-webhooks.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { createDatabase, dropDatabase } from '../harness/postgres.ts';
import { addressOfOwner } from '../harness/raw-coins.ts';
import { testProfile } from '../harness/test-coin.ts';
import {
  createTestMerchant,
  listDeliveries,
  type TestMerchant,
  tellEvents,
} from '../harness/webhook-merchant.ts';

const PAYMENTS = 3_000;

let url: string;
let processes: [Precious, Precious];
let merchant: TestMerchant;

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  const open = () => openPrecious({ kind: 'postgres', url }, preciousMigrations);
  processes = [await open(), await open()];
  merchant = await createTestMerchant(processes[0]);
});
afterEach(async () => {
  await Promise.all(processes.map((precious) => precious.close()));
  await dropDatabase(url);
});

test('a process that waits for its turn judges with the one that has it, each payment once, and never by what is no more', async () => {
  const [first, second] = processes;
  const nowMs = Date.now();
  for (let start = 0; start < PAYMENTS; start += 500) {
    const rows = Array.from({ length: 500 }, (_, i) =>
      newPaymentRow({
        id: createPaymentId(),
        merchant_id: merchant.id,
        recipient: addressOfOwner(1),
        address: addressOfOwner(1),
        script_hash: String(start + i).padStart(64, '0'),
        amount: '1',
        created_at: nowMs - 2_000,
        expires_at: nowMs - 1_000,
        created_height: 0,
        is_due: 0,
      }),
    );
    await first.query<PaymentTables>().insertInto('payment').values(rows).execute();
  }
  const state = { tip: { height: 1, hash: 'ab' }, syncedAtMs: nowMs };
  const chunks = [0, 0];
  const judge = (who: 0 | 1, turn: Parameters<typeof judgeDuePayments>[2]['turn'], by = state) => {
    const context = {
      precious: processes[who],
      profile: testProfile,
      publicUrl: '',
      now: Date.now,
      onEvent() {
        chunks[who]! += 1;
      },
    };
    const options = { turn, signal: new AbortController().signal, waitMs: 0, retireAddress: async () => {} };
    return judgeDuePayments(context, by, options);
  };
  const context = { precious: first, profile: testProfile, publicUrl: '', now: Date.now, onEvent: () => {} };

  const hadTurn = await runInTurn(first, async (turn) => {
    expect(await runInTurn(second, async () => {})).toBe(false);
    expect(await findShared(second)).toBeUndefined();
    await turn.share!(state);
    const shared = (await findShared(second))!;
    expect(shared.state).toEqual(state);
    await Promise.all([judge(0, turn), judge(1, shared.turn, shared.state)]);
    expect(Math.min(...chunks)).toBeGreaterThan(0);
    const rows = await first
      .query<PaymentTables>()
      .selectFrom('event')
      .select(['payment_id', 'type'])
      .execute();
    expect(rows).toHaveLength(PAYMENTS);
    expect(new Set(rows.map(({ payment_id }) => payment_id)).size).toBe(PAYMENTS);
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['payment.expired']));

    // Something is written: whoever still judges by the state of before writes nothing.
    await first.query<PaymentTables>().updateTable('payment').set({ is_due: 2 }).execute();
    expect(await finishRound(context, state, turn)).toBe(false);
    expect(await findShared(second)).toBeUndefined();
    await expect(judge(1, shared.turn)).rejects.toThrow(TurnLostError);
    await judge(0, turn);
    expect(await finishRound(context, state, turn)).toBe(true);
  });
  expect(hadTurn).toBe(true);
});

test('what is shared ends with the next write, also where a write before it was rolled back', async () => {
  const [first, second] = processes;
  await runInTurn(first, async (turn) => {
    await turn.share!({ tip: { height: 1, hash: 'ab' }, syncedAtMs: Date.now() });
    const write = (end: () => void) =>
      first.transaction<PaymentTables, void>(async (trx) => {
        await turn.check(trx);
        end();
      });
    await expect(
      write(() => {
        throw new Error('the write fails');
      }),
    ).rejects.toThrow('the write fails');
    expect(await findShared(second)).toBeDefined();
    await write(() => {});
    expect(await findShared(second)).toBeUndefined();
  });
});

test('two processes send all that is due, and one at a time of what is sent in a row', async () => {
  const [first] = processes;
  const addresses = { plain: 'https://plain.example/', queue: 'https://queue.example/' };
  await tellEvents(first, merchant, addresses.plain, 40);
  await tellEvents(first, merchant, addresses.queue, 12);
  await first
    .query<PaymentTables>()
    .updateTable('delivery')
    .set({ lane: sql<string>`lane || ' row'` })
    .where('url', '=', addresses.queue)
    .execute();
  const deliverers: Deliverer[] = [];
  const sentBy = [new Set<string>(), new Set<string>()];
  const arrived: string[] = [];
  let atOnce = 0;
  let most = 0;
  for (const [i, precious] of processes.entries()) {
    const deliverer = startDeliverer(
      {
        precious,
        now: Date.now,
        onError: (error) => expect.fail(String(error)),
        async post({ url: to, headers }) {
          sentBy[i]!.add(to);
          arrived.push(String((headers as Record<string, string>)['webhook-id']));
          const isQueue = to === addresses.queue;
          if (isQueue) most = Math.max(most, ++atOnce);
          // As long as others need to take the next one, if they would.
          await delay(30);
          if (isQueue) atOnce -= 1;
          return { status: 204, retryAfter: undefined, body: '' } as never;
        },
      },
      { pollMs: 20, maxPerOrigin: 4 },
    );
    deliverers.push(deliverer);
  }
  for (;;) {
    const all = await listDeliveries(first);
    if (all.every(({ state }) => state === 'delivered')) break;
    await delay(20);
  }
  await Promise.all(deliverers.map((deliverer) => deliverer.stop(1_000)));
  expect(arrived).toHaveLength(52);
  expect(new Set(arrived).size).toBe(52);
  expect(sentBy.every((urls) => urls.has(addresses.plain))).toBe(true);
  expect(most).toBe(1);
});

test('two processes together send no more to a receiver at once than one may, and one that hangs keeps nobody waiting', async () => {
  const [first] = processes;
  const addresses = { hangs: 'https://hangs.example/', other: 'https://other.example/' };
  // More than are looked at in their order.
  await tellEvents(first, merchant, addresses.hangs, 300);
  const goesOn = Promise.withResolvers<void>();
  const arrived: string[] = [];
  const sentBy: [string[], string[]] = [[], []];
  let atOnce = 0;
  let most = 0;
  const start = (i: 0 | 1, maxUnderWay: number): Deliverer =>
    startDeliverer(
      {
        precious: processes[i],
        now: Date.now,
        onError: (error) => expect.fail(String(error)),
        async post({ url: to, headers }) {
          arrived.push(String((headers as Record<string, string>)['webhook-id']));
          sentBy[i].push(to);
          if (to === addresses.hangs) {
            most = Math.max(most, ++atOnce);
            await goesOn.promise;
            atOnce -= 1;
          }
          return { status: 204, retryAfter: undefined, body: '' } as never;
        },
      },
      { pollMs: 200, maxUnderWay, maxPerOrigin: 4 },
    );
  // The first has room for nobody else.
  const deliverers = [start(0, 4)];
  await waitUntil('the receiver has all that it may', () => atOnce === 4);
  await tellEvents(first, merchant, addresses.other, 10);
  deliverers.push(start(1, 64));
  await waitUntil('the other one has everything', () => sentBy[1].length >= 10);
  expect(new Set(sentBy[1])).toEqual(new Set([addresses.other]));
  expect(most).toBe(4);

  goesOn.resolve();
  await waitUntil('everything is delivered', async () =>
    (await listDeliveries(first)).every(({ state }) => state === 'delivered'),
  );
  await Promise.all(deliverers.map((deliverer) => deliverer.stop(1_000)));
  expect(most).toBe(4);
  expect(arrived).toHaveLength(310);
  expect(new Set(arrived).size).toBe(310);
});
