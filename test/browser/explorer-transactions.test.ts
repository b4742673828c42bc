import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { findFaults, isTooWide, leavePage } from '../harness/page-checks.ts';
import { openPurse, type RawCoin, send, spend } from '../harness/raw-coins.ts';
import { replacementArgs } from '../harness/test-coin.ts';
import { type ExplorerFixture, startExplorerFixture } from './explorer-fixture.ts';
import { follow, settle, visitPage } from './explorer-visit.ts';

const VALUE = 1_000_000n;
const REPLACEABLE = { sequence: 0xffff_fffd };

let browser: TestBrowser;
let fixture: ExplorerFixture;
let nextCoin: () => RawCoin;
let origin = '';
let owner = 800;

beforeAll(async () => {
  [browser, fixture] = await Promise.all([
    startBrowser(),
    startExplorerFixture({ nodeArgs: replacementArgs }),
  ]);
  origin = fixture.service.origin;
  nextCoin = await openPurse(fixture.node, { count: 14, value: VALUE, owner: 1 });
  await fixture.service.waitForTip();
});
afterAll(async () => {
  await browser?.stop();
  await fixture?.stop();
});

const pay = (coin: RawCoin, fee: bigint) =>
  spend([coin], [{ value: coin.value - fee, owner: ++owner }], REPLACEABLE);

async function mine(): Promise<string> {
  const [hash] = await fixture.node.mine(1);
  await fixture.service.waitForTip(hash);
  return hash!;
}

test('a transaction that waits shows its place and its family, and when it is replaced by what', async () => {
  const { node, service } = fixture;
  const coin = nextCoin();
  const parent = pay(coin, 1_000n);
  const child = pay(parent.coins[0]!, 20_000n);
  await send(node, parent);
  await send(node, child);
  await service.waitForMempool();

  const visitor = await visitPage(browser, `${origin}/tx/${parent.txid}`);
  const { page } = visitor;
  const main = page.locator('main');
  await page.getByRole('heading', { name: 'In the mempool' }).waitFor();
  const { json } = await service.get(`/api/v1/tx/${parent.txid}/mempool`);
  const said = await main.innerText();
  expect(said).toContain('nothing ahead of it');
  expect(said).toContain('the next one in about');
  expect(said).toMatch(new RegExp(`${json.effective_fee_rate} /vB\\s*CPFP`, 'i'));
  await page.getByText('Descendants, nearest first').click();
  expect(await page.locator(`tbody a[href="/tx/${child.txid}"]`).count()).toBe(1);
  expect(await findFaults(page)).toEqual([]);

  const replacement = pay(coin, 90_000n);
  await send(node, replacement);
  await service.waitForMempool();
  // The page that is open says so by itself.
  await expect.poll(() => main.innerText(), follow).toContain('Replaced by');
  await page.goto(`${origin}/tx/${child.txid}`);
  await settle(visitor);
  expect(await main.innerText()).toContain('It built on a transaction that was replaced.');
  await page.goto(`${origin}/tx/${parent.txid}`);
  await settle(visitor);
  expect(await page.title()).toContain('Transaction replaced');
  expect(await main.innerText()).toContain('Both spend the same output');
  expect(await findFaults(page)).toEqual([]);
  await main.locator(`a[href="/tx/${replacement.txid}"]`).first().click();
  await page.waitForURL(`**/tx/${replacement.txid}`);
  await page.getByRole('heading', { name: /^Replaced/ }).waitFor();
  expect(await page.locator(`tbody a[href="/tx/${parent.txid}"]`).count()).toBe(1);

  await mine();
  await expect.poll(() => main.innerText(), follow).toContain('1 confirmation');
  expect(await page.getByRole('heading', { name: 'In the mempool' }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: /^Replaced/ }).count()).toBe(1);
  await leavePage(visitor, origin);
});

test('a transaction is there to copy as bytes, JSON and PSBT, and the node reads them', async () => {
  const { node, service } = fixture;
  const tx = pay(nextCoin(), 2_000n);
  await send(node, tx);
  await service.waitForMempool();
  const visitor = await visitPage(browser, `${origin}/tx/${tx.txid}`);
  const { page } = visitor;
  const open = async (summary: string): Promise<string> => {
    const details = page.locator('details', { has: page.getByText(summary, { exact: true }) });
    await details.locator('summary').click();
    await details.locator('pre').waitFor();
    return await details.locator('pre').innerText();
  };
  expect(await open('Raw transaction')).toBe(tx.hex);
  expect(JSON.parse(await open('JSON'))).toEqual((await service.get(`/api/v1/tx/${tx.txid}`)).json);
  const decoded = await node.rpc<{ tx: { txid: string }; inputs: { witness_utxo: object }[]; fee: number }>(
    'decodepsbt',
    await open('PSBT without signatures'),
  );
  expect([decoded.tx.txid, Math.round(decoded.fee * 1e8)]).toEqual([tx.txid, 2_000]);
  expect(decoded.inputs).toMatchObject([{ witness_utxo: { amount: 0.01 } }]);
  await mine();
  await leavePage(visitor, origin);
});

