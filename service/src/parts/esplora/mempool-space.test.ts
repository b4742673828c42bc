import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { describe, expect, test } from 'vitest';
import { fixtureSeenMs } from '../../testing/fixture-chain.ts';
import { addressOf, createFixtureServer, makeUnknownTx, miner, payee } from '../../testing/fixture-server.ts';
import { describeMempoolBlocks } from './mempool-blocks.ts';

const { app, chain, sent } = createFixtureServer();
const payment = chain.txs.find(({ tx }) => tx.outputs.length === 32)!;
const [pending, child] = chain.txs.filter(({ height }) => height === undefined);
const idOf = ({ txid }: { txid: Uint8Array }) => toDisplayHash(txid);
const unknown = '0'.repeat(64);

async function get(path: string) {
  const response = await app.inject(`/esplora${path}`);
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    body: response.body,
    json: () => response.json(),
  };
}

type Listed = { txid: string };

describe('a history goes on behind a transaction', () => {
  const path = `/address/${addressOf(miner)}/txs`;

  test('of the chain', async () => {
    const all = (await get(path)).json() as Listed[];
    const last = all.at(-1)!.txid;
    const next = (await get(`${path}?after_txid=${last}`)).json() as Listed[];
    expect(next).toEqual((await get(`${path}/chain/${last}`)).json());
    expect(next).toHaveLength(25);
  });

  test('of the mempool: what is older there, and the chain', async () => {
    const all = (await get(path)).json() as Listed[];
    expect((await get(`${path}?after_txid=${idOf(child!)}`)).json()).toEqual(all.slice(1));
  });

  test('that is not known: 404', async () => {
    const { status, type } = await get(`${path}?after_txid=${unknown}`);
    expect([status, type]).toEqual([404, 'text/plain; charset=utf-8']);
    expect((await get(`${path}?after_txid=zz`)).status).toBe(400);
  });
});

test('a summary says what each confirmed transaction did to the balance', async () => {
  const path = `/address/${addressOf(payee)}/txs/summary`;
  const summary = (await get(path)).json();
  expect(summary).toEqual([
    { txid: expect.any(String), height: 120, value: -10_000, time: chain.blocks[120]!.time, tx_position: 1 },
    { txid: idOf(payment), height: 110, value: 3_000_000_000, time: chain.blocks[110]!.time, tx_position: 1 },
  ]);
  expect((await get(`${path}?after_txid=${summary[0].txid}`)).json()).toEqual(summary.slice(1));
});

test('outspends of several transactions are those of each, and none of one that is not known', async () => {
  const ids = [payment, pending!].map(idOf);
  const one = await Promise.all(ids.map(async (id) => (await get(`/tx/${id}/outspends`)).json()));
  expect((await get(`/txs/outspends?txids=${ids.join(',')},${unknown}`)).json()).toEqual([...one, []]);
  expect((await get('/txs/outspends')).status).toBe(400);
  expect((await get(`/txs/outspends?txids=${Array(26).fill(unknown).join(',')}`)).status).toBe(400);
});

test('a whole address is found where it was used; how one begins is an error', async () => {
  expect((await get(`/address-prefix/${addressOf(payee)}`)).json()).toEqual([addressOf(payee)]);
  expect((await get(`/address-prefix/${addressOf(0x77)}`)).json()).toEqual([]);
  const { status, body } = await get(`/address-prefix/${addressOf(payee).slice(0, 12)}`);
  expect([status, body]).toEqual([400, expect.stringContaining('whole address')]);
});

