import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  judgeShopRefusal,
  type KnownOfShop,
  makeHostileShopRequests,
} from '../../service/src/testing/hostile-btcpay.ts';
import { type ApiDocument, makeHostileRequests } from '../../service/src/testing/hostile-requests.ts';
import { findFaults } from '../../service/src/testing/send-hostile.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeTraffic } from '../harness/traffic.ts';

type Block = { hash: string; height: number; tx: Array<{ txid: string; vout: Output[] }> };
type Output = { scriptPubKey: { hex: string; addresses?: string[]; address?: string } };

let node: TestNode;
let known: Record<string, string>;

beforeAll(async () => {
  node = await startNode();
  const { blockHashes } = await makeTraffic(node, { seed: 3, blocks: 3, txPerBlock: 15 });
  const block = await node.rpc<Block>('getblock', blockHashes.at(-2), 2);
  const { txid, vout } = block.tx[1]!;
  // Nodes before 22 list addresses, later ones name the one.
  const addressOf = ({ scriptPubKey }: Output) => scriptPubKey.address ?? scriptPubKey.addresses?.[0];
  const output = vout.find((each) => addressOf(each) !== undefined)!;
  const scripthash = createHash('sha256').update(output.scriptPubKey.hex, 'hex').digest('hex');
  known = {
    ...{
      address: addressOf(output)!,
      scripthash,
      txid,
      last_seen_txid: txid,
      hash: block.hash,
      id: block.hash,
    },
    ...{ height: String(block.height), index: '0', vout: '0', name: 'alice.coin' },
  };
});
afterAll(() => node.stop());

forEachEngine('the service on a real chain', (engine) => {
  let service: TestService;
  let credentials: Record<string, string>;
  let ofMerchant: Record<string, string>;
  let shopKnows: KnownOfShop;
  beforeAll(async () => {
    const database = await engine.openUrl();
    service = await startService({
      nodeUrl: node.url,
      database,
      settings: { COINFRONT_PUBLIC_URL: 'https://coin.example', COINFRONT_RICH_LIST: '1' },
    });
    await waitUntil('the rich list is made', async () => (await service.get('/api/v1/rich')).status === 200);
    const merchant = await createTestMerchant(service, database);
    credentials = { 'X-COIN-Pay-API-Key': merchant.apiKey };
    const recipient = await node.newAddress();
    const { json } = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '1',
      webhook_url: 'https://shop.example/hook',
    });
    const addresses = await Promise.all(Array.from({ length: 60 }, () => node.newAddress()));
    await merchant.post('/api/v1/merchant/addresses', { addresses });
    const ofShop = { authorization: `token ${merchant.apiKey}` };
    const store = `/btcpay/api/v1/stores/${merchant.id}`;
    const invoice = await service.post(`${store}/invoices`, { amount: '1' }, ofShop);
    const webhook = await service.post(`${store}/webhooks`, { url: 'https://shop.example/hook' }, ofShop);
    shopKnows = {
      apiKey: merchant.apiKey,
      storeId: merchant.id,
      invoiceId: invoice.json.id,
      webhookId: webhook.json.id,
    };
    const contributor = await service.post('/api/treasury/contributors', {});
    const { contributor_secret } = contributor.json;
    const intent = await service.post('/api/treasury/intents', { contributor_secret, amount: '1' });
    expect(intent.status).toBe(201);
    ofMerchant = { payment_id: json.id, recipient, contributor_secret, intent_id: intent.json.id };
  });
  afterAll(() => service.kill());

  test("refuses whatever is sent to BTCPay's interface, and is as well as before", async () => {
    const pid = service.pid();
    const requests = makeHostileShopRequests('/btcpay', shopKnows);
    expect(await findFaults(service.origin, requests, judgeShopRefusal)).toEqual([]);
    expect((await service.get(`/api/v1/tx/${known.txid}`)).status).toBe(200);
    expect(service.pid()).toBe(pid);
    expect(service.printed()).not.toContain('"level":50');
  });

  test.each([
    '/api/v1/openapi.json',
    '/api/v1/proof/openapi.json',
    '/api/v1/tok/openapi.json',
    '/esplora/openapi.json',
    '/api/vns/v1/openapi.json',
    '/api/treasury/openapi.json',
  ])(
    'refuses whatever is sent to the operations of %s as documented, and is as well as before',
    async (path) => {
      const pid = service.pid();
      const document = (await service.get(path)).json as ApiDocument;
      expect(
        await findFaults(
          service.origin,
          makeHostileRequests(document, { ...known, ...ofMerchant }, credentials),
        ),
      ).toEqual([]);
      for (const read of [
        `/api/v1/tx/${known.txid}`,
        `/api/v1/address/${known.address}`,
        `/esplora/block/${known.hash}`,
      ]) {
        expect((await service.get(read)).status).toBe(200);
      }
      expect(service.pid()).toBe(pid);
      // Nothing was so unforeseen that somebody has to look at it.
      expect(service.printed()).not.toContain('"level":50');
    },
  );
});
