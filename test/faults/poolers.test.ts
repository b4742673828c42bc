/// <reference path="../harness/global-setup.ts" />
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { NoSessionsError } from '../../service/src/db/no-sessions-error.ts';
import { checkSessions } from '../../service/src/db/postgres-sessions.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { type PoolMode, startPooler, type TestPooler } from '../harness/pgbouncer.ts';
import { createDatabase, dropDatabase } from '../harness/postgres.ts';
import { startService, type TestService } from '../harness/service.ts';

let node: TestNode;
let url: string;

beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
  url = await createDatabase(inject('postgresUrl'));
});
afterAll(async () => {
  await node.stop();
  await dropDatabase(url);
});

async function openPooler(mode: PoolMode): Promise<TestPooler> {
  const pooler = await startPooler(inject('postgresUrl'), mode);
  onTestFinished(() => pooler.stop());
  return pooler;
}

async function open(database: string, settings: Record<string, string> = {}): Promise<TestService> {
  const location = { kind: 'postgres', url: database } as const;
  const service = await startService({
    nodeUrl: node.url,
    database: location,
    settings: { COINFRONT_LOG_LEVEL: 'info', ...settings },
    waitFor: 'nothing',
  });
  onTestFinished(() => service.kill());
  return service;
}

test('through a pooler of sessions everything works: jobs, locks, notifications, takeover', async () => {
  const pooler = await openPooler('session');
  const location = { kind: 'postgres', url: pooler.through(url) } as const;
  const first = await open(location.url);
  await first.waitForTip();
  await waitForHealth(first, 'ready');
  const second = await open(location.url);
  await waitUntil('the second stands by', () => second.printed().includes('stands by'));
  await second.waitForTip();

  const merchant = await createTestMerchant(second, location);
  const order = { recipient: await node.newAddress(), amount: '0.5', confirmations_required: 1 };
  const made = await merchant.post('/api/v1/payments', order);
  expect([made.status, made.json.status]).toEqual([201, 'open']);
  await node.rpc('sendtoaddress', order.recipient, 0.5);
  await first.kill();
  await node.mine(1);
  await waitUntil('the second judges', async () => {
    return (await second.get(`/api/v1/payments/${made.json.id}`)).json.status === 'paid';
  });
  await waitForHealth(second, 'ready');
  expect(await second.stop()).toBe(0);
});

test.each(['transaction', 'statement'] as const)(
  'through one of %ss the service says why it does not start',
  async (mode) => {
    const pooler = await openPooler(mode);
    const service = await open(pooler.through(url));
    await waitUntil('it has ended', () => !service.isRunning());
    expect(await service.stop()).toBe(1);
    const lines = service
      .printed()
      .trim()
      .split('\n')
      .filter((line) => line.includes('pooler'));
    expect(lines).toEqual([
      expect.stringMatching(/^PostgreSQL is reached through a pooler .* pool_mode to session /),
    ]);
  },
);

test('a pooler is known while others use it, and PostgreSQL itself is none', async () => {
  const pooler = await openPooler('transaction');
  const looks = await Promise.allSettled(Array.from({ length: 8 }, () => checkSessions(pooler.through(url))));
  for (const look of looks)
    expect(look).toMatchObject({ status: 'rejected', reason: expect.any(NoSessionsError) });
  await Promise.all(Array.from({ length: 8 }, () => checkSessions(url)));
});