test('the PSBT of a transaction that spends old kinds of outputs has what made them, and the node could sign it', async () => {
  const { node, service } = fixture;
  const spent: { txid: string; vout: number }[] = [];
  for (const kind of ['legacy', 'p2sh-segwit', 'bech32']) {
    const address = await node.rpc<string>('getnewaddress', '', kind);
    await node.rpc('sendtoaddress', address, 0.5);
    const [coin] = await node.rpc<{ txid: string; vout: number }[]>('listunspent', 0, 99, [address]);
    spent.push({ txid: coin!.txid, vout: coin!.vout });
  }
  await mine();
  const raw = await node.rpc<string>('createrawtransaction', spent, [{ [await node.newAddress()]: 1.49 }]);
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
  const txid = await node.rpc<string>('sendrawtransaction', hex);
  await service.waitForMempool();
  const visitor = await visitPage(browser, `${origin}/tx/${txid}`);
  const { page } = visitor;
  const details = page.locator('details', {
    has: page.getByText('PSBT without signatures', { exact: true }),
  });
  await details.locator('summary').click();
  await details.locator('pre').waitFor();
  const psbt = await details.locator('pre').innerText();
  const decoded = await node.rpc<{ tx: { txid: string }; inputs: object[]; fee: number }>('decodepsbt', psbt);
  expect(Math.round(decoded.fee * 1e8)).toBe(1_000_000);
  expect(decoded.inputs).toMatchObject([
    { non_witness_utxo: { txid: spent[0]!.txid } },
    { non_witness_utxo: { txid: spent[1]!.txid } },
    { witness_utxo: { amount: 0.5 } },
  ]);
  const signed = await node.rpc<{ complete: boolean }>('walletprocesspsbt', psbt);
  expect(signed.complete).toBe(true);
  await mine();
  await leavePage(visitor, origin);
});

test('the flow of a transaction with many outputs draws nineteen of them, and all others as one', async () => {
  const { node, service } = fixture;
  const outputs = Array.from({ length: 30 }, () => ({ value: 30_000n, owner: ++owner }));
  const tx = spend([nextCoin()], outputs);
  await send(node, tx);
  await mine();
  const { json } = await service.get(`/api/v1/tx/${tx.txid}`);
  expect(json.output_count).toBe(30);
  const visitor = await visitPage(browser, `${origin}/tx/${tx.txid}`);
  const flow = visitor.page.locator('svg.flow');
  expect(await flow.getAttribute('aria-label')).toMatch(
    /^1 input to 30 outputs of 0\.00900000 .*, fee 0\.00100000 /,
  );
  const said = await flow.locator('title').allTextContents();
  expect(said).toHaveLength(1 + 20 + 1);
  expect(said[19]).toMatch(/^Output 18.*: 0\.00030000 /);
  expect(said[20]).toMatch(/^11 more: 0\.00330000 /);
  expect(said[21]).toMatch(/^Fee: 0\.00100000 /);
  expect(await findFaults(visitor.page)).toEqual([]);
  await leavePage(visitor, origin);
});

test('scripts say what they ask for, and OP_RETURN is text and hex', async () => {
  const { node, service } = fixture;
  const keys = await Promise.all(
    [1, 2, 3].map(async () => {
      const { pubkey } = await node.rpc<{ pubkey: string }>('getaddressinfo', await node.newAddress());
      return pubkey;
    }),
  );
  const { address } = await node.rpc<{ address: string }>('addmultisigaddress', 2, keys, '', 'bech32');
  await node.rpc('sendtoaddress', address, 1);
  await mine();
  const [coin] = await node.rpc<{ txid: string; vout: number }[]>('listunspent', 1, 99, [address]);
  const text = Buffer.from('told to everybody').toString('hex');
  const raw = await node.rpc<string>(
    'createrawtransaction',
    [{ txid: coin!.txid, vout: coin!.vout }],
    [{ [await node.newAddress()]: 0.99 }, { data: text }],
  );
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
  const txid = await node.rpc<string>('sendrawtransaction', hex, 0);
  await service.waitForMempool();

  const visitor = await visitPage(browser, `${origin}/tx/${txid}`);
  const { page } = visitor;
  const [inputs, outputs] = await page.locator('.io section').allInnerTexts();
  expect(inputs).toContain('Witness script: 2 of 3 keys must sign (multisig).');
  expect(outputs).toContain('Text: told to everybody');
  expect(outputs).toContain(`Hex: ${text}`);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await mine();
  await leavePage(visitor, origin);
});

