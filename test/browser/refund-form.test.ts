import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';

let browser: TestBrowser;
let node: TestNode;

beforeAll(async () => {
  [browser, node] = await Promise.all([startBrowser(), startNode()]);
  await node.mine(103);
});
afterAll(async () => {
  await Promise.all([browser.stop(), node.stop()]);
});

forEachEngine('a buyer who paid too much', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;

  beforeAll(async () => {
    const database = await engine.openUrl();
    service = await startService({ nodeUrl: node.url, database });
    merchant = await createTestMerchant(service, database);
  });
  afterAll(async () => {
    await service.stop();
  });

  test.each([true, false])(
    'says where it should go back to, with scripts or without (%s)',
    async (javaScriptEnabled) => {
      const body = { recipient: await node.newAddress(), amount: '1', confirmations_required: 1 };
      const { json: payment } = await merchant.post('/api/v1/payments', body);
      await node.rpc('sendtoaddress', payment.address, '1.25');
      await node.mine(1);
      await expect
        .poll(async () => (await merchant.get(`/api/v1/payments/${payment.id}`)).json.status, {
          timeout: 15_000,
        })
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
});
