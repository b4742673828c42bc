import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CoinDesk, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

let desk: CoinDesk;
let machine: Machine;
let mnemonic = '';
let address = '';
/** Between `coin` and the real service: counts requests, and can be a service that does not know `/batch`. */
let line: Server;
let url = '';
let hasBatch = true;
let asked: string[] = [];
let origin = '';
/** What the service says is left of a minute, after each request. */
let left: number[] = [];
let cacheFile = '';

beforeAll(async () => {
  desk = await openCoinDesk();
  origin = desk.service.origin;
  line = createServer(async (request, response) => {
    asked.push(request.url!.replace('/api/v1/', ''));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isUnknown = request.url === '/api/v1/batch' && !hasBatch;
    const answer = await fetch(origin + (isUnknown ? '/api/v1/no-such-route' : request.url), {
      method: request.method!,
      headers: { 'content-type': 'application/json' },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    left.push(Number(answer.headers.get('ratelimit-remaining')));
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => /^(content-type|x-|retry-|ratelimit)/.test(name)),
    );
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  machine = await desk.newMachine();
  const made = await machine.coin('init', '--service', url);
  mnemonic = made.mnemonic;
  address = made.first_address;
  cacheFile = join(machine.home, '.coin', 'wallet.json.cache');
  await quickenWallet(machine);
  await desk.node.rpc('sendtoaddress', address, 5);
  await desk.mine();
});
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  hasBatch = true;
});
afterAll(async () => {
  line?.closeAllConnections();
  line?.close();
  await desk?.stop();
});

const balance = (...more: string[]) => machine.coin('balance', ...more);
const pending = () => desk.service.waitForMempool();

