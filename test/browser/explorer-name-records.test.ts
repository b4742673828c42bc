import { createHash } from 'node:crypto';
import { writeRecordsDocument } from '@coinfront/protocol/names/name-records.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { leavePage } from '../harness/page-checks.ts';
import { type ExampleService, startExampleService } from './example-service.ts';
import { follow, visitPage } from './explorer-visit.ts';

const PATH = '/api/vns/v1/name/{name}/records';
const name = 'alice.coin';
const as_of = { height: 5, hash: 'ab'.repeat(32) };

let browser: TestBrowser;
let service: ExampleService;

beforeAll(async () => {
  [browser, service] = await Promise.all([startBrowser(), startExampleService()]);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), service?.stop()]);
});

const reader = { viewport: { width: 1280, height: 900 } };

function answerRecords(state: 'known' | 'unknown', records: Record<string, string>, sent = records): void {
  const document = writeRecordsDocument(name, sent);
  const hash = createHash('sha256').update(writeRecordsDocument(name, records)).digest('hex');
  const isKnown = state === 'known';
  service.answer(PATH, {
    body: { name, as_of, state, hash, document: isKnown ? document : null, records: isKnown ? sent : null },
  });
}

async function readSection(): Promise<{ text: string; inner: string }> {
  const visitor = await visitPage(browser, `${service.origin}/name/${name}`, reader);
  const section = visitor.page.locator('section', { has: visitor.page.getByText('Text records') });
  await section.first().waitFor();
  await expect.poll(() => section.first().textContent(), follow).toContain('Hash on the chain');
  const text = (await section.first().textContent()) ?? '';
  const inner = await section.first().innerHTML();
  // It has asked nobody but the service for anything.
  await leavePage(visitor, service.origin);
  return { text, inner };
}

test('records of a name are text and nothing but text: no picture is loaded, and nothing is a link', async () => {
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script></bdi></main><h1>Paid</h1>';
  answerRecords('known', {
    avatar: 'https://alice.example/face.png',
    url: 'javascript:alert(1)',
    description: markup,
  });
  const { text, inner } = await readSection();
  for (const shown of ['https://alice.example/face.png', 'javascript:alert(1)', markup])
    expect(text).toContain(shown);
  expect(inner).not.toMatch(/<img|<script|<h1|<a [^>]*(javascript|alice)/);
});

test('a document that is not the one with the hash is not shown', async () => {
  answerRecords('known', { url: 'https://alice.example/' }, { url: 'https://mallory.example/' });
  const { text } = await readSection();
  expect(text).toContain('is not shown');
  expect(text).not.toContain('mallory');
});

test('a document that the service does not have is said to be unknown', async () => {
  answerRecords('unknown', { url: 'https://alice.example/' });
  expect((await readSection()).text).toContain('does not have the text');
});
