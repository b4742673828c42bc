import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shop } from '../../service/src/parts/payments/checkout/checkout-view.ts';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { findFaults, isTooWide } from '../harness/page-checks.ts';
import { type CheckoutFixture, startCheckoutFixture } from './checkout-fixture.ts';
import { makeOutput, makePayment, paymentsOfEachStatus } from './fixture-payment.ts';

const path = '/pay/VP-0123456789AB';
const german = { locale: 'de-DE' };
const paid = paymentsOfEachStatus.find(([, { status }]) => status === 'paid')![1];
const underpaid = paymentsOfEachStatus.find(([, { status }]) => status === 'underpaid')![1];

let browser: TestBrowser;
let fixture: CheckoutFixture;
let shop: Shop;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([startBrowser(), startCheckoutFixture()]);
  const png = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#7a4b2a' } })
    .png()
    .toBuffer();
  const mark = { kind: 'png', base64: png.toString('base64'), width: 96, height: 64 } as const;
  shop = { name: 'Example Coffee', mark, embedOrigins: [] };
});
afterAll(async () => {
  await Promise.all([browser.stop(), fixture.stop()]);
});

async function visit(options: Parameters<TestBrowser['openVisitor']>[0] = {}, query = ''): Promise<Visitor> {
  const visitor = await browser.openVisitor(options);
  await visitor.page.goto(fixture.origin + path + query);
  return visitor;
}

async function leave({ context, requests, errors }: Visitor): Promise<void> {
  await context.close();
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !/^data:/.test(url) && !url.startsWith(fixture.origin))).toEqual([]);
}

describe('the shop', () => {
  test('is in the header with its name and its mark, which is part of the page', async () => {
    fixture.show(makePayment(), { shop });
    const visitor = await visit();
    const { page } = visitor;
    expect(await page.locator('header .shop').innerText()).toBe('Example Coffee');
    expect(await page.evaluate(`document.querySelector('.mark').naturalWidth`)).toBe(96);
    expect((await page.locator('.mark').boundingBox())!.height).toBeLessThanOrEqual(40);
    expect(visitor.requests.filter((url) => url.startsWith('http'))).toEqual([fixture.origin + path]);
    expect(await findFaults(page)).toEqual([]);
    await leave(visitor);
  });

  test.each([
    ['markup', '<img src=x onerror=alert(1)></bdi></p></header><h1>Paid</h1>'],
    ['an attribute', `" onload="alert(1)" x='`],
    ['one long word', 'W'.repeat(60)],
    ['text that turns around', 'Shop \u202e gnp'],
  ])('has nothing but text for a name: %s', async (_, name) => {
    fixture.show(makePayment(), { shop: { ...shop, name } });
    const visitor = await visit({ viewport: { width: 320, height: 640 } });
    const { page } = visitor;
    expect(await page.locator('header bdi').evaluate((element) => element.textContent)).toBe(name);
    expect(await page.locator('h1').allInnerTexts()).toEqual(['Waiting for your payment']);
    expect(await isTooWide(page)).toBe(false);
    await leave(visitor);
  });
});

describe('the way back', () => {
  // Worse than what is ever stored: normalised addresses have neither quotes nor angle brackets.
  const returnUrl = 'https://shop.example/orders?id=1&a="><img src=x onerror=alert(1)>#top';

  test.each([
    ['open', 'Back to the shop without paying', { status: 'open' }],
    ['underpaid', 'Back to the shop', underpaid],
    ['paid', 'Back to the shop', paid],
    ['expired', 'Back to the shop', { status: 'expired', reason: 'unpaid' }],
    ['cancelled', 'Back to the shop', { status: 'cancelled' }],
  ] as const)('is offered when the payment is %s', async (_, label, fields) => {
    fixture.show(makePayment(fields), { shop, returnUrl });
    const visitor = await visit();
    const link = visitor.page.getByRole('link', { name: label, exact: true });
    expect(await link.getAttribute('href')).toBe(returnUrl);
    expect(await link.getAttribute('target')).toBe('_top');
    expect(await visitor.page.locator('main img').count()).toBe(0);
    await leave(visitor);
  });

  test('is not there when the merchant gave none', async () => {
    fixture.show(makePayment(paid), { shop });
    const visitor = await visit();
    expect(await visitor.page.locator('#back').count()).toBe(0);
    await leave(visitor);
  });

  test('follows the payment', async () => {
    fixture.show(makePayment(), { shop, returnUrl: 'https://shop.example/' });
    const visitor = await visit();
    const { page } = visitor;
    await page.locator('#back').focus();
    fixture.show(makePayment({ ...paid, sequence: 5 }), {
      shop,
      returnUrl: 'https://shop.example/?status=paid',
    });
    await page.getByRole('link', { name: 'Back to the shop', exact: true }).waitFor();
    expect(await page.locator('#back').getAttribute('href')).toBe('https://shop.example/?status=paid');
    expect(await page.evaluate('document.activeElement.id')).toBe('back');
    await leave(visitor);
  });
});

