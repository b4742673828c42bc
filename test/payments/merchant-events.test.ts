import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FeedEventJson } from '../../api/merchant-events.ts';
import type { Precious, Query } from '../../service/src/db/precious.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import { recordPoolEvent } from '../../service/src/parts/payments/webhooks/record-event.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runAdmin, type TestMerchant } from '../harness/merchant.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from './open-suite.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

const EVENTS = '/api/v1/merchant/events';
const DAY_MS = 24 * 3_600_000;

type Feed = { items: FeedEventJson[]; next_cursor: string; has_more: boolean };

forEachEngine('the feed of events', (engine) => {
  let suite: Suite;
  let service: TestService;
  let database: DatabaseLocation;
  let precious: Precious;
  let receiver: Receiver;

  beforeAll(async () => {
    const settings = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    suite = await openSuite(engine, node.url, settings);
    ({ database, service, precious } = suite);
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await suite.close();
    await receiver.stop();
  });

  const createMerchant = () => suite.createMerchant();
  const read = async (merchant: TestMerchant, query: Record<string, string | number> = {}): Promise<Feed> => {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const answer = await merchant.get(`${EVENTS}?${text}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  /** Follows the cursor until there is no more. */
  const follow = async (merchant: TestMerchant, query: Record<string, string | number> = {}) => {
    const items: FeedEventJson[] = [];
    let page = await read(merchant, query);
    for (items.push(...page.items); page.has_more; items.push(...page.items))
      page = await read(merchant, { ...query, cursor: page.next_cursor });
    return { items, cursor: page.next_cursor };
  };
  const createPayment = async (merchant: TestMerchant, more: object = {}): Promise<string> => {
    const recipient = await node.newAddress();
    const made = await merchant.post('/api/v1/payments', { recipient, amount: '0.5', ...more });
    expect(made.status, made.text).toBe(201);
    return made.json.id;
  };
  /** Writes an event as the service does, in a transaction of the caller. */
  const write = (trx: Query<PaymentTables>, merchant: TestMerchant, n: number, atMs = Date.now()) =>
    recordPoolEvent(trx, 'pool.low', { id: merchant.id, webhook_url: null, pool_low_threshold: 1 }, n, atMs);
  const writeNow = (merchant: TestMerchant, n: number, atMs?: number) =>
    precious.transaction<PaymentTables, void>((trx) => write(trx, merchant, n, atMs));
  const markOf = ({ body }: FeedEventJson) => (body.data as { ready: number }).ready;
  const countNumbered = async ({ id }: TestMerchant) => {
    const rows = await precious
      .query<PaymentTables>()
      .selectFrom('event')
      .select('position')
      .where('merchant_id', '=', id)
      .where('position', 'is not', null)
      .execute();
    return rows.length;
  };

  test('tells every event with its body and its deliveries, oldest first, and then what has come since', async () => {
    const merchant = await createMerchant();
    const empty = await read(merchant);
    expect(empty).toEqual({ items: [], next_cursor: empty.next_cursor, has_more: false });
    const url = `http://localhost:${receiver.port}/feed`;
    const id = await createPayment(merchant, { webhook_url: url });
    await merchant.post(`/api/v1/payments/${id}/cancel`, {});
    await waitUntil('both arrive', async () => receiver.received.length === 2);
    await waitUntil('both are delivered', async () => {
      const { items } = await read(merchant);
      return items.every(({ deliveries }) => deliveries[0]?.state === 'delivered');
    });
    const { items, next_cursor, has_more } = await read(merchant, { cursor: empty.next_cursor });
    expect(has_more).toBe(false);
    expect(items).toMatchObject([
      { type: 'payment.created', payment_id: id, sequence: 1 },
      { type: 'payment.cancelled', payment_id: id, sequence: 2 },
    ]);
    const bytes = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], body]));
    for (const item of items) {
      expect(item.body).toEqual(JSON.parse(bytes.get(item.id)!.toString()));
      expect(item.deliveries).toEqual([
        {
          ...{ id: item.deliveries[0]!.id, url, webhook_id: null, state: 'delivered', tries: 1 },
          ...{ last_status: 204, last_error: null, next_attempt_at: null },
          ended_at: expect.any(String),
        },
      ]);
    }
    const polled = await read(merchant, { cursor: next_cursor });
    expect(polled).toEqual({ items: [], next_cursor, has_more: false });
    const without = await createPayment(merchant);
    const news = await read(merchant, { cursor: next_cursor });
    expect(news.items).toMatchObject([{ type: 'payment.created', payment_id: without, deliveries: [] }]);
  });

  test('keeps the order of a payment where several of its events happened in one moment', async () => {
    const merchant = await createMerchant();
    const atMs = Date.now();
    await precious.transaction<PaymentTables, void>(async (trx) => {
      for (let n = 0; n < 30; n += 1) await write(trx, merchant, n, atMs);
    });
    const { items } = await follow(merchant, { limit: 7 });
    expect(items.map(markOf)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test.runIf(engine.kind === 'postgres')(
    'tells what commits late after what was read before, whenever it happened',
    async () => {
      const merchant = await createMerchant();
      const held = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const atMs = Date.now();
      const late = precious.transaction<PaymentTables, void>(async (trx) => {
        // Without the row of the merchant, which would keep the other from writing at all.
        await insertPlain(trx, merchant, 1, atMs);
        written.resolve();
        await held.promise;
      });
      await written.promise;
      await precious.transaction<PaymentTables, void>((trx) => insertPlain(trx, merchant, 2, atMs + 1));
      const first = await read(merchant);
      expect(first.items.map(({ sequence }) => sequence)).toEqual([2]);
      expect((await read(merchant, { cursor: first.next_cursor })).items).toEqual([]);
      held.resolve();
      await late;
      const second = await read(merchant, { cursor: first.next_cursor });
      expect(second.items.map(({ sequence }) => sequence)).toEqual([1]);
      const again = await read(merchant);
      expect(again.items.map(({ sequence }) => sequence)).toEqual([2, 1]);
    },
  );

  async function insertPlain(trx: Query<PaymentTables>, merchant: TestMerchant, n: number, atMs: number) {
    const id = `evt_${merchant.id.slice(4, 20)}${String(n).padStart(4, '0')}`;
    const event = { id, type: 'pool.low', created_at: new Date(atMs).toISOString(), sequence: n };
    const body = JSON.stringify({ ...event, data: { ready: n, threshold: 1 } });
    await trx
      .insertInto('event')
      .values({ ...event, merchant_id: merchant.id, payment_id: null, body, created_at: atMs })
      .execute();
  }

  test('tells each event once, in one order, to all who follow it while others write', async () => {
    const merchant = await createMerchant();
    const writers = 8;
    const each = 40;
    const start = Date.now();
    let isWriting = true;
    const writing = Promise.all(
      Array.from({ length: writers }, async (_, w) => {
        for (let i = 0; i < each; i += 1) {
          const n = w * each + i + 1;
          await precious.transaction<PaymentTables, void>(async (trx) => {
            // Times go criss-cross, and so do commits.
            await insertPlain(trx, merchant, n, start - ((n * 37) % 50));
            if (engine.kind === 'postgres')
              for (let turn = (n * 13) % 9; turn > 0; turn -= 1) await nextTurn();
          });
        }
      }),
    ).finally(() => {
      isWriting = false;
    });
    const followers = Array.from({ length: 4 }, async (_, f) => {
      const seen: number[] = [];
      let cursor: string | undefined;
      for (let isLast = false; ; ) {
        const wasWriting = isWriting;
        const page = await read(merchant, { limit: 5 + f * 9, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.items.map(({ sequence }) => sequence));
        cursor = page.next_cursor;
        if (page.has_more || wasWriting) continue;
        // Once more after the end: nothing was held back.
        if (isLast) return seen;
        isLast = true;
      }
    });
    await writing;
    const [first, ...others] = await Promise.all(followers);
    expect(first!.toSorted((a, b) => a - b)).toEqual(Array.from({ length: writers * each }, (_, n) => n + 1));
    for (const other of others) expect(other).toEqual(first);
    const anew = await follow(merchant, { limit: 100 });
    expect(anew.items.map(({ sequence }) => sequence)).toEqual(first);
  });

  test('filters by type, payment and time; the cursor goes on with other filters', async () => {
    const merchant = await createMerchant();
    const [a, b] = [await createPayment(merchant), await createPayment(merchant)];
    await merchant.post(`/api/v1/payments/${a}/cancel`, {});
    const types = async (query: Record<string, string | number>) =>
      (await follow(merchant, query)).items.map(({ type, payment_id }) => `${payment_id} ${type}`);
    expect(await types({ type: 'payment.created' })).toEqual([
      `${a} payment.created`,
      `${b} payment.created`,
    ]);
    expect(await types({ payment_id: a })).toEqual([`${a} payment.created`, `${a} payment.cancelled`]);
    expect(await types({ payment_id: a, limit: 1 })).toEqual([
      `${a} payment.created`,
      `${a} payment.cancelled`,
    ]);
    expect(await types({ payment_id: b, type: 'payment.cancelled' })).toEqual([]);
    const { items } = await follow(merchant);
    const last = items.at(-1)!;
    expect(await types({ since: last.created_at })).toContain(`${a} payment.cancelled`);
    expect(await types({ since: new Date(Date.parse(last.created_at) + 1).toISOString() })).toEqual([]);
    const page = await read(merchant, { type: 'payment.created', limit: 1 });
    const rest = await read(merchant, { cursor: page.next_cursor });
    expect(rest.items.map(({ id }) => id)).toEqual(items.slice(1).map(({ id }) => id));
    const stranger = await createMerchant();
    expect((await follow(stranger, { payment_id: a })).items).toEqual([]);
  });

  test('goes 90 days back, and finds a time without reading all before it', async () => {
    const merchant = await createMerchant();
    const nowMs = Date.now();
    await writeNow(merchant, 1, nowMs - 91 * DAY_MS);
    await writeNow(merchant, 2, nowMs - 89 * DAY_MS);
    await writeNow(merchant, 3, nowMs - 10 * DAY_MS);
    await writeNow(merchant, 4, nowMs);
    const { items } = await follow(merchant);
    expect(items.map(markOf)).toEqual([2, 3, 4]);
    const since = new Date(nowMs - 11 * DAY_MS).toISOString();
    expect((await follow(merchant, { since })).items.map(markOf)).toEqual([3, 4]);
    // It is numbered after what happened later, and found by its time nevertheless.
    await writeNow(merchant, 5, nowMs - 5 * DAY_MS);
    const middle = new Date(nowMs - 6 * DAY_MS).toISOString();
    expect((await follow(merchant, { since: middle })).items.map(markOf)).toEqual([4, 5]);
  });

  test('of many events that nobody has read is numbered piece by piece', async () => {
    const merchant = await createMerchant();
    const count = 10_000;
    const startMs = Date.now() - DAY_MS;
    const body = '{"data":{"ready":0,"threshold":1}}';
    await sql`
      insert into event (id, merchant_id, payment_id, type, sequence, body, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
      select ${merchant.id} || '-' || i, ${merchant.id}, null, 'pool.low', i, ${body}, ${sql.lit(startMs)} + i from n`.execute(
      precious.query(),
    );
    const first = await read(merchant, { limit: 100 });
    expect(first.items.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
    expect(first.has_more).toBe(true);
    expect(await countNumbered(merchant)).toBe(250);
    const since = new Date(startMs + count - 4).toISOString();
    let page = await read(merchant, { since });
    const pages = [page];
    for (; page.has_more; pages.push(page)) page = await read(merchant, { since, cursor: page.next_cursor });
    expect(pages.length).toBeLessThanOrEqual(7);
    expect(pages.flatMap(({ items }) => items).map(({ sequence }) => sequence)).toEqual([
      ...[count - 4, count - 3, count - 2, count - 1, count],
    ]);
    const rare = await read(merchant, { type: 'payment.paid', cursor: first.next_cursor });
    expect([rare.items, rare.has_more]).toEqual([[], true]);
  });

  test('outlives its receivers and the purge of what was delivered, and says when something is gone', async () => {
    const merchant = await createMerchant();
    const nowMs = Date.now();
    await writeNow(merchant, 1, nowMs - 80 * DAY_MS);
    await writeNow(merchant, 2, nowMs - 79 * DAY_MS);
    const before = await follow(merchant, { limit: 1 });
    const { next_cursor: afterFirst } = await read(merchant, { limit: 1 });
    const purge = async (days: string) => {
      const { code, stderr } = await runAdmin(database, ['deliveries', 'purge', '--older-than-days', days]);
      expect([code, stderr]).toEqual([0, '']);
    };
    await purge('1');
    expect((await follow(merchant)).items).toEqual(before.items);
    // As if twelve days had passed.
    const older = { created_at: sql<number>`created_at - ${12 * DAY_MS}` };
    await precious
      .query<PaymentTables>()
      .updateTable('event')
      .set({ ...older, position_at: sql<number>`position_at - ${12 * DAY_MS}` })
      .where('merchant_id', '=', merchant.id)
      .execute();
    await writeNow(merchant, 3);
    await purge('1');
    expect((await follow(merchant, { cursor: before.cursor })).items.map(markOf)).toEqual([3]);
    const late = await merchant.get(`${EVENTS}?cursor=${afterFirst}`);
    expect([late.status, late.json.code]).toEqual([409, 'cursor_expired']);
    expect((await follow(merchant)).items.map(markOf)).toEqual([3]);
  });

  test('says to a reader at its end that events were purged which had no number yet; one that begins anew goes on', async () => {
    const merchant = await createMerchant();
    const nowMs = Date.now();
    await writeNow(merchant, 1, nowMs - 2 * DAY_MS);
    const { cursor } = await follow(merchant);
    // As if it had been read so far long ago: what came next is older than the feed goes back by now.
    await precious
      .query<PaymentTables>()
      .updateTable('event_feed')
      .set({ begins_at: nowMs - 200 * DAY_MS, position_at: nowMs - 110 * DAY_MS })
      .where('merchant_id', '=', merchant.id)
      .execute();
    await precious
      .query<PaymentTables>()
      .updateTable('event')
      .set({ created_at: nowMs - 110 * DAY_MS, position_at: nowMs - 110 * DAY_MS })
      .where('merchant_id', '=', merchant.id)
      .execute();
    await writeNow(merchant, 2, nowMs - 100 * DAY_MS);
    await writeNow(merchant, 3, nowMs - DAY_MS);
    const { code, stderr } = await runAdmin(database, ['deliveries', 'purge', '--older-than-days', '1']);
    expect([code, stderr]).toEqual([0, '']);
    const late = await merchant.get(`${EVENTS}?cursor=${cursor}`);
    expect([late.status, late.json.code]).toEqual([409, 'cursor_expired']);
    const anew = await follow(merchant, { limit: 1 });
    expect(anew.items.map(markOf)).toEqual([3]);
    await writeNow(merchant, 4);
    expect((await follow(merchant, { cursor: anew.cursor })).items.map(markOf)).toEqual([4]);
    const all = { since: new Date(nowMs - 300 * DAY_MS).toISOString(), limit: 1 };
    expect((await follow(merchant, all)).items.map(markOf)).toEqual([3, 4]);
  });

  test('refuses a cursor of another merchant, or of a later state of the database', async () => {
    const merchant = await createMerchant();
    await writeNow(merchant, 1);
    const { next_cursor: cursor } = await read(merchant);
    const stranger = await createMerchant();
    const refused = await stranger.get(`${EVENTS}?cursor=${cursor}`);
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_cursor']);
    await precious
      .query<PaymentTables>()
      .updateTable('event_feed')
      .set({ position: 0 })
      .where('merchant_id', '=', merchant.id)
      .execute();
    await precious
      .query<PaymentTables>()
      .updateTable('event')
      .set({ position: null, position_at: null })
      .where('merchant_id', '=', merchant.id)
      .execute();
    const ahead = await merchant.get(`${EVENTS}?cursor=${cursor}`);
    expect([ahead.status, ahead.json.code]).toEqual([409, 'cursor_expired']);
  });

  test.each([
    'since=yesterday',
    'since=2026-13-41T99:99:99Z',
    'since=2026-03-01',
    'type=payment.eaten',
    'payment_id=1',
    'limit=0',
    'order=newest',
  ])('refuses %s', async (query) => {
    const merchant = await createMerchant();
    const refused = await merchant.get(`${EVENTS}?${query}`);
    expect([refused.status, refused.json.code]).toEqual([400, 'invalid_parameter']);
  });

  test('is for merchants only', async () => {
    expect((await service.get(EVENTS)).json.code).toBe('api_key_invalid');
  });
});
