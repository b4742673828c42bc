import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { expectPolicyHolds } from '../harness/page-checks.ts';
import { type CheckoutFixture, startCheckoutFixture } from './checkout-fixture.ts';
import { makeOutput, makePayment, paymentsOfEachStatus } from './fixture-payment.ts';
import { scanQrCode } from './scan-qr-code.ts';

let browser: TestBrowser;
let fixture: CheckoutFixture;
const path = '/pay/VP-0123456789AB';

beforeAll(async () => {
  [browser, fixture] = await Promise.all([startBrowser(), startCheckoutFixture()]);
});
afterAll(async () => {
  await Promise.all([browser.stop(), fixture.stop()]);
});

/** Opens the page; whatever went wrong in it, or left the origin, fails the test that closes it. */
async function visit(options: Parameters<TestBrowser['openVisitor']>[0] = {}): Promise<Visitor> {
  const visitor = await browser.openVisitor(options);
  await visitor.page.goto(fixture.origin + path);
  return visitor;
}

async function leave({ context, requests, errors }: Visitor): Promise<void> {
  await context.close();
  expect(errors).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(`${fixture.origin}/`) && !url.startsWith('data:'))).toEqual(
    [],
  );
}

const scanPage = ({ page }: Visitor): Promise<string> => scanQrCode(page.locator('svg.qr'));

test('amount, address, link and QR code ask for exactly what is to be paid', async () => {
  const payment = makePayment();
  fixture.show(payment);
  const visitor = await visit();
  const { page } = visitor;
  expect(await page.locator('.amount .number').innerText()).toBe('1.50000000 RCOIN');
  expect(await page.locator('.of-address .number').textContent()).toBe(payment.address);
  expect(await page.locator('#wallet').getAttribute('href')).toBe(payment.payment_uri);
  expect(await scanPage(visitor)).toBe(payment.payment_uri);
  expect(await page.locator('#countdown').innerText()).toMatch(/^, (59:\d\d|1:00:00) left$/);
  await leave(visitor);
});

test('the QR code can be scanned in dark mode, and of a description too long for it', async () => {
  fixture.show(makePayment({ description: 'ü'.repeat(500) }));
  const visitor = await visit({ colorScheme: 'dark' });
  const [, address = '', query = ''] = /^coin:([^?]*)\?(.*)$/.exec(await scanPage(visitor)) ?? [];
  expect([address, query]).toEqual([makePayment().address, 'amount=1.50000000&reference=VP-0123456789AB']);
  await leave(visitor);
});

test('who has paid a part is asked for the rest, not for the whole again', async () => {
  const underpaid = paymentsOfEachStatus.find(([, { status }]) => status === 'underpaid')![1];
  fixture.show(makePayment(underpaid));
  const visitor = await visit();
  expect(await visitor.page.locator('.amount .number').innerText()).toBe('1.00000000 RCOIN');
  expect(await scanPage(visitor)).toContain('?amount=1.00000000&');
  expect(await visitor.page.locator('#wallet').getAttribute('href')).toContain('?amount=1.00000000&');
  expect(await visitor.page.locator('#copy-amount').getAttribute('data-copy')).toBe('1.00000000');
  await leave(visitor);
});