describe('the ways to pay', () => {
  test.each([true, false])('are tabs, with scripts or without (%s)', async (javaScriptEnabled) => {
    fixture.show(makePayment(), { shop });
    const visitor = await visit({ javaScriptEnabled });
    const { page } = visitor;
    const shown = async () =>
      (await page.locator('.way:visible').evaluateAll((all) => all.map((each) => each.className))).join();
    const ways = page.getByRole('group', { name: 'Ways to pay' });
    expect(await ways.getByRole('radio').count()).toBe(3);
    expect(await shown()).toBe('way of-qr');
    await page.getByText('Link', { exact: true }).click();
    expect(await shown()).toBe('way of-link');
    expect(await page.locator('.of-link .number').innerText()).toBe(makePayment().payment_uri);
    await ways.getByRole('radio', { name: 'Link' }).press('ArrowLeft');
    expect(await shown()).toBe('way of-address');
    await ways.getByRole('radio', { name: 'Address' }).press('ArrowLeft');
    expect(await shown()).toBe('way of-qr');
    await leave(visitor);
  });

  test('stay as they were chosen when a part came, and one tap shows the code of the rest', async () => {
    fixture.show(makePayment(), { shop });
    const visitor = await visit({ viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    await page.getByText('Address', { exact: true }).click();
    fixture.show(makePayment({ ...underpaid, sequence: 2 }), { shop });
    await page.getByText('Still missing').waitFor();
    expect(await page.locator('.of-address').isVisible()).toBe(true);
    expect(await page.locator('.amount .number').innerText()).toBe('1.00000000 RCOIN');
    const size = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.amount .number')).fontSize`,
    );
    expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(22);
    await page.getByText('QR code', { exact: true }).click();
    expect(await page.locator('svg.qr').isVisible()).toBe(true);
    await leave(visitor);
  });
});

describe('a price in other money', () => {
  const at = '2026-03-01T11:59:30.000Z';
  const price = {
    currency: 'EUR',
    amount: '1199.90',
    rate: '799.93333333333333333333',
    sources: ['house'],
    at,
  };

  test.each([
    ['en-GB', '€1,199.90', '799.93333333333333333333 EUR', '1 Mar 2026, 11:59'],
    ['de-DE', '1.199,90\u00a0€', '799,93333333333333333333 EUR', '01.03.2026, 11:59'],
  ])(
    'is written for %s, with its rate, while it is paid and on the receipt',
    async (locale, money, rate, time) => {
      fixture.show(makePayment({ price }), { shop });
      const visitor = await visit({ locale });
      expect(await visitor.page.locator('#pay .price').innerText()).toBe(money);
      const facts = await visitor.page.locator('#facts').innerText();
      for (const text of [money, `1 RCOIN = ${rate} (house, ${time})`]) expect(facts).toContain(text);
      await leave(visitor);
      fixture.show(makePayment({ ...paid, price }), { shop });
      const later = await visit({ locale });
      await later.page.emulateMedia({ media: 'print' });
      const printed = await later.page.locator('body').innerText();
      for (const text of [money, rate, time]) expect(printed).toContain(text);
      await leave(later);
    },
  );

  test('of the whole does not stand beside what is still missing', async () => {
    fixture.show(makePayment({ ...underpaid, price }), { shop });
    const visitor = await visit();
    expect(await visitor.page.locator('#pay .price').count()).toBe(0);
    expect(await visitor.page.locator('#facts').innerText()).toContain('€1,199.90');
    await leave(visitor);
  });
});

test('a transaction leads to its page where this service has one, and where the transaction still is', async () => {
  const gone = makeOutput('0.10000000', 0, { txid: 'cd'.repeat(32), state: 'gone' });
  const payment = makePayment({ ...paid, transactions: [makeOutput('1.50000000', 2), gone] });
  fixture.show(payment, { shop, hasExplorer: true });
  const visitor = await visit();
  const links = visitor.page.locator('#transactions a');
  expect(await links.allInnerTexts()).toEqual(['ab'.repeat(32)]);
  expect(await visitor.page.evaluate(`document.querySelector('a.txid').href`)).toBe(
    `${fixture.origin}/tx/${'ab'.repeat(32)}`,
  );
  await leave(visitor);
  fixture.show(payment, { shop, hasExplorer: false });
  const without = await visit();
  expect(await without.page.locator('#transactions a').count()).toBe(0);
  await leave(without);
});

test('a transaction that can be replaced is told where that keeps the payment from being paid', async () => {
  const transactions = [makeOutput('1.50000000', 0, { replaceable: true })];
  for (const [confirmations_required, says] of [
    [0, 'waits for a block, can still be replaced'],
    [1, 'waits for a block'],
  ] as const) {
    fixture.show(makePayment({ status: 'detected', remaining: '0', transactions, confirmations_required }), {
      shop,
    });
    const visitor = await visit();
    expect(await visitor.page.locator('#transactions .state').innerText()).toBe(says);
    await leave(visitor);
  }
});

describe('the receipt', () => {
  test('is what is printed of a payment that is paid, with times in UTC', async () => {
    const block_time = '2026-03-01T12:04:10.000Z';
    const settled_at = '2026-03-01T12:14:30.000Z';
    const transactions = [makeOutput('1.50000000', 2, { block_time })];
    fixture.show(makePayment({ ...paid, settled_at, transactions }), { shop });
    const visitor = await visit({ timezoneId: 'America/New_York', colorScheme: 'dark' });
    const { page } = visitor;
    expect(await page.locator('#receipt').isVisible()).toBe(false);
    await page.evaluate('window.print = () => { window.printed = true; }');
    await page.getByRole('button', { name: 'Print receipt' }).click();
    expect(await page.evaluate('window.printed')).toBe(true);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    for (const text of [
      'Example Coffee',
      'Order 1042: two bags of coffee',
      'VP-0123456789AB',
      '1.50000000 RCOIN',
      'ab'.repeat(32),
      'Block 198, 1 Mar 2026, 12:04',
      '1 Mar 2026, 12:14',
      'it is not an invoice',
    ])
      expect(printed).toContain(text);
    expect(printed).not.toContain('Print receipt');
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)');
    await leave(visitor);
  });

  test('is there for nothing that is not paid', async () => {
    for (const [, fields] of paymentsOfEachStatus) {
      if (fields.status === 'paid' || fields.status === 'overpaid') continue;
      fixture.show(makePayment(fields), { shop });
      const text = await (await fetch(fixture.origin + path)).text();
      expect(text).toContain('<div id="receipt" class="part receipt"></div>');
      expect(text).not.toContain('id="print"');
    }
  });

  test('can be printed when nothing can change any more, too', async () => {
    fixture.show(makePayment({ ...paid, final: true }), { shop });
    const visitor = await visit();
    await visitor.page.evaluate('window.print = () => { window.printed = true; }');
    await visitor.page.getByRole('button', { name: 'Print receipt' }).click();
    expect(await visitor.page.evaluate('window.printed')).toBe(true);
    await leave(visitor);
  });
});