test('the history of an address has balances, is filtered, drawn, and taken along as CSV', async () => {
  const { address } = fixture.known;
  const { json } = await fixture.service.get(`/api/v1/address/${address}/txs?balances=true`);
  const visitor = await visitPage(browser, `${origin}/address/${address}`);
  const { page } = visitor;
  const history = page.locator('section', { has: page.getByRole('heading', { name: /^History/ }) });
  const column = async (at: number) =>
    (await history.locator(`tbody tr td:nth-child(${at})`).allInnerTexts()).map((text) =>
      text.replace(/[+\s,]/g, ''),
    );
  expect(await column(5)).toEqual(json.items.map(({ balance }: { balance: string }) => balance));
  expect(await findFaults(page)).toEqual([]);

  await history.getByRole('link', { name: 'Received', exact: true }).click();
  await page.waitForURL('**?direction=received');
  const received = json.items.filter(({ delta }: { delta: string }) => !delta.startsWith('-'));
  await expect.poll(() => column(4), follow).toEqual(received.map(({ delta }: { delta: string }) => delta));
  await page.reload();
  await settle(visitor);
  expect(await column(4)).toHaveLength(received.length);
  await history.getByLabel('to', { exact: true }).fill('2009-01-03');
  await page.waitForURL('**to_date=2009-01-03');
  await history.getByText('No transaction is of this kind and of these days.').waitFor();
  await history.getByRole('link', { name: 'All days' }).click();
  await expect.poll(() => column(4), follow).toHaveLength(received.length);

  await page.getByText('Show the chart').click();
  await page.locator('.chart canvas').waitFor();
  const { points } = (await fixture.service.get(`/api/v1/address/${address}/balances?points=200`)).json;
  expect(await page.locator('.chart-says').innerText()).toContain(
    `Block ${points.at(-1).height.toLocaleString('en-US')}`,
  );
  expect(await findFaults(page)).toEqual([]);
  const charted = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const balances = (await readFile(await (await charted).path(), 'utf8')).trimEnd().split('\r\n');
  expect(balances[0]).toBe('height,time,balance');
  expect(balances.slice(1)).toEqual(
    points.map(({ height, time, balance }: Record<string, unknown>) => [height, time, balance].join()),
  );
  const download = page.waitForEvent('download');
  await history.getByRole('link', { name: 'CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.split('\r\n')[0]).toBe('time,height,txid,amount,balance');
  // The filter of the page is the filter of the file.
  const confirmed = received.filter((line: { confirmed: boolean }) => line.confirmed);
  expect(
    csv
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]),
  ).toEqual(confirmed.map(({ txid }: { txid: string }) => txid));
  await page.getByRole('button', { name: /^Compute from the latest 100/ }).press('Enter');
  await page.getByText(`over ${received.length} transaction`).waitFor();
  const payers = page
    .locator('div', { has: page.getByRole('heading', { name: 'Paid this address most' }) })
    .last();
  const { json: first } = await fixture.service.get(`/api/v1/tx/${received.at(-1).txid}`);
  expect(await payers.locator(`a[href="/address/${first.inputs[0].prevout.address}"]`).count()).toBe(1);
  expect(await findFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, origin);
});

test('a block shows what its transactions pay, what it weighs and what its miner got; arrow keys lead on', async () => {
  const { node, service } = fixture;
  for (const fee of [1_000n, 3_000n, 9_000n]) await send(node, pay(nextCoin(), fee));
  await service.waitForMempool();
  const hash = await mine();
  const { json: block } = await service.get(`/api/v1/block/${hash}`);
  const { json: fees } = await service.get(`/api/v1/block/${hash}/fees`);
  const visitor = await visitPage(browser, `${origin}/block/${block.height}`);
  const { page } = visitor;
  const main = page.locator('main');
  const { lowest, median, highest } = fees.fee_rates;
  await main.getByText(`${lowest} – ${highest} /vB`).waitFor();
  const said = await main.innerText();
  expect(said).toContain(`median ${median}`);
  expect(said).toContain('weight units');
  expect(said).toContain(block.fees);
  expect(await findFaults(page)).toEqual([]);

  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(`**/block/${block.height - 1}`);
  await page
    .getByRole('heading', { level: 1 })
    .getByText(`${block.height - 1}`)
    .waitFor();
  await page.locator('input[name="q"]').first().focus();
  await page.keyboard.press('ArrowRight');
  expect(new URL(page.url()).pathname).toBe(`/block/${block.height - 1}`);
  await page.locator('input[name="q"]').first().blur();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(`**/block/${block.height}`);
  await leavePage(visitor, origin);
});

