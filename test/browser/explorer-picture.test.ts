import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow } from './explorer-visit.ts';

// What those who share a link show of it.

const publicUrl = 'https://coin.example';
const hash = '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee';
const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
const tokenId = '9b088a0d5d9215b3a7055f874a7dde85278ae79db9f56409db276371e97c5594';
let browser: TestBrowser;
let service: ExampleService;
/** A site of somebody else, with a picture. */
let elsewhere: { origin: string; stop(): Promise<void> };
let shown = '';

beforeAll(async () => {
  [browser, service, elsewhere] = await Promise.all([
    startBrowser(),
    startExampleService({ publicUrl }),
    startElsewhere(),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop(), elsewhere?.stop()]);
});

test.each([
  '/',
  `/block/${hash}`,
  `/tx/${txid}`,
  '/address/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '/name/alice.coin',
  `/token/${tokenId}`,
  '/proof/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '/charts',
  '/developers/chain',
])('%s names a picture that a browser of another site shows', async (path) => {
  const { page, context, errors } = await browser.openVisitor();
  await page.goto(service.origin + path);
  const named = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect(named?.startsWith(`${publicUrl}/picture/`)).toBe(true);
  const card = await page.locator('meta[name="twitter:card"]').getAttribute('content');
  expect(card).toBe('summary_large_image');
  for (const name of ['og:title', 'og:description', 'og:url'])
    expect(await page.locator(`meta[property="${name}"]`).getAttribute('content')).not.toBe('');
  shown = service.origin + named!.slice(publicUrl.length);
  await page.goto(elsewhere.origin);
  const size = () =>
    page.evaluate<number[]>(
      '(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.images[0])',
    );
  await expect.poll(size, follow).toEqual([1_200, 630]);
  expect(errors).toEqual([]);
  await context.close();
});

async function startElsewhere(): Promise<typeof elsewhere> {
  const server = createServer((_, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<link rel="icon" href="data:,"><img src="${shown}">`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
