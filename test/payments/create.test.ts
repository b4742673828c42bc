import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(5);
});
afterAll(() => node.stop());

forEachEngine('payment requests', (engine) => {
  let service: TestService;
  let database: DatabaseLocation;
  let merchant: TestMerchant;

  beforeAll(async () => {
    database = await engine.openUrl();
    service = await startService({ nodeUrl: node.url, database });
    merchant = await createTestMerchant(service, database);
  });
  afterAll(() => service.kill());

  test('a payment is created for an address, and shown to everybody without what is private', async () => {
    const recipient = await node.newAddress();
    const made = await merchant.post('/api/v1/payments', {
      recipient,
      amount: '0.5',
      description: 'Order 1',
      webhook_url: 'https://shop.example/hook',
    });
    expect(made.status, made.text).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { webhook_url, use_address_pool, cancelled_at, accepted_at, ...shown } = made.json;
    expect({ webhook_url, use_address_pool, cancelled_at, accepted_at }).toEqual({
      webhook_url: 'https://shop.example/hook',
      use_address_pool: false,
      cancelled_at: null,
      accepted_at: null,
    });
    expect(shown).toMatchObject({
      id: expect.stringMatching(/^VP-[0-9A-HJKMNP-TV-Z]{12}$/),
      status: 'open',
      recipient,
      address: recipient,
      amount: '0.50000000',
      sequence: 1,
      payment_uri: `coin:${recipient}?amount=0.50000000&message=Order%201&reference=${shown.id}`,
    });
    const read = await service.get(`/api/v1/payments/${shown.id}`);
    expect(read.status).toBe(200);
    expect({ ...read.json, as_of: null }).toEqual({ ...shown, as_of: null });
    const again = await service.get(`/api/v1/payments/${shown.id}`, {
      'if-none-match': read.headers.get('etag')!,
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
