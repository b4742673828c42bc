import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendJson, startFakeNode } from '../../../test/harness/fake-node.ts';
import { startNode, type TestNode } from '../../../test/harness/litecoind.ts';
import { sendRawTransaction, testMempoolAccept } from './broadcast.ts';
import { createNodeClient } from './rpc-client.ts';

type Coin = { txid: string; vout: number; amount: number };
type Signed = { hex: string; txid: string };

const SAFE_SEQUENCE = 0xffffffff;
const REPLACEABLE = 0xfffffffd;

let node: TestNode;
let coins: Coin[];

beforeAll(async () => {
  node = await startNode({ extraArgs: ['-acceptnonstdtxn=0', '-mempoolreplacement=1'] });
  await node.mine(125);
  coins = (await node.rpc<Coin[]>('listunspent')).filter(({ amount }) => amount === 50);
});
afterAll(() => node.stop());

/** Signs a payment from one coin; `outputs` are in coins, and may be more or less than the coin has. */
async function sign(
  coin: Coin,
  outputs: Record<string, number | string>,
  { sequence = REPLACEABLE, locktime = 0 } = {},
): Promise<Signed> {
  const inputs = [{ txid: coin.txid, vout: coin.vout, sequence }];
  const raw = await node.rpc<string>('createrawtransaction', inputs, outputs, locktime);
  const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', raw);
  return describeHex(hex);
}

async function describeHex(hex: string): Promise<Signed> {
  const { txid } = await node.rpc<{ txid: string }>('decoderawtransaction', hex);
  return { hex, txid };
}

const send = ({ hex, txid }: Signed) => sendRawTransaction(node.client, hex, txid);
const tryOut = ({ hex }: Signed) => testMempoolAccept(node.client, hex);

/** The node refuses it, whether asked to test or to take it. */
async function expectRefusal(transaction: Signed, code: string): Promise<void> {
  expect(await tryOut(transaction)).toMatchObject({ ok: false, code });
  const sent = await send(transaction);
  expect(sent).toMatchObject({ ok: false, code });
  expect(!sent.ok && sent.reason).toMatch(/\w/);
}