describe('a package', () => {
  const post = (payload: string, query = '', type = 'text/plain') =>
    app.inject({
      method: 'POST',
      url: `/esplora/txs/package${query}`,
      payload,
      headers: { 'content-type': type },
    });
  const hexes = [makeUnknownTx().hex, makeUnknownTx().hex];
  const list = JSON.stringify(hexes);

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'is taken with the content type %s',
    async (type) => {
      const { statusCode, json, headers } = await post(list, '?maxfeerate=0.1&maxburnamount=0', type);
      expect([statusCode, headers['x-chain-visibility']]).toEqual([200, 'visible']);
      expect(json()).toMatchObject({
        package_msg: 'success',
        limits: { maxFeeRate: '0.1', maxBurnAmount: '0' },
      });
      expect(sent.slice(-2)).toEqual(hexes);
    },
  );

  test.each(['', '[', '{}', '[]', '["zz"]', '"00"', `[${Array(26).fill(`"${'00'.repeat(10)}"`)}]`])(
    '%s is none: 400',
    async (payload) => {
      const { statusCode, headers } = await post(payload);
      expect([statusCode, headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
    },
  );
});

test('blocks have extras, as far as they are known', async () => {
  const blocks = (await get('/v1/blocks')).json();
  expect(blocks.map(({ height }: { height: number }) => height)).toEqual(
    Array.from({ length: 15 }, (_, i) => 120 - i),
  );
  const [tip] = blocks;
  expect((await get(`/v1/block/${tip.id}`)).json()).toEqual(tip);
  const { extras, ...block } = tip;
  expect((await get(`/block/${tip.id}`)).json()).toEqual(block);
  expect(extras).toMatchObject({
    totalFees: 10_000,
    avgFee: 10_000,
    coinbaseAddress: addressOf(miner),
    header: Buffer.from(chain.blocks[120]!.header).toString('hex'),
  });
  expect((await get('/v1/blocks/3')).json()).toHaveLength(4);
  expect((await get('/v1/blocks/121')).status).toBe(404);
});

test('of a transaction of the mempool it is told what it hangs on, and what hangs on it', async () => {
  const parent = { txid: idOf(pending!), fee: 10_000, weight: expect.any(Number) };
  const last = { txid: idOf(child!), fee: 10_000, weight: expect.any(Number) };
  expect((await get(`/v1/cpfp/${last.txid}`)).json()).toMatchObject({ ancestors: [parent], descendants: [] });
  expect((await get(`/v1/cpfp/${parent.txid}`)).json()).toMatchObject({
    ancestors: [],
    descendants: [last],
    fee: 10_000,
  });
  expect((await get(`/v1/cpfp/${idOf(payment)}`)).json()).toEqual({ ancestors: [] });
});

test('first sights are told in seconds, 0 for what is not in the mempool', async () => {
  const path = `/v1/transaction-times?txId[]=${idOf(pending!)}&txId[]=${idOf(payment)}`;
  expect((await get(path)).json()).toEqual([Math.floor(fixtureSeenMs / 1000), 0]);
  expect((await get('/v1/transaction-times')).status).toBe(400);
});

test('the mempool is told in blocks', async () => {
  const [block, ...more] = (await get('/v1/fees/mempool-blocks')).json();
  expect(more).toEqual([]);
  expect(block).toMatchObject({ blockSize: null, nTx: 2, totalFees: 20_000 });
});

test('a step on the border of two blocks is divided', () => {
  const steps = [
    { feeRateMilliSatsPerVb: 5_000, vsize: 400_000, txs: 4 },
    { feeRateMilliSatsPerVb: 1_000, vsize: 1_200_000, txs: 12 },
  ];
  expect(describeMempoolBlocks(steps, 5n)).toEqual([
    { blockSize: null, blockVSize: 1_000_000, nTx: 10, totalFees: null, medianFee: 1, feeRange: [1, 5] },
    { blockSize: null, blockVSize: 600_000, nTx: 6, totalFees: null, medianFee: 1, feeRange: [1] },
  ]);
  const many = describeMempoolBlocks([{ feeRateMilliSatsPerVb: 1_000, vsize: 20_000_000, txs: 20 }], 5n);
  expect(many.map(({ blockVSize }) => blockVSize)).toEqual([...Array(7).fill(1_000_000), 13_000_000]);
});

test('the period of the difficulty is told by its blocks', async () => {
  expect((await get('/v1/difficulty-adjustment')).json()).toMatchObject({
    remainingBlocks: 2_016 - 120,
    nextRetargetHeight: 2_016,
    previousTime: chain.blocks[0]!.time,
    previousRetarget: 0,
  });
});
