import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { expectPolicyHolds, findFaults, isTooWide } from '../harness/page-checks.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { startService, type TestService } from '../harness/service.ts';

const permission = 'btcpay.store.cancreateinvoice';

let browser: TestBrowser;
let node: TestNode;
let service: TestService;
let merchant: TestMerchant;
let shop: Receiver;
let dataDir = '';

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-grant-'));
  const database = { kind: 'sqlite', dataDir } as const;
  service = await startService({ nodeUrl: node.url, database, waitFor: 'answer' });
  merchant = await createTestMerchant(service, database);
  shop = await startReceiver({
    answer: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('Connected'),
  });
});
afterAll(async () => {
  await shop?.stop();
  await service?.stop();
  await Promise.all([browser?.stop(), node?.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

function addressOf(redirect: string): string {
  const query = new URLSearchParams({
    permissions: permission,
    applicationName: 'Shop "42" <b>',
    strict: 'true',
    selectiveStores: 'true',
    redirect,
  });
  return `${service.origin}/btcpay/api-keys/authorize?${query}`;
}

test('a merchant gives a shop a key: sees where it goes, types a key once, and sends the new one there', async () => {
  const { page, context, errors } = await browser.openVisitor({ viewport: { width: 360, height: 720 } });
  const target = `http://127.0.0.1:${shop.port}/admin?callback=1`;
  await page.goto(addressOf(target));
  expect(await page.locator('h1').innerText()).toContain('Shop "42" <b>');
  expect(await page.locator('.target').innerText()).toContain(`127.0.0.1:${shop.port}`);
  expect(await findFaults(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);

  await page.getByLabel('Your API key').fill(`cfk_${'x'.repeat(43)}`);
  await page.getByRole('button').click();
  await page.getByRole('alert').waitFor();
  expect(shop.received).toEqual([]);

  await page.getByLabel('Your API key').fill(merchant.apiKey);
  await page.getByRole('button').click();
  await page.getByText('One more step').waitFor();
  expect(page.url()).not.toContain('cfk_');
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('button').click();
  await page.getByText('Connected').waitFor();
  expect(errors).toEqual([]);

  const [sent] = shop.received;
  expect(sent).toMatchObject({ method: 'POST', path: '/admin?callback=1' });
  const fields = new URLSearchParams(sent!.body.toString());
  expect(fields.getAll('permissions[]')).toEqual([`${permission}:${merchant.id}`]);
  expect(fields.get('userId')).toBe(merchant.id);
  expect(fields.get('apiKey')).toMatch(/^cfk_/);
  expect(fields.get('apiKey')).not.toBe(merchant.apiKey);
  expect(sent!.headers.referer ?? '').not.toContain('authorize');
  await context.close();
});

test('the page runs no script and loads nothing', async () => {
  const visitor = await browser.openVisitor();
  await visitor.page.goto(addressOf('https://shop.example/'));
  await expectPolicyHolds(visitor);
  await visitor.context.close();
});

test('a page of another site can have the form sent by nobody', async () => {
  const { page, context } = await browser.openVisitor();
  const before = (await merchant.get('/api/v1/merchant/keys')).json.items.length;
  await page.goto(`http://127.0.0.1:${shop.port}/`);
  await page.setContent(`<form method="post" action="${service.origin}/btcpay/api-keys/authorize">
    <input name="permissions" value="${permission}"><input name="redirect" value="https://shop.example/">
    <input name="key" value="${merchant.apiKey}"><button>Win</button></form>`);
  await page.getByRole('button').click();
  await page.getByText('cannot be shown').waitFor();
  expect((await merchant.get('/api/v1/merchant/keys')).json.items).toHaveLength(before);
  await context.close();
});
