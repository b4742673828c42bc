import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser, type Visitor } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, visitPage } from './explorer-visit.ts';
import { isEnglish, readTexts } from './page-texts.ts';

// Files of OpenTimestamps, checked in the page.

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;
let dir: string;
let timestamp: Buffer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'coinfront-ots-'));
  [browser, fixture] = await Promise.all([startBrowser(), startExplorerFixture()]);
  origin = fixture.service.origin;
  const answer = await fetch(`${origin}/api/v1/proof/ots/${fixture.known.digest}`);
  expect(answer.status).toBe(200);
  timestamp = Buffer.from(await answer.arrayBuffer());
  expect(createHash('sha256').update(original).digest('hex')).toBe(fixture.known.digest);
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
  await rm(dir, { recursive: true, force: true });
});

/** The file whose digest the chain of the fixture has. */
const original = 'explorer fixture';

async function choose(
  { page }: Visitor,
  button: string,
  name: string,
  content: string | Buffer,
): Promise<void> {
  const file = join(dir, name);
  await writeFile(file, content);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(file);
}

test('a timestamp holds for its file: block, time and what was not checked are shown, and nothing of the files is sent', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`);
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method() + request.url() + (request.postData() ?? '')));
  await choose(visitor, 'Choose the .ots file', 'plan.ots', timestamp);
  await choose(visitor, 'Choose the timestamped file', 'plan.txt', original);
  await page.getByText('The timestamp holds').waitFor();
  const { json } = await fixture.service.get(`/api/v1/proof/lookup/${fixture.known.digest}`);
  const { height, block_hash: hash, block_time: time } = json.primary;
  const block = (await fixture.service.get(`/api/v1/block/${height}`)).json;
  expect([block.hash, block.time]).toEqual([hash, time]);
  const facts = await page.locator('dl.facts').last().innerText();
  expect(facts).toContain(String(height));
  expect(facts).toContain('Whether the block is in the chain that the network follows');
  expect(await page.locator(`[title="${hash}"]`).count()).toBe(1);
  expect(await page.locator('dl.facts time').last().getAttribute('datetime')).toBe(time);
  expect(sent.filter((text) => /^(?!GET)|plan|fixture|[?&]/.test(text.replace(origin, '')))).toEqual([]);
  expect(sent.filter((text) => text.includes(fixture.known.digest))).toEqual([]);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, origin);
});

test('another file, a damaged timestamp and what is none are told apart', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`);
  const { page } = visitor;
  await choose(visitor, 'Choose the .ots file', 'plan.ots', timestamp);
  await choose(visitor, 'Choose the timestamped file', 'other.txt', 'something else');
  await page.getByText('The file is not the one that the timestamp is about').waitFor();
  expect(await page.getByText('The timestamp holds').count()).toBe(0);

  await choose(visitor, 'Choose the .ots file', 'cut.ots', timestamp.subarray(0, timestamp.length - 5));
  await page.getByText('cut.ots is no file of OpenTimestamps, or it is damaged.').waitFor();
  await choose(visitor, 'Choose the .ots file', '<b>no.ots', 'no timestamp');
  await page.getByText('<b>no.ots is no file of OpenTimestamps').waitFor();
  await choose(visitor, 'Choose the .ots file', 'large.ots', Buffer.alloc(100_000));
  await page.getByText('it is no file of OpenTimestamps').first().waitFor();
  await leavePage(visitor, origin);
});

test('a timestamp whose operations lead to another root does not hold', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`);
  await choose(visitor, 'Choose the .ots file', 'altered.ots', alter(timestamp));
  await choose(visitor, 'Choose the timestamped file', 'plan.txt', original);
  await visitor.page.getByText('The block of this chain has another merkle root').waitFor();
  await leavePage(visitor, origin);
});

test('a timestamp of another chain says that there is nothing to check here', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`);
  await choose(visitor, 'Choose the .ots file', 'foreign.ots', readForeign());
  await expect.poll(() => visitor.page.getByText('Nothing to check here').count(), follow).toBe(1);
  await visitor.page.getByText('Attestations of other chains').waitFor();
  await leavePage(visitor, origin);
});

test('who reads German is told in German, whatever becomes of the files', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`, { locale: 'de-DE' });
  const { page } = visitor;
  const isGerman = async (): Promise<void> => {
    expect((await readTexts(page)).filter(isEnglish)).toEqual([]);
    expect(await findFaults(page)).toEqual([]);
  };
  await drop(visitor, 'die .ots-Datei hierher ziehen', 'plan.ots', timestamp);
  await page.getByText('Bezeugt von Block').waitFor();
  await drop(visitor, 'oder hier ablegen', 'anders.txt', 'something else');
  await page.getByText('Der Zeitstempel gehört zu einer anderen Datei').waitFor();
  await isGerman();
  await drop(visitor, 'oder hier ablegen', 'plan.txt', original);
  await page.getByText('Der Zeitstempel gilt', { exact: true }).waitFor();
  await page.getByText('Ob der Block in der Kette steht, der das Netz folgt').waitFor();
  await isGerman();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);

  await drop(visitor, 'die .ots-Datei hierher ziehen', 'altered.ots', alter(timestamp));
  await drop(visitor, 'oder hier ablegen', 'plan.txt', original);
  await page.getByText('Der Block dieser Kette hat eine andere Merkle-Wurzel').waitFor();
  await isGerman();
  await drop(visitor, 'die .ots-Datei hierher ziehen', 'kurz.ots', timestamp.subarray(0, -5));
  await page.getByText('kurz.ots ist keine Datei von OpenTimestamps').waitFor();
  await isGerman();
  await drop(visitor, 'die .ots-Datei hierher ziehen', 'lang.ots', Buffer.alloc(100_000));
  await page.getByText('Sie ist keine Datei von OpenTimestamps').waitFor();
  await isGerman();
  await drop(visitor, 'die .ots-Datei hierher ziehen', 'fremd.ots', readForeign());
  await page.getByText('Hier ist nichts zu prüfen').waitFor();
  await isGerman();
  await leavePage(visitor, origin);
});

/** Drops a file where this is written; the last of such places, as those for the timestamped file come behind the others. */
async function drop({ page }: Visitor, where: string, name: string, content: string | Buffer): Promise<void> {
  const base64 = Buffer.from(content).toString('base64');
  const dataTransfer = await page.evaluateHandle(`(() => {
    const carried = new DataTransfer();
    carried.items.add(new File([Uint8Array.fromBase64('${base64}')], '${name}'));
    return carried;
  })()`);
  await page.getByRole('group').filter({ hasText: where }).last().dispatchEvent('drop', { dataTransfer });
}

/** Turns one bit of what is appended on the way to the root. */
function alter(file: Buffer): Buffer {
  const altered = Buffer.from(file);
  altered[altered.indexOf(Buffer.from(fixture.known.digest, 'hex')) + 32 + 6]! ^= 1;
  return altered;
}

/** A file that attests something on Bitcoin. */
function readForeign(): Buffer {
  const { valid } = JSON.parse(
    readFileSync(new URL('../../protocol/ots/published-files.json', import.meta.url), 'utf8'),
  ) as { valid: Record<string, string> };
  return Buffer.from(valid['hello-world.txt']!, 'base64');
}
