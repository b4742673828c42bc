import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPrecious } from '../db/precious.ts';
import { preciousMigrations } from '../migrations.ts';
import { createMerchant } from '../parts/payments/merchants/merchant-store.ts';
import { sha256Of } from '../testing/fixture-chain.ts';
import { addressOf, createFixtureServer, payee, scriptOf } from '../testing/fixture-server.ts';
import { judgeShopRefusal, makeHostileShopRequests } from '../testing/hostile-btcpay.ts';
import { type ApiDocument, makeHostileRequests } from '../testing/hostile-requests.ts';
import { findFaults } from '../testing/send-hostile.ts';
import { apiKeyHeader } from './openapi.ts';

const folder = await mkdtemp(join(tmpdir(), 'coinfront-hostile-'));
const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
const { app, chain } = createFixtureServer({ precious });
const shop = { name: 'Shop', webhookUrl: null, poolLowThreshold: 10 };
const { apiKey, id: storeId } = await createMerchant(precious, shop, Date.now());
const credentials = { [apiKeyHeader]: apiKey };
const known = {
  address: addressOf(payee),
  txid: toDisplayHash(chain.txs[120]!.txid),
  last_seen_txid: toDisplayHash(chain.txs[120]!.txid),
  hash: toDisplayHash(chain.blocks[110]!.hash),
  scripthash: Buffer.from(sha256Of(scriptOf(payee))).toString('hex'),
  height: '110',
  index: '0',
  vout: '0',
  id: '110',
  recipient: addressOf(0xcc),
};
let url = '';

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await precious.close();
  await rm(folder, { recursive: true });
});

test("whatever is sent to BTCPay's interface is refused in its form, and never a fault of the server", async () => {
  const shopKnows = {
    apiKey,
    storeId,
    invoiceId: 'VP-000000000000',
    webhookId: 'whk_00000000000000000000',
  };
  const requests = [...makeHostileShopRequests('/btcpay', shopKnows)];
  expect(requests.length).toBeGreaterThan(1000);
  expect(await findFaults(url, requests, judgeShopRefusal)).toEqual([]);
}, 120_000);

test.each(['/api/v1/openapi.json', '/esplora/openapi.json'])(
  'whatever is sent to the operations of %s is refused as documented, and never a fault of the server',
  async (path) => {
    const document = (await (await fetch(url + path)).json()) as ApiDocument;
    const requests = [...makeHostileRequests(document, known, credentials)];
    expect(requests.length).toBeGreaterThan(1000);
    expect(await findFaults(url, requests)).toEqual([]);
  },
  120_000,
);