describe('the language', () => {
  test.each(paymentsOfEachStatus.map(([, fields]) => [fields.status, fields] as const))(
    'is German for a German browser, and axe finds no fault: %s',
    async (_, fields) => {
      fixture.show(makePayment(fields), { shop, returnUrl: 'https://shop.example/', hasExplorer: true });
      const visitor = await visit({ ...german, viewport: { width: 320, height: 640 } });
      const { page } = visitor;
      expect(await page.evaluate('document.documentElement.lang')).toBe('de');
      const text = await page.locator('body').innerText();
      expect(text).toMatch(/Zahlung|Bestätigung|Bezahlt|Es fehlen/);
      expect(text).not.toMatch(/\b(payment|merchant|Paid|Copy|Back to|confirmations?|Transactions)\b/);
      expect(await isTooWide(page)).toBe(false);
      expect(await findFaults(page)).toEqual([]);
      await leave(visitor);
    },
  );

  test('stays while the page follows the payment, and amounts keep the dot', async () => {
    fixture.show(makePayment(), { shop });
    const visitor = await visit(german);
    const { page } = visitor;
    expect(await page.locator('#countdown').innerText()).toMatch(/^, noch (59:\d\d|1:00:00)$/);
    expect(await page.locator('.clock time').innerText()).toMatch(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
    fixture.show(makePayment({ ...underpaid, sequence: 2 }), { shop });
    await page.getByText('Es fehlen noch 1.00 RCOIN').waitFor();
    expect(await page.locator('.amount .number').innerText()).toBe('1.00000000 RCOIN');
    await leave(visitor);
  });

  test('is that of the link when the reader chooses another, also when the page follows', async () => {
    fixture.show(makePayment(), { shop });
    const visitor = await visit();
    const { page } = visitor;
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Wir warten auf Ihre Zahlung').waitFor();
    fixture.show(makePayment({ ...paid, sequence: 5 }), { shop });
    await page.getByRole('heading', { name: 'Bezahlt' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await leave(visitor);
  });

  test('is said to caches and readers, on errors too', async () => {
    fixture.show(makePayment(), { shop });
    const ask = (asked: string, query = '') =>
      fetch(fixture.origin + asked + query, { headers: { 'accept-language': 'de-AT,en;q=0.5' } });
    for (const [answer, language, says] of [
      [await ask(path), 'de', 'Wir warten auf Ihre Zahlung'],
      [await ask(path, '?lang=en'), 'en', 'Waiting for your payment'],
      [await ask(path, '?lang=xx'), 'de', 'Wir warten auf Ihre Zahlung'],
      [await ask('/pay/VP-ZZZZZZZZZZZZ'), 'de', 'Diese Zahlung gibt es nicht'],
      [await ask('/pay/VP-ZZZZZZZZZZZZ', '?lang=en'), 'en', 'There is no such payment'],
    ] as const) {
      expect(answer.headers.get('content-language')).toBe(language);
      expect(answer.headers.get('vary')).toContain('Accept-Language');
      const text = await answer.text();
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(says);
    }
  });
});

describe('a frame', () => {
  let framing: Server;
  let origin = '';

  beforeAll(async () => {
    framing = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Shop</title><h1>Checkout</h1>
<iframe title="Payment" width="480" height="900" allow="clipboard-write" src="${fixture.origin}${path}"></iframe>`);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => framing.once('listening', resolve));
    // Another host than the page's, so that it is another site for the browser.
    origin = `http://localhost:${(framing.address() as AddressInfo).port}`;
  });
  afterAll(() => framing.close());

  test('of an origin that the merchant named shows the page, which follows and leads the whole page on', async () => {
    const returnUrl = `${origin}/done`;
    fixture.show(makePayment(), { shop: { ...shop, embedOrigins: [origin] }, returnUrl });
    const { page, context, errors } = await browser.openVisitor();
    await page.goto(origin);
    const frame = page.frameLocator('iframe');
    await frame.getByText('Waiting for your payment').waitFor();
    await frame.getByText('Address', { exact: true }).click();
    await frame.locator('#copy-address').click();
    await frame.getByText(/Copied|Selected/).waitFor();
    fixture.show(makePayment({ ...paid, sequence: 5 }), {
      shop: { ...shop, embedOrigins: [origin] },
      returnUrl,
    });
    await frame.getByRole('link', { name: 'Back to the shop' }).click();
    await page.waitForURL(returnUrl);
    expect(errors).toEqual([]);
    await context.close();
  });

  test.each([
    ['nobody', []],
    ['another origin', ['https://shop.example']],
    ['the same host with another port', ['http://localhost:1']],
  ])('is refused when the merchant named %s', async (_, embedOrigins) => {
    fixture.show(makePayment(), { shop: { ...shop, embedOrigins } });
    const { page, context, errors } = await browser.openVisitor();
    const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await page.goto(origin);
    await refused;
    expect(await page.frameLocator('iframe').getByText('Waiting for your payment').count()).toBe(0);
    expect(errors.join()).toMatch(/frame-ancestors/);
    await context.close();
  });

  test('has the policy and the headers that say so', async () => {
    const headersFor = async (embedOrigins: string[]) => {
      fixture.show(makePayment(), { shop: { ...shop, embedOrigins } });
      return (await fetch(fixture.origin + path)).headers;
    };
    const closed = await headersFor([]);
    expect(closed.get('content-security-policy')).toMatch(/; frame-ancestors 'none'$/);
    expect(closed.get('cross-origin-resource-policy')).toBe('same-origin');
    const opened = await headersFor(['https://a.example', 'https://b.example:8443']);
    expect(opened.get('content-security-policy')).toMatch(
      /; frame-ancestors https:\/\/a\.example https:\/\/b\.example:8443$/,
    );
    expect(opened.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(opened.get('cross-origin-embedder-policy')).toBe('require-corp');
    const unknown = await fetch(`${fixture.origin}/pay/VP-ZZZZZZZZZZZZ`);
    expect(unknown.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'$/);
  });
});

test('the script that follows stays small', () => {
  const file = new URL('../../service/src/parts/payments/checkout/follow-payment.js', import.meta.url);
  expect(readFileSync(file).length).toBeLessThan(8_000);
});
