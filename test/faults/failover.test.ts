import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentEventJson } from '../../api/webhooks.ts';
import { verifyWebhook } from '../../sdk/webhooks/verify-webhook.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import {
  runSql,
  startPostgres,
  startStandby,
  type TestPostgres,
  type TestStandby,
} from '../harness/postgres.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { startService, type TestService } from '../harness/service.ts';

const SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB' };
const AT_ONCE = 4;
const BEFORE = 60;
const AFTER = 120;

let node: TestNode;
let primary: TestPostgres;
let standby: TestStandby;
let url: string;
let receiver: Receiver;
let api: TestService;
let workers: TestService[];
let merchant: TestMerchant;

beforeAll(async () => {
  [node, primary, receiver] = await Promise.all([
    startNode(),
    startPostgres({ settings: SETTINGS }),
    startReceiver(),
  ]);
  await node.mine(110);
  url = await primary.createDatabase();
  standby = await startStandby(primary, { settings: SETTINGS });
  // What is answered is on both machines: a commit of payments waits for the standby, one of the index does not.
  await runSql(primary.url, "alter system set synchronous_standby_names = '*'");
  await runSql(primary.url, 'select pg_reload_conf()');
  const database = { kind: 'postgres', url: `${url},${standby.urlOf(url)}` } as const;
  const settings = {
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    COINFRONT_LOG_LEVEL: 'info',
    COINFRONT_DATABASE_READ_URL: standby.urlOf(url),
  };
  const start = (roles: string, waitFor: 'answer' | 'nothing') =>
    startService({ nodeUrl: node.url, database, settings: { ...settings, COINFRONT_ROLES: roles }, waitFor });
  workers = await Promise.all([start('indexer,worker', 'nothing'), start('indexer,worker', 'nothing')]);
  api = await start('api', 'answer');
  await api.waitForTip();
  const hook = `http://127.0.0.1:${receiver.port}/hook`;
  merchant = await createTestMerchant(api, database, ['--webhook-url', hook], settings);
});
afterAll(async () => {
  await Promise.all([api, ...workers].map((service) => service?.kill()));
  await receiver.stop();
  await Promise.all([node.stop(), primary.stop(), standby.stop()]);
});

/** What was answered with 201, by the key of its request. */
const made = new Map<string, { id: string; recipient: string }>();

/** Makes payments, each as often as it takes until it is answered, until there are so many. */
async function makePayments(count: () => number): Promise<void> {
  let next = made.size;
  const make = async (): Promise<void> => {
    while (made.size < count()) {
      const key = `order-${next++}`;
      const body = { recipient: await node.newAddress(), amount: '0.01', confirmations_required: 1 };
      while (!made.has(key)) {
        const answer = await merchant
          .post('/api/v1/payments', body, { 'idempotency-key': key })
          .catch((error: Error) => ({ status: 0, json: error.message }));
        if (answer.status === 201) made.set(key, { id: answer.json.id, recipient: body.recipient });
        // While there is no primary, and while the same request is not known to have ended.
        else expect([409, 503], JSON.stringify(answer.json)).toContain(answer.status);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
}

test('the primary is killed under load and its standby promoted: no event is lost or doubled, and all go on by themselves', async () => {
  const pids = [api, ...workers].map((service) => service.pid());
  const readings = readTips();
  let until = Number.POSITIVE_INFINITY;
  const making = makePayments(() => until);
  await waitUntil('there are payments', () => made.size >= BEFORE);
  await payHalf();
  await primary.kill();
  await standby.promote();
  until = made.size + AFTER;
  await making;
  await payHalf();
  await node.mine(1);
  await api.waitForTip();
  await waitForHealth(api, 'ready');

  const { id: paidLast } = [...paid].at(-1)!;
  await waitUntil(
    'the last is paid',
    async () => (await api.get(`/api/v1/payments/${paidLast}`)).json.status === 'paid',
    60_000,
  );
  const precious = await openBeside({ kind: 'postgres', url: standby.urlOf(url) });
  const query = precious.query<PaymentTables>();
  const payments = await query
    .selectFrom('payment')
    .select(['id', 'recipient', 'status', 'sequence'])
    .execute();
  // Each request made one payment, however often it was sent.
  expect(new Map(payments.map(({ id, recipient }) => [id, recipient]))).toEqual(
    new Map([...made.values()].map(({ id, recipient }) => [id, recipient])),
  );
  await waitUntil('all that was paid is', async () => {
    const rows = await query.selectFrom('payment').select('id').where('status', '=', 'paid').execute();
    return rows.length === paid.size;
  });
  const events = await query.selectFrom('event').selectAll().orderBy('sequence').execute();
  for (const { id } of made.values()) {
    const own = events.filter((event) => event.payment_id === id);
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, i) => i + 1));
    expect(own.filter(({ type }) => type === 'payment.created')).toHaveLength(1);
    expect(own.filter(({ type }) => type === 'payment.paid')).toHaveLength(
      [...paid].some((one) => one.id === id) ? 1 : 0,
    );
  }
  await waitUntil(
    'every event has arrived',
    () => {
      const arrived = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
      return events.every(({ id }) => arrived.has(id));
    },
    90_000,
  );
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  for (const { headers, body } of receiver.received) {
    const event = (await verifyWebhook(body, headers, merchant.webhookSecret)) as PaymentEventJson;
    expect(body.toString()).toBe(bodies.get(event.id));
  }
  await precious.close();
  expect([api, ...workers].map((service) => service.pid())).toEqual(pids);
  expect(await readings.stop()).toEqual([]);
}, 240_000);

const paid = new Set<{ id: string; recipient: string }>();

/** Pays every second of the payments that are there and not paid. */
async function payHalf(): Promise<void> {
  const chosen = [...made.values()].filter((one, i) => i % 2 === 0 && !paid.has(one));
  const amounts = Object.fromEntries(chosen.map(({ recipient }) => [recipient, 0.01]));
  await node.rpc('sendmany', '', amounts);
  await node.mine(1);
  for (const one of chosen) paid.add(one);
}

/** Reads the height over and over; gives each answer that was before an earlier one. */
function readTips(): { stop(): Promise<string[]> } {
  const wrong: string[] = [];
  let isStopped = false;
  let highest = 0;
  const reading = (async () => {
    while (!isStopped) {
      const answer = await api.get('/api/v1/status').catch(() => undefined);
      const height = Number(answer?.headers.get('x-chain-height') ?? highest);
      if (answer?.status === 200 && height < highest) wrong.push(`${height} after ${highest}`);
      highest = Math.max(highest, height);
      await delay(5);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await reading;
      return wrong;
    },
  };
}
