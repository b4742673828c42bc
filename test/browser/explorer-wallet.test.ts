import { HDKey } from '@scure/bip32';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeAddress } from '../../protocol/address.ts';
import { getValue } from '../../protocol/result.ts';
import { readWalletScripts } from '../../service/src/wallets/wallet-scripts.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { testProfile } from '../harness/test-coin.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, visitPage } from './explorer-visit.ts';

// The page of a wallet that is given by its public key: what it shows, and where the key goes.

let browser: TestBrowser;
let fixture: ExplorerFixture;
let origin: string;

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), {
  public: testProfile.extendedPublicVersion,
  private: testProfile.extendedPrivateVersion,
});
const account = root.derive("m/84'/1'/0'");
const key = account.publicExtendedKey;
const [receiving] = getValue(readWalletScripts(key, undefined, testProfile)).branches;
const addressAt = (index: number): string => encodeAddress(receiving!.scriptAt(index), testProfile)!;
/** More than a page of the history shows. */
const PAYMENTS = 27;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([startBrowser(), startExplorerFixture()]);
  origin = fixture.service.origin;
  const { node, service } = fixture;
  for (let i = 0; i < PAYMENTS; i += 1) await node.rpc('sendtoaddress', addressAt(i % 3), 0.5);
  await node.mine(1);
  await service.waitForTip();
  await node.rpc('sendtoaddress', addressAt(3), 0.25);
  await service.waitForMempool();
});
afterAll(async () => {
  await Promise.all([browser?.stop(), fixture?.stop()]);
});

const isOfWallet = (url: string): boolean => url.includes('/xpub');

test('a key in the search leads to its wallet, which is asked for when the button is pressed, and stands in no address', async () => {
  const visitor = await visitPage(browser, `${origin}/proofs`);
  const { page, requests } = visitor;
  const bodies: (string | null)[] = [];
  page.on('request', (request) => isOfWallet(request.url()) && bodies.push(request.postData()));
  await page.locator('#q').fill(` ${key.slice(0, 40)} ${key.slice(40)} `);
  await page.locator('#q').press('Enter');
  await page.waitForURL(`${origin}/xpub`);
  await page.getByText('learns from a public key').waitFor();
  const field = page.getByLabel('Extended public key, or descriptor');
  expect((await field.inputValue()).replaceAll(' ', '')).toBe(key);
  expect(requests.filter((url) => url.includes('/api/v1/xpub'))).toEqual([]);
  expect(await findFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Show this wallet' }).click();
  const main = page.locator('main');
  await expect.poll(() => main.innerText(), follow).toContain('Next unused addresses');
  const said = await main.innerText();
  expect(said).toContain('13.50000000');
  expect(said).toContain('+0.25000000');
  await page.getByRole('img', { name: 'QR code of the next unused address' }).waitFor();
  expect(await main.locator(`a[href="/address/${addressAt(4)}"]`).count()).toBe(1);
  expect(await main.locator(`a[href="/address/${addressAt(2)}"]`).count()).toBe(1);

  const rows = page.getByRole('heading', { name: 'History' }).locator('xpath=../..').locator('tbody tr');
  await expect.poll(() => rows.count(), follow).toBe(25);
  await page.getByRole('button', { name: 'Next page' }).press('Enter');
  await expect.poll(() => rows.count(), follow).toBe(PAYMENTS + 1 - 25);
  expect(await main.innerText()).toContain('Page 2');
  await page.getByRole('button', { name: 'Previous page' }).press('Enter');
  await expect.poll(() => rows.count(), follow).toBe(25);
  expect(await findFaults(page)).toEqual([]);

  expect(bodies.filter((body) => body?.includes(key)).length).toBeGreaterThan(2);
  expect(requests.filter((url) => url.includes(key.slice(0, 40)))).toEqual([]);
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}])');
  expect(kept).not.toContain(key.slice(0, 30));
  await page.reload();
  await page.getByText('learns from a public key').waitFor();
  expect(await field.inputValue()).toBe('');
  await leavePage(visitor, origin);
});

test('a key behind # of the address is taken from there, and is sent no sooner', async () => {
  const visitor = await visitPage(browser, `${origin}/xpub#${encodeURIComponent(`wpkh(${key}/0/*)`)}`, {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  const { page, requests } = visitor;
  expect(page.url()).toBe(`${origin}/xpub`);
  expect(await page.getByLabel('Extended public key, or descriptor').inputValue()).toBe(`wpkh(${key}/0/*)`);
  expect(requests.filter((url) => url.includes('/api/v1/xpub'))).toEqual([]);
  await page.getByRole('button', { name: 'Show this wallet' }).press('Enter');
  await expect.poll(() => page.locator('main').innerText(), follow).toContain('13.50000000');
  expect(await isTooWide(page)).toBe(false);
  expect(await findFaults(page)).toEqual([]);
  await leavePage(visitor, origin);
});

test('private keys and what is no key are refused in the browser', async () => {
  const visitor = await visitPage(browser, `${origin}/xpub`);
  const { page, requests } = visitor;
  const field = page.getByLabel('Extended public key, or descriptor');
  for (const [given, says] of [
    [account.privateExtendedKey, 'looks like a private key'],
    [`wpkh(${account.privateExtendedKey}/0/*)`, 'looks like a private key'],
    [`${'abandon '.repeat(11)}about`, 'looks like a private key'],
    [fixture.known.address, 'no extended public key'],
  ] as const) {
    await field.fill(given);
    await page.getByRole('button', { name: 'Show this wallet' }).click();
    await page.getByRole('status').filter({ hasText: says }).waitFor();
    expect(await field.inputValue()).toBe(says.includes('private') ? '' : given);
  }
  // The service says what only it can see: a wrong letter.
  await field.fill(`${key.slice(0, -1)}${key.endsWith('1') ? '2' : '1'}`);
  await page.getByRole('button', { name: 'Show this wallet' }).click();
  await page.getByText('Not a public key or descriptor of a wallet').waitFor();
  expect(requests.filter((url) => url.includes('/api/v1/xpub'))).toHaveLength(1);
  await leavePage(visitor, origin);
});

test('without scripts the search sends a key to its page, and the search is not asked', async () => {
  const answer = await fetch(`${origin}/search?q=${key}`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/xpub']);
});