describe('what coin knows of its wallet', () => {
  test('is for its owner only, and holds no key, no word and no account', async () => {
    expect(await balance()).toMatchObject({ spendable: '5.00000000' });
    expect((await stat(cacheFile)).mode & 0o777).toBe(0o600);
    const text = await readFile(cacheFile, 'utf8');
    const { watch } = JSON.parse(await readFile(join(machine.home, '.coin', 'wallet.json'), 'utf8'));
    for (const { xpub } of watch.accounts) expect(text).not.toContain(xpub);
    // Names of fields are words as well: "memory" is one of the 2,048.
    const values = text.replaceAll(/"\w+":/g, '');
    for (const word of mnemonic.split(' ')) expect(values).not.toContain(`"${word}"`);
  });

  test('answers a balance by two small requests when nothing changed', async () => {
    expect(await balance()).toMatchObject({ spendable: '5.00000000' });
    expect(asked).toEqual(['config', 'status']);
    expect(await machine.coin('address')).not.toMatchObject({ address });
    expect(asked).toEqual(['config', 'status', 'config', 'status']);
  });

  test('is asked for anew after a block, in as few requests as there are hundreds of addresses', async () => {
    await desk.node.rpc('sendtoaddress', address, 1);
    await desk.mine();
    expect(await balance()).toMatchObject({ spendable: '6.00000000', coins: 2 });
    expect(asked).toEqual(['config', 'status', 'batch', 'batch']);
    await desk.mine();
    expect(await balance()).toMatchObject({ spendable: '6.00000000' });
  });

  test('sees a payment in the mempool, and its replacement in its place', async () => {
    const txid = await desk.node.rpc<string>('sendtoaddress', address, 2, '', '', false, true);
    await pending();
    expect(await balance()).toMatchObject({ pending: '2.00000000', total: '8.00000000', coins: 3 });
    await desk.node.rpc('bumpfee', txid);
    await pending();
    expect(await balance()).toMatchObject({ pending: '2.00000000', total: '8.00000000', coins: 3 });
    await desk.mine();
    expect(await balance()).toMatchObject({ pending: '0.00000000', spendable: '8.00000000', coins: 3 });
  });

  test('does not outlive the blocks that it is from', async () => {
    await balance();
    await desk.node.rpc('sendtoaddress', address, 3);
    await desk.mine();
    expect(await balance()).toMatchObject({ spendable: '11.00000000' });
    const tip = await desk.node.rpc<string>('getbestblockhash');
    await desk.node.rpc('invalidateblock', tip);
    await desk.service.waitForTip();
    await pending();
    expect(await balance()).toMatchObject({ confirmed: '8.00000000', pending: '3.00000000' });
    await desk.node.rpc('reconsiderblock', tip);
    await desk.service.waitForTip(tip);
    await pending();
    expect(await balance()).toMatchObject({ spendable: '11.00000000', pending: '0.00000000' });
  });

  test.each<[string, (text: string) => string]>([
    ['a half file', (text) => text.slice(0, text.length / 2)],
    ['nothing', () => ''],
    ['another version', (text) => text.replace('"version":1', '"version":2')],
    ['another coin', (text) => text.replace(/"genesis_hash":"../, '"genesis_hash":"ff')],
    ['another service', (text) => text.replace(/"service":"/, '"service":"https://')],
    ['another wallet', (text) => text.replace(/"wallet":"../, '"wallet":"zz')],
    ['amounts that are none', (text) => text.replaceAll('"value":"', '"value":"x')],
    ['no chains', (text) => text.replace('"chains":[', '"chains":null,"other":[')],
    ['reports that are none', (text) => text.replace('"reports":[', '"reports":[7,')],
  ])('is nothing when its file has %s, and is made anew', async (_, damage) => {
    await balance();
    const text = await readFile(cacheFile, 'utf8');
    expect(damage(text)).not.toBe(text);
    await writeFile(cacheFile, damage(text));
    expect(await balance()).toMatchObject({ spendable: '11.00000000', coins: 4 });
    asked = [];
    expect(await balance()).toMatchObject({ spendable: '11.00000000', coins: 4 });
    expect(asked).toEqual(['config', 'status']);
  });

  test('is nothing when others could have written it', async () => {
    await balance();
    await chmod(cacheFile, 0o666);
    expect(await balance()).toMatchObject({ spendable: '11.00000000' });
    expect(asked.filter((path) => path === 'batch').length).toBeGreaterThan(0);
    expect((await stat(cacheFile)).mode & 0o777).toBe(0o600);
  });

  test('is nothing to a service of another coin, which is refused before anything of it is asked', async () => {
    desk.lie(/"genesis_hash":"../, '"genesis_hash":"ff');
    try {
      const ran = await machine.run('balance', '--json', '--service', desk.url);
      expect(ran).toMatchObject({ code: 7, json: { error: { code: 'network_mismatch' } } });
    } finally {
      desk.lie();
    }
  });

  test('is found out address by address where the service has no /batch', async () => {
    hasBatch = false;
    await desk.mine();
    expect(await balance()).toMatchObject({ spendable: '11.00000000' });
    expect(asked.filter((path) => path === 'batch')).toHaveLength(1);
    expect(asked.filter((path) => path.startsWith('address/')).length).toBeGreaterThanOrEqual(120);
  });

  test('is never what is spent: a coin that the cache makes up does not exist', async () => {
    await balance();
    const text = await readFile(cacheFile, 'utf8');
    await writeFile(cacheFile, text.replaceAll('"value":"5.0', '"value":"9.0'));
    const to = await desk.node.newAddress();
    const ran = await machine.coin('send', to, '0.5');
    expect(Number(ran.returned) + Number(ran.sent)).toBeLessThan(11);
    await desk.mine();
    expect(await balance()).toMatchObject({ pending: '0.00000000' });
  });

  test.each([true, false])(
    'is spent at once: where many coins are from is asked in one request (batch: %s)',
    async (can) => {
      const coins = await machine.coin('address');
      for (const amount of [1, 2, 3]) await desk.node.rpc('sendtoaddress', coins.address, amount);
      await desk.mine();
      const { spendable } = await balance();
      hasBatch = can;
      asked = [];
      const sent = await machine.coin(
        'send',
        await desk.node.newAddress(),
        (Number(spendable) - 0.1).toFixed(8),
      );
      const { vin } = await desk.node.rpc<{ vin: unknown[] }>('getrawtransaction', sent.txid, true);
      expect(vin.length).toBeGreaterThan(2);
      const alone = asked.filter((path) => /^tx\/.*\/raw$/.test(path) && path !== `tx/${sent.txid}/raw`);
      if (can) expect(alone).toEqual([]);
      else expect(alone).toHaveLength(vin.length);
      await desk.mine();
    },
  );
});

test('four commands in a row leave most of a minute to a client that is counted', {
  timeout: 400_000,
}, async () => {
  // The limit that a service has unless told otherwise.
  const counted = await openCoinDesk({ COINFRONT_RATE_LIMIT: '600' });
  try {
    origin = counted.service.origin;
    const shopper = await counted.newMachine();
    const made = await shopper.coin('init', '--service', url);
    await quickenWallet(shopper);
    await counted.node.rpc('sendtoaddress', made.first_address, 5);
    await counted.mine();
    const to = await counted.node.newAddress();
    const script = ['--json', '--yes', '--passphrase-file', join(shopper.home, 'passphrase')];
    left = [];
    for (const argv of [['balance'], ['address'], ['history'], ['send', to, '0.1']]) {
      expect(await shopper.run(...argv, ...script)).toMatchObject({ code: 0 });
    }
    // Of 600, whenever a minute began between them.
    expect(Math.min(...left)).toBeGreaterThan(400);
  } finally {
    origin = desk.service.origin;
    await counted.stop();
  }
});
