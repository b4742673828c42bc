import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestMerchant } from '../harness/merchant.ts';
import { type CoinDesk, type Machine, openCoinDesk, quickenWallet } from './coin-desk.ts';

let desk: CoinDesk;
let machine: Machine;

beforeAll(async () => {
  desk = await openCoinDesk();
  machine = await desk.newMachine();
  const { first_address } = await machine.coin('init', '--service', desk.url);
  await quickenWallet(machine);
  await desk.node.rpc('sendtoaddress', first_address, 30);
  await desk.mine();
});
afterEach(() => desk.lie());
afterAll(() => desk?.stop());

const script = () => ['--yes', '--json', '--passphrase-file', join(machine.home, 'passphrase')];
const mempool = () => desk.node.rpc<string[]>('getrawmempool');

describe('coin, when nobody is asked', () => {
  test('pays no more for a name than what was said when it was committed to', async () => {
    const registering = machine.run('name', 'register', 'costly.coin', '--wait', ...script());
    // Told below, unless something else fails before.
    registering.catch(() => {});
    await expect.poll(async () => (await mempool()).length, { timeout: 60_000 }).toBe(1);
    desk.lie(/"per_period":"0\.1/g, '"per_period":"9.1');
    await desk.mine(12);
    expect(await registering).toMatchObject({ code: 1, json: { error: { code: 'amount_invalid' } } });
    expect(await mempool()).toEqual([]);
    desk.lie();
    expect(await machine.coin('name', 'register', 'costly.coin')).toMatchObject({ step: 'register' });
    await desk.mine();
  });

  test('pays no more for a token than what was allowed', async () => {
    const asked = ['token', 'create', 'DEAR', '--premine', '1'];
    const refused = await machine.run(...asked, '--at-most', '0.5', ...script());
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'amount_invalid' } } });
    expect(await mempool()).toEqual([]);
    expect(await machine.coin(...asked, '--at-most', '1')).toMatchObject({ ticker: 'DEAR' });
    await desk.mine();
  });
});

describe('coin pay', () => {
  test('takes the page of a payment only where the service has it', async () => {
    const merchant = await createTestMerchant(desk.service, desk.database);
    const recipient = await desk.node.newAddress();
    const { json } = await merchant.post('/api/v1/payments', { recipient, amount: '0.75' });
    expect(json.checkout_url).toBe(`https://coin.example/pay/${json.id}`);
    for (const page of [
      `https://shop.example/pay/${json.id}`,
      `https://coin.example.shop.example/pay/${json.id}`,
      `${desk.url}@shop.example/pay/${json.id}`,
    ]) {
      const ran = await machine.run('pay', page, ...script());
      expect(ran).toMatchObject({ code: 1, json: { error: { code: 'payment_elsewhere' } } });
    }
    expect(await mempool()).toEqual([]);
    for (const page of [json.checkout_url, `${desk.url}/pay/${json.id}`]) {
      const shown = await machine.type(['no'], 'pay', page);
      expect(shown).toMatchObject({ code: 3, notes: expect.stringContaining(`You pay 0.75000000 RCOIN`) });
    }
  });
});

describe('a search', () => {
  test('goes as far as it is told, beyond what the standard asks for', async () => {
    const far = await machine.coin('address', '--index', '60');
    const { total } = await machine.coin('balance');
    await desk.node.rpc('sendtoaddress', far.address, 2);
    await desk.mine();
    expect((await machine.coin('balance')).total).toBe(total);
    const found = await machine.coin('balance', '--gap-limit', '100');
    expect(Number(found.total)).toBeCloseTo(Number(total) + 2, 8);
    expect(found.addresses).toContainEqual(expect.objectContaining({ address: far.address }));
    expect(await machine.run('balance', '--gap-limit', '5')).toMatchObject({ code: 2 });
  });
});
