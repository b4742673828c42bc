import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import type { TestMerchant } from '../harness/merchant.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import type { TestService } from '../harness/service.ts';
import { type DeskSuite, openDeskSuite } from './open-suite.ts';
import { payOwner } from './pay-owner.ts';
import type { PaymentDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;
/** Of BIP-39's own test vectors. */
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

let node: TestNode;
let nextCoin: () => RawCoin;
let lastOwner = 20_000;
const nextOwner = () => ++lastOwner;

beforeAll(async () => {
  node = await startNode();
  nextCoin = await openPurse(node, { count: 20, value: 1_000_000n, owner: 1 });
});
afterAll(() => node.stop());

forEachEngine('the address that a buyer gives', (engine) => {
  let suite: DeskSuite;
  let service: TestService;
  let desk: PaymentDesk;
  let merchant: TestMerchant;

  beforeAll(async () => {
    suite = await openDeskSuite(engine, node.url);
    ({ service, desk } = suite);
    merchant = await suite.createMerchant();
  });
  afterAll(() => suite.close());

  const makeOver = async (): Promise<{ id: string; owner: number }> => {
    const owner = nextOwner();
    const body = { recipient: addressOfOwner(owner), amount: '0.003', confirmations_required: 1 };
    const { id } = (await merchant.post('/api/v1/payments', body)).json;
    await mineExactly(node, [payOwner(nextCoin(), owner, 2n * AMOUNT)]);
    await desk.waitFor(id, 'overpaid');
    return { id, owner };
  };
  const submit = async (id: string, body: string, type = 'application/x-www-form-urlencoded') => {
    const response = await fetch(`${service.origin}/pay/${id}/refund-address?lang=de`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
      redirect: 'manual',
    });
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  };
  const give = (id: string, address: string) => submit(id, new URLSearchParams({ address }).toString());
  const find = async (id: string) => (await merchant.get(`/api/v1/payments/${id}/refunds`)).json;

  test('is asked for, kept, told, and shown shortened; a second one is refused until the merchant removes it', async () => {
    const { id } = await makeOver();
    const [first, second] = [addressOfOwner(nextOwner()), addressOfOwner(nextOwner())];
    expect((await service.get(`/pay/${id}`)).text).toContain('Where should it go back to?');
    expect(await give(id, `  ${first} `)).toMatchObject({ status: 303, location: `../${id}?lang=de` });
    const { text } = await service.get(`/pay/${id}?lang=de`);
    expect(text).toContain(`${first.slice(0, 10)}…${first.slice(-6)}`);
    expect(text).not.toContain(first);
    expect(text).not.toContain('<form');
    expect(await find(id)).toMatchObject({ refund_address: first, refund_address_at: expect.any(String) });
    expect((await desk.lastEvent(id)) as unknown).toMatchObject({
      type: 'refund.address',
      data: { leftover: { refund_address: first }, refund_id: null },
    });
    const sequence = (await desk.row(id)).sequence;

    expect((await give(id, first)).status).toBe(303);
    expect(await give(id, second)).toMatchObject({
      status: 409,
      text: expect.stringContaining('bereits eine Adresse'),
    });
    expect(await find(id)).toMatchObject({ refund_address: first });
    expect((await desk.row(id)).sequence).toBe(sequence);

    const key = { 'x-coin-pay-api-key': merchant.apiKey };
    const removed = await fetch(`${service.origin}/api/v1/payments/${id}/refund-address`, {
      method: 'DELETE',
      headers: key,
    });
    expect(await removed.json()).toMatchObject({ refund_address: null, refund_address_at: null });
    expect((await give(id, second)).status).toBe(303);
    const made = await merchant.post(`/api/v1/payments/${id}/refunds`, {});
    expect(made.json).toMatchObject({ refunds: [{ address: second, amount: '0.00300000' }] });
    expect((await service.get(`/pay/${id}`)).text).toContain('will be sent back');
  });

  test('is the first of many that are given at once', async () => {
    const { id } = await makeOver();
    const addresses = Array.from({ length: 6 }, () => addressOfOwner(nextOwner()));
    const answers = await Promise.all(addresses.map((address) => give(id, address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(5).fill(409)]);
    const kept = addresses[answers.findIndex(({ status }) => status === 303)];
    expect(await find(id)).toMatchObject({ refund_address: kept });
    expect((await desk.events(id)).filter((type) => type === 'refund.address')).toHaveLength(1);
  });

  test('is none that is wrong, a secret, or the one that was paid; nothing of it is kept', async () => {
    const { id, owner } = await makeOver();
    const other = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    for (const wrong of ['', 'nothing', other, addressOfOwner(owner), '<script>alert(1)</script>']) {
      const answer = await give(id, wrong);
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('nicht verwendbar') });
      if (wrong !== '') expect(answer.text).not.toContain(wrong);
    }
    const secret = await give(id, WORDS);
    expect(secret).toMatchObject({ status: 400, text: expect.stringContaining('Wiederherstellungswörter') });
    expect(secret.text).toContain(`href="../${id}?lang=de"`);
    const split = WORDS.split(' ').map((word) => `address=${word}`);
    expect((await submit(id, split.join('&'))).text).toContain('private_key_refused');
    const address = addressOfOwner(nextOwner());
    expect((await submit(id, `address=${address}&address=${address}`)).status).toBe(400);
    expect((await submit(id, `other=${address}`)).status).toBe(400);
    expect((await submit(id, '')).status).toBe(400);
    expect((await submit(id, JSON.stringify({ address }), 'application/json')).status).toBe(415);
    expect((await submit(id, `address=${'a'.repeat(5_000)}`)).status).toBe(413);
    expect(await find(id)).toMatchObject({ refund_address: null });
    expect(service.printed()).not.toContain('legal winner');
  });

  test('is not asked for where nothing is left over', async () => {
    const { id } = (
      await merchant.post('/api/v1/payments', { recipient: addressOfOwner(nextOwner()), amount: '0.003' })
    ).json;
    expect((await service.get(`/pay/${id}`)).text).not.toContain('<form');
    const address = addressOfOwner(nextOwner());
    expect(await give(id, address)).toMatchObject({
      status: 409,
      text: expect.stringContaining('nothing_to_refund'),
    });
    expect((await give('VP-000000000000', address)).status).toBe(404);
    expect((await give('nothing', address)).status).toBe(404);
  });
});
