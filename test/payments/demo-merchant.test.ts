import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoOptions, demoMerchantFile, prepareDemo } from '../../scripts/demo/merchant.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

let dir: string;
let node: TestNode;
let service: TestService;
let options: DemoOptions;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinfront-demo-'));
  node = await startNode();
  await node.mine(1);
  service = await startService({ nodeUrl: node.url, database: { kind: 'sqlite', dataDir: dir } });
  options = {
    dir,
    url: service.origin,
    walletUrl: node.url,
    env: { COINFRONT_DATA_DIR: dir, COINFRONT_WEBHOOK_ALLOW: 'loopback' },
    newAddress: () => node.newAddress(),
  };
});
afterAll(async () => {
  await service.stop();
  await node.stop();
  await rm(dir, { recursive: true, force: true });
});

test('the local chain gets a merchant, a filled pool and an example payment, and keeps the merchant', async () => {
  const first = await prepareDemo(options);
  const page = await fetch(first.checkoutUrls[0]!);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('An example payment')]);
  const kept = JSON.parse(await readFile(demoMerchantFile(dir), 'utf8'));
  expect(kept).toEqual({ ...first.merchant, url: service.origin, wallet_url: node.url });
  expect((await stat(demoMerchantFile(dir))).mode & 0o077).toBe(0);

  await service.stop();
  await service.start();
  const second = await prepareDemo(options);
  expect(second.merchant).toEqual(first.merchant);
  expect(new Set([...first.checkoutUrls, ...second.checkoutUrls]).size).toBe(4);
  const { json } = await service.get('/api/v1/merchant', { 'x-coin-pay-api-key': first.merchant.api_key });
  expect(json.pool).toMatchObject({ ready: 28, leased: 4 });
});

test('a merchant of a data folder that was deleted is made anew', async () => {
  const before = await prepareDemo(options);
  await service.stop();
  await rm(join(dir, 'front.db'));
  await rm(join(dir, 'front.db-wal'), { force: true });
  await rm(join(dir, 'front.db-shm'), { force: true });
  await service.start();
  const after = await prepareDemo(options);
  expect(after.merchant.api_key).not.toBe(before.merchant.api_key);
  expect((await fetch(after.checkoutUrls[0]!)).status).toBe(200);
});