test.each(paymentsOfEachStatus.map(([says, fields]) => [fields.status, says, fields] as const))(
  '%s is told in words, and axe finds no fault in either colour scheme or on a phone',
  async (status, says, fields) => {
    fixture.show(makePayment(fields));
    for (const options of [
      { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
      { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
    ] as const) {
      const visitor = await visit(options);
      const { page } = visitor;
      expect(await page.getByRole('status').first().innerText()).toMatch(says);
      expect(await page.locator('#wallet').count()).toBe(status === 'open' || status === 'underpaid' ? 1 : 0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await findFaults(visitor)).toEqual([]);
      await leave(visitor);
    }
  },
);

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function findFaults({ page }: Visitor): Promise<string[]> {
  await page.evaluate(axeSource);
  return await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  );
}

test('the page follows the payment by itself, and says it to a screen reader', async () => {
  fixture.show(makePayment());
  const visitor = await visit();
  const { page } = visitor;
  await page.evaluate('window.isFirstLoad = true');
  await page.locator('#copy-address').focus();
  for (const [index, [says, fields]] of paymentsOfEachStatus.slice(2, 5).entries()) {
    fixture.show(makePayment({ ...fields, sequence: index + 2 }));
    const words = page.getByRole('status').first();
    await expect.poll(() => words.innerText(), { timeout: 10_000 }).toMatch(says);
  }
  expect(await page.title()).toBe('Paid · 1.50 RCOIN');
  expect(await page.locator('.txid').innerText()).toBe('ab'.repeat(32));
  expect(await page.evaluate('window.isFirstLoad')).toBe(true);
  await leave(visitor);
});

test('nothing is asked when nothing can change any more, and 304 is all an unchanged payment costs', async () => {
  fixture.show(makePayment({ ...paymentsOfEachStatus[4]![1], final: true }));
  const finished = await visit();
  const before = fixture.asked.length;
  fixture.show(makePayment({ sequence: 7 }));
  const visitor = await visit();
  await waitUntil('it was asked three times', () => fixture.asked.length >= before + 3);
  expect(fixture.asked.slice(before, before + 3)).toEqual([200, 304, 304]);
  expect(finished.requests.filter((url) => url.includes('/api/'))).toEqual([]);
  expect(visitor.requests.filter((url) => url.includes('/pay/'))).toHaveLength(1);
  await leave(finished);
  await leave(visitor);
});

test('a lost connection is said, and what was missed is caught up', async () => {
  fixture.show(makePayment());
  const visitor = await visit();
  const note = visitor.page.locator('#connection');
  expect(await note.isVisible()).toBe(false);
  await visitor.context.setOffline(true);
  await note.waitFor({ state: 'visible' });
  expect(await note.innerText()).toMatch(/No connection\. What you see is of /);
  fixture.show(makePayment({ ...paymentsOfEachStatus[2]![1], sequence: 2 }));
  await visitor.context.setOffline(false);
  await visitor.page.getByText('Payment seen').waitFor();
  await note.waitFor({ state: 'hidden' });
  await leave(visitor);
});

test('when the time is up nothing more is asked for, before the payment is judged', async () => {
  fixture.show(makePayment({ expires_at: new Date(Date.now() + 4_000).toISOString() }));
  const visitor = await visit();
  expect(await visitor.page.locator('svg.qr').count()).toBe(1);
  await visitor.page.getByText('The time is up').waitFor();
  expect(await visitor.page.locator('svg.qr, #wallet').count()).toBe(0);
  await leave(visitor);
});

test.each([
  ['markup', '<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>'],
  ['an end of its element', '</bdi></dd></dl></main><style>*{display:none}</style><h1>Paid</h1>'],
  ['an attribute', `" autofocus onfocus="alert(1)" x='`],
  [
    'a request elsewhere',
    '<link rel=stylesheet href=https://example.com/a><iframe src=//example.com></iframe>',
  ],
  ['text that turns around', '\u202e\u2067 reversed \u2066'],
  ['one long word', 'W'.repeat(500)],
  ['many lines', '\n'.repeat(499)],
  ['marks upon marks', `Z${'\u0300\u0336'.repeat(249)}`],
])('a description with %s is nothing but text', async (_, description) => {
  fixture.show(makePayment({ description }));
  const visitor = await visit({ viewport: { width: 320, height: 640 } });
  const { page } = visitor;
  expect(await page.locator('.words').evaluate((element) => element.textContent)).toBe(description);
  expect(await page.locator('h1').allInnerTexts()).toEqual(['Waiting for your payment']);
  expect(
    await page
      .locator('main *')
      .evaluateAll(
        (all) => all.filter((each) => /^(img|script|iframe|link|style)$/i.test(each.tagName)).length,
      ),
  ).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect((await page.locator('.words').boundingBox())!.height).toBeLessThanOrEqual(200);
  await leave(visitor);
});

test('the policy stops what an escaped description would have stopped already', async () => {
  fixture.show(makePayment());
  const visitor = await visit();
  await expectPolicyHolds(visitor);
  await visitor.context.close();
});

/** A radio button of the tabs is not seen: its label shows where the keyboard is. */
const findOutline = `{
  const { activeElement: at } = document;
  getComputedStyle(at.matches('.ways input') ? at.nextElementSibling : at).outlineStyle;
}`;

test('everything can be reached and done with the keyboard', async () => {
  fixture.show(makePayment());
  const visitor = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visitor;
  const reach = async (key: string): Promise<string> => {
    await page.keyboard.press(key);
    expect(await page.evaluate(findOutline)).toBe('solid');
    return await page.evaluate('document.activeElement.id');
  };
  expect(await reach('Tab')).toBe('copy-amount');
  expect(await reach('Tab')).toBe('way-qr');
  expect(await reach('ArrowRight')).toBe('way-address');
  expect(await reach('Tab')).toBe('copy-address');
  await page.keyboard.press('Enter');
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(makePayment().address);
  expect(await reach('Tab')).toBe('wallet');
  await leave(visitor);
});

test('without scripts it shows all there is, and loads itself again', async () => {
  fixture.show(makePayment());
  const visitor = await visit({ javaScriptEnabled: false });
  const { page } = visitor;
  expect(await page.locator('.of-address .number').innerText()).toBe(makePayment().address);
  expect(await page.locator('.clock').innerText()).toMatch(/^until .* UTC$/);
  await page.getByText('Address', { exact: true }).click();
  expect(await page.locator('.of-address').isVisible()).toBe(true);
  expect(await page.locator('svg.qr').isVisible()).toBe(false);
  await page.getByText('QR code', { exact: true }).click();
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await page.content()).toContain('<meta http-equiv="refresh" content="15">');
  expect(await scanPage(visitor)).toBe(makePayment().payment_uri);
  await leave(visitor);
});

