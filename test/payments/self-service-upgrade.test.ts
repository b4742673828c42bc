import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createApiKey } from '../../service/src/parts/payments/merchants/api-key.ts';
import type { ApiKeyTable, MerchantTable } from '../../service/src/parts/payments/schema/payment-tables.ts';
import type { DeliveryTable, EventTable } from '../../service/src/parts/payments/schema/webhook-tables.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

const MERCHANT = 'mer_00000000000000000000';
const EVENT = 'evt_00000000000000000000';
const DELIVERY = 'dlv_00000000000000000000';

type OldTables = {
  merchant: Pick<
    MerchantTable,
    'id' | 'name' | 'webhook_url' | 'pool_low_threshold' | 'sequence' | 'created_at' | 'disabled_at'
  >;
  api_key: Pick<ApiKeyTable, 'hash' | 'merchant_id' | 'hint' | 'created_at' | 'expires_at'>;
  event: Omit<EventTable, 'position' | 'position_at'>;
  delivery: Omit<DeliveryTable, 'webhook_id' | 'body' | 'is_taken'>;
};

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(1);
});
afterAll(() => node.stop());

forEachEngine('a database of before merchants looked after themselves', (engine) => {
  let database: DatabaseLocation;
  let service: TestService;
  const [first, second] = [createApiKey(), createApiKey()];
  const nowMs = Date.now();
  const body = { id: EVENT, type: 'pool.low', sequence: 1, data: { ready: 1, threshold: 2 } };

  beforeAll(async () => {
    database = await engine.openUrl();
    await writeOldDatabase();
    service = await startService({ nodeUrl: node.url, database });
  });
  afterAll(() => service?.kill());

  async function writeOldDatabase(): Promise<void> {
    const steps = Object.entries(preciousMigrations).filter(([name]) => name < '0010_payments');
    const precious = await openPrecious(
      database.kind === 'sqlite' ? { kind: 'sqlite', file: join(database.dataDir, 'front.db') } : database,
      Object.fromEntries(steps),
    );
    const db = precious.query<OldTables>();
    const merchant = {
      id: MERCHANT,
      name: 'Old shop',
      webhook_url: null,
      pool_low_threshold: 2,
      sequence: 1,
    };
    await db
      .insertInto('merchant')
      .values({ ...merchant, created_at: nowMs, disabled_at: null })
      .execute();
    for (const [n, { hash, hint }] of [first, second].entries()) {
      const expires_at = n === 0 ? nowMs + 3_600_000 : null;
      await db
        .insertInto('api_key')
        .values({ hash, merchant_id: MERCHANT, hint, created_at: nowMs + n, expires_at })
        .execute();
    }
    const { id, type, sequence } = body;
    await db
      .insertInto('event')
      .values({
        ...{ id, merchant_id: MERCHANT, payment_id: null, type, sequence },
        ...{ body: JSON.stringify(body), created_at: nowMs },
      })
      .execute();
    const url = 'https://shop.example/';
    await db
      .insertInto('delivery')
      .values({
        ...{ id: DELIVERY, event_id: id, merchant_id: MERCHANT, url, lane: `${MERCHANT} ${url}` },
        ...{ state: 'dead', attempts: 11, attempts_before: 0, next_at: nowMs, last_status: 500 },
        ...{ last_error: null, created_at: nowMs, ended_at: nowMs },
      })
      .execute();
    await precious.close();
  }

  const get = async (path: string, key = second.key) => {
    const { status, json } = await service.get(path, { 'x-coin-pay-api-key': key });
    return { status, json };
  };

  test('has keys that may do everything, and can be revoked', async () => {
    const { json } = await get('/api/v1/merchant/keys', first.key);
    expect(json.items).toMatchObject([
      { name: null, scope: 'all', hint: first.hint, expires_at: new Date(nowMs + 3_600_000).toISOString() },
      { name: null, scope: 'all', hint: second.hint, expires_at: null },
    ]);
    const key = { 'x-coin-pay-api-key': second.key };
    const path = `/api/v1/merchant/keys/${json.items[0].id}`;
    expect((await service.send('DELETE', path, undefined, key)).status).toBe(200);
    expect((await get('/api/v1/merchant', first.key)).status).toBe(401);
  });

  test('has a merchant with the defaults of the service, and no endpoint', async () => {
    expect((await get('/api/v1/merchant')).json).toMatchObject({
      name: 'Old shop',
      default_expires_in: null,
      default_confirmations: null,
    });
    expect((await get('/api/v1/merchant/webhooks')).json.items).toEqual([]);
  });

  test('has its events in the feed, and its deliveries as they were', async () => {
    const { json } = await get('/api/v1/merchant/events');
    expect(json).toMatchObject({
      items: [
        { id: EVENT, body, deliveries: [{ id: DELIVERY, state: 'dead', tries: 11, webhook_id: null }] },
      ],
      has_more: false,
    });
    const delivery = (await get(`/api/v1/merchant/deliveries/${DELIVERY}`)).json;
    expect(delivery).toMatchObject({ state: 'dead', webhook_id: null });
  });
});
