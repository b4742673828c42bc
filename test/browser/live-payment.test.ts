import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyReturn } from '../../sdk/webhooks/verify-return.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import type { TestService } from '../harness/service.ts';
import { openSuite, type Suite } from '../payments/open-suite.ts';

/** The page asks every three seconds. */
const follow = { timeout: 15_000 };

let browser: TestBrowser;
let node: TestNode;

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  await node.mine(103);
});
afterAll(async () => {
  await Promise.all([browser.stop(), node.stop()]);
});

forEachEngine('a buyer at the page of a real payment', (engine) => {
  let suite: Suite;
  let service: TestService;
  let merchant: TestMerchant;

  beforeAll(async () => {
    suite = await openSuite(engine, node.url);
    ({ service } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  test('sees what the API says, at the address that it says', async () => {
    const { status, json: payment } = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '1.25',
      description: '<b>Order</b> & more',
    });
    expect(status).toBe(201);
    const { page, context, errors, requests } = await browser.openVisitor();
    await page.goto(new URL(payment.checkout_url, service.origin).href);
    expect(await page.locator('.of-address .number').textContent()).toBe(payment.address);
    expect(await page.locator('#wallet').getAttribute('href')).toBe(payment.payment_uri);
    expect(await page.locator('.words').innerText()).toBe('<b>Order</b> & more');
    expect(await page.locator('h1').innerText()).toBe('Waiting for your payment');
    expect(await page.locator('header .id').innerText()).toBe(payment.id);
    await context.close();
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(service.origin) && url !== 'data:,')).toEqual([]);
  });

  test('sees the payment go its way without loading the page again', async () => {
    const { json: payment } = await merchant.post('/api/v1/payments', {
      recipient: await node.newAddress(),
      amount: '2',
      return_url: 'https://shop.example/orders/7',
    });
    const { page, context, errors, requests } = await browser.openVisitor();
    await page.goto(new URL(payment.checkout_url, service.origin).href);
    await page.evaluate('window.isFirstLoad = true');
    const status = page.getByRole('status').first();
    await node.rpc('sendtoaddress', payment.address, '0.5');
    await expect.poll(() => status.innerText(), follow).toMatch(/^1\.50 RCOIN missing/);
    expect(await page.locator('#wallet').getAttribute('href')).toContain('amount=1.50000000');
    const txid = await node.rpc<string>('sendtoaddress', payment.address, '1.5');
    await expect.poll(() => status.innerText(), follow).toMatch(/^Payment seen/);
    expect(await page.locator('svg.qr').count()).toBe(0);
    expect(await page.locator('.txid').allInnerTexts()).toContain(txid);
    await node.mine(1);
    await expect.poll(() => status.innerText(), follow).toMatch(/1 of 2 confirmations/);
    await node.mine(1);
    await expect.poll(() => status.innerText(), follow).toMatch(/^Paid/);
    expect(await page.title()).toBe('Paid · 2.00 RCOIN');
    const back = await page.getByRole('link', { name: 'Back to the shop', exact: true }).getAttribute('href');
    expect(await verifyReturn(back!, merchant.webhookSecret)).toMatchObject({
      payment_id: payment.id,
      status: 'paid',
    });
    const explorer = await service.get(`/tx/${txid}`, { accept: 'text/html' });
    expect(await page.locator(`a[href="../tx/${txid}"]`).count()).toBe(explorer.status === 200 ? 1 : 0);
    expect(await page.evaluate('window.isFirstLoad')).toBe(true);
    await context.close();
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(service.origin) && url !== 'data:,')).toEqual([]);
  });

  test.each([true, false])(
    'says where what was too much should go back to, with scripts or without (%s)',
    async (javaScriptEnabled) => {
      const body = { recipient: await node.newAddress(), amount: '1', confirmations_required: 1 };
      const { json: payment } = await merchant.post('/api/v1/payments', body);
      await node.rpc('sendtoaddress', payment.address, '1.25');
      await node.mine(1);
      await expect
        .poll(async () => (await merchant.get(`/api/v1/payments/${payment.id}`)).json.status, follow)
        .toBe('overpaid');
      const { page, context, errors, requests } = await browser.openVisitor({ javaScriptEnabled });
      await page.goto(new URL(payment.checkout_url, service.origin).href);
      const section = page.getByRole('region', { name: 'Money back' });
      expect(await section.innerText()).toContain('Not part of this payment: 0.25');
      const address = await node.newAddress();
      await page.getByLabel('Where should it go back to?').fill(address);
      await page.getByRole('button', { name: 'Save address' }).click();
      await expect.poll(() => section.innerText()).toContain(`${address.slice(0, 10)}…${address.slice(-6)}`);
      expect(await page.getByRole('textbox').count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe(`/pay/${payment.id}`);
      expect((await merchant.get('/api/v1/merchant/unsettled')).json.items[0]).toMatchObject({
        payment_id: payment.id,
        refund_address: address,
      });
      expect(await context.cookies()).toEqual([]);
      await context.close();
      expect(errors).toEqual([]);
      expect(requests.filter((url) => !url.startsWith(service.origin) && url !== 'data:,')).toEqual([]);
    },
  );

  test('is told so when there is no such payment', async () => {
    const answer = await service.get('/pay/VP-ZZZZZZZZZZZZ');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('There is no such payment');
  });
});