test('the whole page is small, is not kept, and has a policy of its own', async () => {
  // As much as a page can have to say, but for the shop's mark.
  const paid = paymentsOfEachStatus.find(([, { status }]) => status === 'paid')![1];
  const transactions = Array.from({ length: 50 }, () => makeOutput('0.03000000', 2));
  fixture.show(makePayment({ ...paid, transactions, description: 'ü'.repeat(500) }), {
    hasExplorer: true,
    returnUrl: `https://shop.example/${'a'.repeat(1_979)}`,
  });
  const answer = await fetch(fixture.origin + path);
  const text = await answer.text();
  expect(text.length).toBeLessThan(60_000);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /);
  expect(policy).not.toContain('unsafe');
  const head = await fetch(fixture.origin + path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const other = await fetch(fixture.origin + path, { method });
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
});

test.each(['VP-ZZZZZZZZZZZZ', 'VP-0123456789AI', 'vp-0123456789ab', '<script>alert(1)</script>', '%00'])(
  'the unknown identifier %s gets a page that says so, with 404',
  async (id) => {
    fixture.show(makePayment());
    const visitor = await browser.openVisitor();
    const answer = await visitor.page.goto(`${fixture.origin}/pay/${encodeURIComponent(id)}`);
    expect(answer?.status()).toBe(404);
    expect(await visitor.page.locator('h1').innerText()).toBe('There is no such payment');
    expect(await findFaults(visitor)).toEqual([]);
    await leave(visitor);
  },
);

test('a fault on our side is a page, too, that tells nothing of its cause', async () => {
  fixture.show(undefined);
  const visitor = await browser.openVisitor();
  const answer = await visitor.page.goto(fixture.origin + path);
  expect(answer?.status()).toBe(500);
  expect(await visitor.page.locator('main').innerText()).toMatch(/The fault is on our side/);
  expect(await visitor.page.content()).not.toContain('fixture');
  await leave(visitor);
});