describe('a transaction', () => {
  test('that is good is taken, and known after it until its outputs are spent', async () => {
    const address = await node.newAddress();
    const transaction = await sign(coins.pop()!, { [address]: 49.999 });
    const { txid } = transaction;
    expect(await tryOut(transaction)).toEqual({ ok: true, alreadyKnown: false });
    expect(await send(transaction)).toEqual({ ok: true, txid, alreadyKnown: false });
    expect(await node.rpc('getrawmempool')).toContain(txid);
    // Core itself takes a transaction of its mempool again without a word.
    expect(await send(transaction)).toEqual({ ok: true, txid, alreadyKnown: true });
    expect(await tryOut(transaction)).toEqual({ ok: true, alreadyKnown: true });
    await node.mine(1);
    expect(await send(transaction)).toEqual({ ok: true, txid, alreadyKnown: true });
    expect(await tryOut(transaction)).toEqual({ ok: true, alreadyKnown: true });
  });

  test('of bytes that are none is refused as decode_failed', async () => {
    for (const hex of ['', '00', 'zz', 'ff'.repeat(100)]) {
      await expectRefusal({ hex, txid: '' }, 'decode_failed');
    }
  });

  test('spending what is not there is refused as missing_inputs', async () => {
    const absent = { ...coins.at(-1)!, txid: 'ab'.repeat(32) };
    await expectRefusal(await sign(absent, { [await node.newAddress()]: 1 }), 'missing_inputs');
  });

  test('spending what an unconfirmed one spends for good is refused as mempool_conflict', async () => {
    const coin = coins.pop()!;
    await send(await sign(coin, { [await node.newAddress()]: 49.999 }, { sequence: SAFE_SEQUENCE }));
    await expectRefusal(await sign(coin, { [await node.newAddress()]: 49.9 }), 'mempool_conflict');
  });

  test('replacing another for too little is refused as replacement_fee_too_low', async () => {
    const coin = coins.pop()!;
    await send(await sign(coin, { [await node.newAddress()]: 49.99 }));
    await expectRefusal(await sign(coin, { [await node.newAddress()]: 49.999 }), 'replacement_fee_too_low');
  });

  test('without a fee is refused as fee_too_low', async () => {
    await expectRefusal(await sign(coins.at(-1)!, { [await node.newAddress()]: 50 }), 'fee_too_low');
  });

  test('that gives nearly all to the miner is refused as fee_too_high', async () => {
    await expectRefusal(await sign(coins.at(-1)!, { [await node.newAddress()]: 1 }), 'fee_too_high');
  });

  test('with a worthless output is refused as dust', async () => {
    const outputs = { [await node.newAddress()]: 49.999, [await node.newAddress()]: 0.00000001 };
    await expectRefusal(await sign(coins.at(-1)!, outputs), 'dust');
  });

  test('with two data carriers of odd form is refused as non_standard', async () => {
    const { hex } = await sign(coins.at(-1)!, { [await node.newAddress()]: 49.999, data: 'ab'.repeat(200) });
    await expectRefusal(await describeHex(hex), 'non_standard');
  });

  test('without a signature is refused as script_failed', async () => {
    const { txid, vout } = coins.at(-1)!;
    const raw = await node.rpc<string>('createrawtransaction', [{ txid, vout }], {
      [await node.newAddress()]: 49.999,
    });
    await expectRefusal(await describeHex(raw), 'script_failed');
  });

  test('giving more than it has is refused as invalid', async () => {
    await expectRefusal(await sign(coins.at(-1)!, { [await node.newAddress()]: 51 }), 'invalid');
  });

  test('locked until later is refused as non_final', async () => {
    const outputs = { [await node.newAddress()]: 49.999 };
    await expectRefusal(await sign(coins.at(-1)!, outputs, { locktime: 100_000 }), 'non_final');
  });

  test('of more than 100,000 vbytes is refused as too_large', async () => {
    const address = await node.newAddress();
    const raw = await node.rpc<string>('createrawtransaction', [coins.at(-1)!], { [address]: 0.01 });
    // version and input stay; one output becomes 3,500.
    const output = raw.slice(94, -8);
    const many = `${raw.slice(0, 92)}fdac0d${output.repeat(3_500)}00000000`;
    const { hex } = await node.rpc<{ hex: string }>('signrawtransactionwithwallet', many);
    await expectRefusal(await describeHex(hex), 'too_large');
  });

  test('spending a young coinbase is refused as premature_coinbase_spend', async () => {
    const [hash] = await node.mine(1);
    const { tx } = await node.rpc<{ tx: string[] }>('getblock', hash, 1);
    const young = { txid: tx[0]!, vout: 0, amount: 50 };
    await expectRefusal(await sign(young, { [await node.newAddress()]: 49.999 }), 'premature_coinbase_spend');
  });
});

describe('a node', () => {
  test.each([
    [-28, 'warming_up'],
    [-31, 'rpc'],
    [-32601, 'rpc'],
  ])('whose error %i is not about the transaction makes the call fail as %s', async (code, kind) => {
    const fake = await startFakeNode((response) =>
      sendJson(response, 500, { result: null, error: { code, message: 'not now' }, id: 1 }),
    );
    const client = createNodeClient({ url: fake.url });
    await expect(sendRawTransaction(client, '00', 'ab')).rejects.toMatchObject({ kind });
    await client.close();
    await fake.stop();
  });

  test('that gives no verdict makes the test fail', async () => {
    const fake = await startFakeNode((response) =>
      sendJson(response, 200, { result: [{}], error: null, id: 1 }),
    );
    const client = createNodeClient({ url: fake.url });
    await expect(testMempoolAccept(client, '00')).rejects.toMatchObject({ kind: 'invalid_answer' });
    await client.close();
    await fake.stop();
  });
});