test('transactions of a block are sorted and filtered, the address of the page says how, and Back leads back', async () => {
  const { node, service } = fixture;
  for (const fee of [2_000n, 8_000n, 4_000n]) await send(node, pay(nextCoin(), fee));
  await service.waitForMempool();
  const hash = await mine();
  const path = `/api/v1/block/${hash}/transactions`;
  const visitor = await visitPage(browser, `${origin}/block/${hash}`);
  const { page } = visitor;
  const main = page.locator('main');
  const sorts = page.getByRole('navigation', { name: 'Sort by' });
  const shown = () =>
    main
      .locator('tbody a[href^="/tx/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const expectList = async (query: string): Promise<void> => {
    const { json } = await service.get(`${path}?${query}`);
    const links = json.items.map(({ txid }: { txid: string }) => `/tx/${txid}`);
    await expect.poll(shown, follow).toEqual(links);
  };

  await expectList('');
  await sorts.getByRole('link', { name: 'Fee rate' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**?sort=fee_rate');
  await expectList('sort=fee_rate');
  expect(await sorts.locator('[aria-current="true"]').innerText()).toBe('Fee rate');
  const { json: sorted } = await service.get(`${path}?sort=fee_rate`);
  expect(await main.locator('tbody tr').first().innerText()).toContain(`${sorted.items[0].fee_rate} /vB`);
  expect(await findFaults(page)).toEqual([]);

  await sorts.getByRole('link', { name: 'Descending' }).click();
  await page.waitForURL('**?sort=fee_rate&order=asc');
  await expectList('sort=fee_rate&order=asc');
  await page.goBack();
  await expectList('sort=fee_rate');

  const dearest = sorted.items[1].fee_rate;
  const bound = page.getByLabel('Fee rate from');
  await bound.fill(dearest);
  await bound.press('Enter');
  await expectList(`sort=fee_rate&min_fee_rate=${dearest}`);
  await main.getByText('2 of 4 transactions').waitFor();
  expect(await findFaults(page)).toEqual([]);
  await bound.fill('99999999');
  await bound.press('Enter');
  await main.getByText('No transaction of this block is like that.').waitFor();
  await bound.fill('');
  await bound.press('Enter');
  await expectList('sort=fee_rate');

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await isTooWide(page)).toBe(false);
  await leavePage(visitor, origin);
});

test('a mined block is drawn by size and fee rate; the arrow keys go through it and not to its neighbours', async () => {
  const { node, service } = fixture;
  for (const fee of [2_000n, 9_000n, 4_000n]) await send(node, pay(nextCoin(), fee));
  await service.waitForMempool();
  const hash = await mine();
  const { transactions } = (await service.get(`/api/v1/block/${hash}/summary`)).json;
  const visitor = await visitPage(browser, `${origin}/block/${hash}`);
  const { page } = visitor;
  const asked = () => visitor.requests.filter((url) => url.includes('/summary')).length;
  expect(asked()).toBe(0);
  await page.getByText('Show the picture').click();
  const map = page.getByRole('slider', { name: /^Transactions of block / });
  await map.focus();
  expect(await map.getAttribute('aria-valuemax')).toBe('3');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const { txid, fee_rate } = transactions[1];
  expect(await map.getAttribute('aria-valuetext')).toContain(`${txid.slice(0, 8)}`);
  expect(await map.getAttribute('aria-valuetext')).toContain(`${fee_rate} /vB`);
  expect(new URL(page.url()).pathname).toBe(`/block/${hash}`);
  expect(await findFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/tx/${txid}`);
  expect(asked()).toBe(1);
  await leavePage(visitor, origin);
});

test('a block that lost its place says so, and what has it', async () => {
  const { node, service } = fixture;
  const lost = await mine();
  const visitor = await visitPage(browser, `${origin}/block/${lost}`);
  const { page } = visitor;
  await node.rpc('invalidateblock', lost);
  const hashes = await node.mine(2);
  await service.waitForTip(hashes[1]);
  // The page that is open says so by itself, and so does one that is opened.
  await expect.poll(() => page.locator('main').innerText(), follow).toMatch(/stale not in the best chain/i);
  await page.reload();
  await settle(visitor);
  await page.getByRole('heading', { name: /^Stale block/ }).waitFor();
  expect(await page.locator('main').innerText()).toMatch(/stale not in the best chain/i);
  expect(await findFaults(page)).toEqual([]);
  await page.locator(`a[href="/block/${hashes[0]}"]`).click();
  await page.waitForURL(`**/block/${hashes[0]}`);
  await leavePage(visitor, origin);
});
