import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import { createAllowList } from '../../service/src/outbound/allow-list.ts';
import { createOutboundClient, type OutboundLimits } from '../../service/src/outbound/outbound-client.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import {
  type Deliverer,
  type DelivererOptions,
  startDeliverer,
} from '../../service/src/parts/payments/webhooks/deliver-webhooks.ts';
import { claimDeliveries, listDue } from '../../service/src/parts/payments/webhooks/delivery-store.ts';
import { disablePending } from '../../service/src/parts/payments/webhooks/end-deliveries.ts';
import {
  type RotatedWebhookSecret,
  rotateWebhookSecret,
} from '../../service/src/parts/payments/webhooks/webhook-secret-store.ts';
import { createAuthority, createSelfSigned } from '../harness/certificates.ts';
import { forEachEngine } from '../harness/engines.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { type ReceivedRequest, type Receiver, startRawReceiver, startReceiver } from '../harness/receiver.ts';
import {
  createTestMerchant,
  listAttempts,
  listDeliveries,
  openTestPrecious,
  type TestMerchant,
  tellEvents,
} from '../harness/webhook-merchant.ts';

const authority = createAuthority();
const certificate = authority.issue({ names: ['shop.example'] });

forEachEngine('webhooks', (engine) => {
  const endings: (() => unknown)[] = [];
  let precious: Precious;
  let merchant: TestMerchant;

  beforeAll(async () => {
    precious = await openTestPrecious(engine);
    return () => precious.close();
  });
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
    await precious.query<PaymentTables>().deleteFrom('delivery_attempt').execute();
    await precious.query<PaymentTables>().deleteFrom('delivery').execute();
    await precious.query<PaymentTables>().deleteFrom('disabled_receiver').execute();
  });

  /** Starts the deliverer on the fixture's database, with real requests. */
  function deliver(
    options: Partial<DelivererOptions> = {},
    { limits = {}, now = Date.now }: { limits?: Partial<OutboundLimits>; now?: () => number } = {},
  ): Deliverer {
    const client = createOutboundClient({
      allow: createAllowList(['127.0.0.1']),
      resolve: async (host) => (host.startsWith('inside') ? ['10.0.0.1'] : ['127.0.0.1']),
      ca: [authority.cert],
      limits,
    });
    const errors: unknown[] = [];
    const context = { precious, now, post: client.post, onError: (error: unknown) => errors.push(error) };
    const deliverer = startDeliverer(context, options);
    endings.push(async () => {
      client.close();
      await deliverer.stop(5_000);
      expect(errors).toEqual([]);
    });
    return deliverer;
  }

  async function keep(receiver: Promise<Receiver>): Promise<Receiver> {
    const started = await receiver;
    endings.push(() => started.stop());
    return started;
  }

  const urlOf = ({ port }: Receiver) => `https://shop.example:${port}/hook`;

  async function untilState(state: string, count = 1): Promise<void> {
    await waitUntil(`${count} deliveries are ${state}`, async () => {
      const all = await listDeliveries(precious);
      return all.filter((delivery) => delivery.state === state).length === count;
    });
  }

  /** Sessions that wait for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(precious.query());
    return rows[0]!.waiting;
  }

  test('an event arrives signed, in both ways', async () => {
    merchant = await createTestMerchant(precious);
    const receiver = await keep(startReceiver({ certificate }));
    deliver({ userAgent: 'Coinfront/test' }).wake();
    await tellEvents(precious, merchant, urlOf(receiver));
    await receiver.waitForRequests(1);
    const [{ headers, body }] = receiver.received as [ReceivedRequest];
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Coinfront/test' });
    const event = JSON.parse(body.toString());
    expect(headers['webhook-id']).toBe(event.id);
    expect(new Webhook(merchant.secret).verify(body, headers as Record<string, string>)).toEqual(event);
    expect(headers['x-coin-pay-signature']).toBe(
      `sha256=${createHmac('sha256', merchant.secret).update(body).digest('hex')}`,
    );
    await untilState('delivered');
    expect(await listDeliveries(precious)).toMatchObject([
      { state: 'delivered', attempts: 1, last_status: 204, last_error: null, ended_at: expect.any(Number) },
    ]);
    expect(await listAttempts(precious)).toMatchObject([{ attempt: 1, status: 204, error: null }]);
  });

  test('a delivery whose try is being written when its receiver is disabled ends with the others', async () => {
    merchant = await createTestMerchant(precious);
    await tellEvents(precious, merchant, 'https://shop.example/hook', 3);
    const [tried] = await listDeliveries(precious);
    const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = precious.transaction<PaymentTables, void>(async (trx) => {
      await trx
        .updateTable('delivery')
        .set({ next_at: 0, is_taken: 0 })
        .where('id', '=', tried!.id)
        .execute();
      written.resolve();
      await mayEnd.promise;
    });
    await written.promise;
    const ending = disablePending(precious, tried!, Date.now());
    if (precious.engine === 'postgres')
      await Promise.race([ending, waitUntil('it waits', async () => (await countWaiting()) > 0)]);
    mayEnd.resolve();
    await Promise.all([writing, ending]);
    const states = (await listDeliveries(precious)).map(({ state }) => state);
    expect(states).toEqual(['disabled', 'disabled', 'disabled']);
  });

  test('while a rotation overlaps the old secret signs as before and both sign as Standard Webhooks', async () => {
    merchant = await createTestMerchant(precious);
    const rotate = (overlapMs?: number) =>
      precious.transaction<PaymentTables, RotatedWebhookSecret>((trx) =>
        rotateWebhookSecret(trx, merchant.id, Date.now(), overlapMs),
      );
    const { secret: second } = await rotate();
    const receiver = await keep(startReceiver({ certificate }));
    const deliverer = deliver();
    await tellEvents(precious, merchant, urlOf(receiver));
    deliverer.wake();
    await receiver.waitForRequests(1);
    const check = ({ headers, body }: ReceivedRequest, own: string, others: string[], ended: string[]) => {
      expect(headers['x-coin-pay-signature']).toBe(
        `sha256=${createHmac('sha256', own).update(body).digest('hex')}`,
      );
      const standard = headers as Record<string, string>;
      for (const secret of [own, ...others]) new Webhook(secret).verify(body, standard);
      for (const secret of ended) expect(() => new Webhook(secret).verify(body, standard)).toThrow();
    };
    check(receiver.received[0]!, merchant.secret, [second], []);

    // The receiver may know the first one only, however often somebody rotates.
    const { secret: third } = await rotate();
    const { secret: fourth } = await rotate();
    const { secret: fifth } = await rotate();
    const { secret: sixth, previousValidUntilMs } = await rotate();
    expect(previousValidUntilMs).toBeLessThanOrEqual(Date.now());
    await tellEvents(precious, merchant, urlOf(receiver));
    deliverer.wake();
    await receiver.waitForRequests(2);
    check(receiver.received[1]!, merchant.secret, [second, third, fourth, sixth], [fifth]);

    const { secret: last } = await rotate(0);
    await tellEvents(precious, merchant, urlOf(receiver));
    deliverer.wake();
    await receiver.waitForRequests(3);
    check(receiver.received[2]!, last, [], [merchant.secret, second, third, fourth, fifth, sixth]);
    await untilState('delivered', 3);
  });

  test('every try sends the same bytes, and after the last one it is dead', async () => {
    merchant = await createTestMerchant(precious);
    const receiver = await keep(
      startReceiver({
        certificate,
        answer: (response, _, n) => response.writeHead(n === 2 ? 302 : 500).end(),
      }),
    );
    deliver({ pausesMs: [5, 10], pollMs: 20 });
    await tellEvents(precious, merchant, urlOf(receiver));
    await untilState('dead');
    expect(receiver.received.length).toBe(3);
    for (const { body, headers } of receiver.received) {
      expect(body).toEqual(receiver.received[0]!.body);
      expect(headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
      new Webhook(merchant.secret).verify(body, headers as Record<string, string>);
    }
    expect(await listAttempts(precious)).toMatchObject([
      { attempt: 1, status: 500, error: 'Only an answer of 2xx counts; this was 500.' },
      { attempt: 2, status: 302, error: 'Redirects are not followed (302).' },
      { attempt: 3, status: 500 },
    ]);
  });

  test('Retry-After puts the next try off', async () => {
    merchant = await createTestMerchant(precious);
    const answer = (_: ReceivedRequest, n: number) => (n === 1 ? 503 : 204);
    const receiver = await keep(
      startReceiver({
        certificate,
        answer: (response, request, n) =>
          response.writeHead(answer(request, n), { 'retry-after': '3600' }).end(),
      }),
    );
    let nowMs = Date.now();
    const deliverer = deliver({ pausesMs: [5] }, { now: () => nowMs });
    await tellEvents(precious, merchant, urlOf(receiver), 1, nowMs);
    await waitUntil('the first try is written', async () => (await listAttempts(precious)).length === 1);
    expect(await listDeliveries(precious)).toMatchObject([{ state: 'pending', next_at: nowMs + 3_600_000 }]);
    nowMs += 3_600_000;
    deliverer.wake();
    await untilState('delivered');
  });

  test('410 ends all that waits for the receiver, and what comes later is not sent', async () => {
    merchant = await createTestMerchant(precious);
    const receiver = await keep(
      startReceiver({ certificate, answer: (response) => response.writeHead(410).end() }),
    );
    const other = await keep(startReceiver({ certificate }));
    const deliverer = deliver({ maxPerOrigin: 1 });
    await tellEvents(precious, merchant, urlOf(receiver), 700);
    await tellEvents(precious, merchant, `${urlOf(receiver)}/other`, 1, Date.now() + 3_600_000);
    await untilState('disabled', 700);
    const sent = receiver.received.length;
    await tellEvents(precious, merchant, urlOf(receiver));
    await tellEvents(precious, merchant, urlOf(other));
    deliverer.wake();
    await untilState('delivered');
    await untilState('disabled', 701);
    // Another address of the same receiver goes on.
    await untilState('pending', 1);
    expect(receiver.received.length).toBe(sent);
  });

  test('hostile receivers hold up nobody', async () => {
    merchant = await createTestMerchant(precious);
    const others = await createTestMerchant(precious);
    const inside = await keep(startReceiver());
    const raw = (serve: Parameters<typeof startRawReceiver>[0]) =>
      keep(startRawReceiver(serve, { certificate }));
    const silent = await raw(() => {});
    const hostile = [
      silent,
      await keep(startRawReceiver(() => {})),
      await raw((socket) => {
        const drip = setInterval(() => socket.write('H'), 1_000);
        socket.on('close', () => clearInterval(drip));
      }),
      await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
        socket.write(Buffer.alloc(1_000_000));
      }),
      await raw((socket) => socket.destroy()),
      await keep(
        startReceiver({
          certificate,
          answer: (response) =>
            response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end(),
        }),
      ),
      await keep(startReceiver({ certificate: createSelfSigned({ names: ['shop.example'] }) })),
    ].map(urlOf);
    hostile.push('https://inside.example/', 'https://127.0.0.2/');
    for (const url of hostile) await tellEvents(precious, others, url, 20);
    // More than one look takes in, and all of it waits longer than what the good one gets.
    await tellEvents(precious, others, urlOf(silent), 1_000);
    const good = await keep(startReceiver({ certificate }));
    const deliverer = deliver({}, { limits: { connectTimeoutMs: 60_000, totalTimeoutMs: 60_000 } });
    await silent.waitForConnections(4);
    await tellEvents(precious, merchant, urlOf(good), 100);
    deliverer.wake();
    await good.waitForRequests(100);
    expect(new Set(good.received.map(({ headers }) => headers['webhook-id'])).size).toBe(100);
    // The silent one has all that it is allowed, still.
    expect(silent.connections()).toBe(4);
    expect(inside.connections()).toBe(0);
    await waitUntil('the good ones are delivered', async () =>
      (await listDeliveries(precious, urlOf(good))).every(({ state }) => state === 'delivered'),
    );
    await waitUntil('what is inside of a network was refused', async () => {
      const [refused] = await listDeliveries(precious, 'https://inside.example/');
      return refused!.last_error === 'The host has an address that is not of the public internet.';
    });
  });

  test('no merchant takes all places with receivers of many names', async () => {
    merchant = await createTestMerchant(precious);
    const greedy = await createTestMerchant(precious);
    const silent = await keep(startRawReceiver(() => {}));
    for (let n = 0; n < 40; n += 1)
      await tellEvents(precious, greedy, `https://shop${n}.example:${silent.port}/`);
    const good = await keep(startReceiver({ certificate }));
    deliver({ maxUnderWay: 20, maxPerMerchant: 16 });
    await silent.waitForConnections(16);
    await tellEvents(precious, merchant, urlOf(good), 10);
    await good.waitForRequests(10);
    expect(silent.connections()).toBe(16);
  });

  test('what a dead process had taken is sent when its claim has run out', async () => {
    merchant = await createTestMerchant(precious);
    const receiver = await keep(startReceiver({ certificate }));
    await tellEvents(precious, merchant, urlOf(receiver), 3);
    let nowMs = Date.now();
    const due = await listDue(precious, nowMs, 10);
    const bounds = { nowMs, untilMs: nowMs + 60_000, maxPerOrigin: 4 };
    const { claims: lost } = await claimDeliveries(precious, due.slice(0, 2), bounds);
    expect(lost.length).toBe(2);
    expect((await claimDeliveries(precious, due.slice(0, 2), bounds)).claims).toEqual([]);
    const deliverer = deliver({}, { now: () => nowMs });
    await untilState('delivered', 1);
    expect(receiver.received.length).toBe(1);
    nowMs += 60_000;
    deliverer.wake();
    await untilState('delivered', 3);
    expect((await listDeliveries(precious)).map(({ attempts }) => attempts).sort()).toEqual([1, 2, 2]);
  });

  test('two workers send each event once', async () => {
    merchant = await createTestMerchant(precious);
    const receivers = [
      await keep(startReceiver({ certificate })),
      await keep(startReceiver({ certificate })),
    ];
    for (const receiver of receivers) await tellEvents(precious, merchant, urlOf(receiver), 150);
    deliver();
    deliver();
    await untilState('delivered', 300);
    for (const { received } of receivers)
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(received.length);
    expect(receivers.map(({ received }) => received.length)).toEqual([150, 150]);
  });

  test('stopping finishes what is under way and gives back what does not end', async () => {
    merchant = await createTestMerchant(precious);
    const answers: (() => void)[] = [];
    const slow = await keep(
      startReceiver({ certificate, answer: (response) => answers.push(() => response.writeHead(204).end()) }),
    );
    const silent = await keep(startRawReceiver(() => {}, { certificate }));
    const deliverer = deliver();
    await tellEvents(precious, merchant, urlOf(slow));
    await tellEvents(precious, merchant, urlOf(silent));
    deliverer.wake();
    await Promise.all([slow.waitForRequests(1), silent.waitForConnections(1)]);
    const stopped = deliverer.stop(3_000);
    answers[0]!();
    await stopped;
    expect(await listDeliveries(precious, urlOf(slow))).toMatchObject([{ state: 'delivered' }]);
    const [given] = await listDeliveries(precious, urlOf(silent));
    expect(given).toMatchObject({ state: 'pending', attempts: 1 });
    expect(given!.next_at).toBeLessThanOrEqual(Date.now());
    expect(await listAttempts(precious)).toMatchObject([{ status: 204 }]);
  });
});
