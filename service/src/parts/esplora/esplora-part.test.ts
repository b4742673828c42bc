import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { expect, test } from 'vitest';
import { sha256Of } from '../../testing/fixture-chain.ts';
import {
  addressOf,
  createFixtureServer,
  makeUnknownTx,
  miner,
  payee,
  scriptOf,
} from '../../testing/fixture-server.ts';
import { disassembleForEsplora } from './script-asm.ts';
import { toBaseUnits } from './serialise.ts';

const { app, chain, sent } = createFixtureServer();
const payment = chain.txs.find(({ tx }) => tx.outputs.length === 32)!;
const pending = chain.txs.find(({ height }) => height === undefined)!;
const paymentId = toDisplayHash(payment.txid);
const block110 = toDisplayHash(chain.blocks[110]!.hash);

async function get(path: string) {
  const response = await app.inject(`/esplora${path}`);
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    body: response.body,
    raw: response.rawPayload,
    json: () => response.json(),
  };
}

test('the tip is told as bare text', async () => {
  expect((await get('/blocks/tip/height')).body).toBe('120');
  expect((await get('/blocks/tip/hash')).body).toBe(toDisplayHash(chain.blocks[120]!.hash));
  expect((await get('/block-height/110')).body).toBe(block110);
  expect((await get('/blocks/tip/height')).type).toMatch(/^text\/plain/);
});

test('blocks come in tens, downwards', async () => {
  expect((await get('/blocks')).json().map((each: { height: number }) => each.height)).toEqual([
    120, 119, 118, 117, 116, 115, 114, 113, 112, 111,
  ]);
  expect((await get('/blocks/3')).json().map((each: { height: number }) => each.height)).toEqual([
    3, 2, 1, 0,
  ]);
  expect((await get('/blocks/121')).status).toBe(404);
});

test('a block has its header fields, transactions and ids', async () => {
  expect((await get(`/block/${block110}`)).json()).toMatchObject({
    id: block110,
    height: 110,
    tx_count: 2,
    bits: 0x207fffff,
    timestamp: chain.blocks[110]!.time,
  });
  expect((await get(`/block/${block110}/txids`)).json()[1]).toBe(paymentId);
  expect((await get(`/block/${block110}/txid/1`)).body).toBe(paymentId);
  expect((await get(`/block/${block110}/header`)).body).toHaveLength(160);
  expect((await get(`/block/${block110}/txs`)).json().map((tx: { txid: string }) => tx.txid)[1]).toBe(
    paymentId,
  );
  expect((await get(`/block/${block110}/txs/0`)).json()).toHaveLength(2);
  expect((await get(`/block/${block110}/txs/7`)).status).toBe(400);
  expect((await get(`/block/${block110}/txs/25`)).status).toBe(404);
  expect((await get(`/block/${block110}/txid/2`)).status).toBe(404);
});

test('a block that is not in the best chain has a status that says so', async () => {
  expect((await get(`/block/${block110}/status`)).json()).toEqual({
    in_best_chain: true,
    height: 110,
    next_best: toDisplayHash(chain.blocks[111]!.hash),
  });
  expect((await get(`/block/${'f'.repeat(64)}/status`)).json()).toMatchObject({ in_best_chain: false });
});

test('a transaction has the shape that wallets read', async () => {
  expect((await get(`/tx/${paymentId}`)).json()).toMatchObject({
    txid: paymentId,
    fee: 99_999_000,
    status: { confirmed: true, block_height: 110, block_hash: block110 },
    vin: [
      {
        prevout: { scriptpubkey_type: 'v0_p2wpkh', value: 5_000_000_000 },
        is_coinbase: false,
        witness: ['0102', ''],
      },
    ],
  });
  expect((await get(`/tx/${toDisplayHash(pending.txid)}/status`)).json()).toEqual({ confirmed: false });
  expect((await get(`/tx/${'0'.repeat(64)}/status`)).json()).toEqual({ confirmed: false });
  expect((await get(`/tx/${paymentId}/hex`)).body).toBe(Buffer.from(payment.raw).toString('hex'));
  expect((await get(`/tx/${paymentId}/raw`)).raw).toEqual(Buffer.from(payment.raw));
  expect((await get(`/tx/${paymentId}/merkle-proof`)).json()).toMatchObject({ block_height: 110, pos: 1 });
});

test('outspends tell what the chain and the mempool spend', async () => {
  const outspends = (await get(`/tx/${paymentId}/outspends`)).json();
  expect(outspends[0]).toMatchObject({ spent: true, vin: 0, status: { confirmed: true, block_height: 120 } });
  expect(outspends[2]).toEqual({
    spent: true,
    txid: toDisplayHash(pending.txid),
    vin: 0,
    status: { confirmed: false },
  });
  expect(outspends[3]).toEqual({ spent: false });
  expect((await get(`/tx/${paymentId}/outspend/3`)).json()).toEqual({ spent: false });
  expect((await get(`/tx/${paymentId}/outspend/99`)).status).toBe(404);
});

test('an address and the hash of its script answer the same', async () => {
  const byHash = `/scripthash/${Buffer.from(sha256Of(scriptOf(payee))).toString('hex')}`;
  const byAddress = `/address/${addressOf(payee)}`;
  for (const path of ['/txs', '/txs/chain', '/txs/mempool', '/utxo']) {
    const answer = await get(byAddress + path);
    expect(answer.status).toBe(200);
    expect((await get(byHash + path)).json()).toEqual(answer.json());
  }
  expect((await get(byAddress)).json()).toMatchObject({
    address: addressOf(payee),
    chain_stats: {
      tx_count: 2,
      funded_txo_count: 31,
      funded_txo_sum: 3_199_990_000,
      spent_txo_sum: 200_000_000,
    },
    mempool_stats: { tx_count: 2, funded_txo_sum: 99_990_000, spent_txo_sum: 199_990_000 },
  });
  expect((await get(`/scripthash/${'0'.repeat(64)}/utxo`)).json()).toEqual([]);
});

test('the history begins with the mempool, and goes on after the last transaction seen', async () => {
  const path = `/address/${addressOf(miner)}/txs`;
  const first = (await get(path)).json() as { txid: string; status: { confirmed: boolean } }[];
  expect(first.map(({ status }) => status.confirmed)).toEqual([
    false,
    ...Array.from({ length: 25 }, () => true),
  ]);
  const next = (await get(`${path}/chain/${first.at(-1)?.txid}`)).json() as { txid: string }[];
  expect(next).toHaveLength(25);
  expect(next.some(({ txid }) => first.some((each) => each.txid === txid))).toBe(false);
});

test('unspent outputs do not include what the mempool spends', async () => {
  const utxos = (await get(`/address/${addressOf(payee)}/utxo`)).json();
  expect(utxos).toHaveLength(28);
  expect(utxos).not.toContainEqual(expect.objectContaining({ txid: paymentId, vout: 2 }));
});

test('the mempool and the fees are told in sums and rates', async () => {
  expect((await get('/mempool')).json()).toMatchObject({ count: 2, total_fee: 20_000 });
  expect((await get('/mempool/txids')).json()).toHaveLength(2);
  expect((await get('/mempool/recent')).json()).toHaveLength(2);
  expect((await get('/fee-estimates')).json()).toMatchObject({
    1: 2.5,
    6: 2.5,
    144: 2.5,
    504: 2.5,
    1008: 2.5,
  });
});

test.each([
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-8',
])('a transaction is taken as hex with the content type %s', async (type) => {
  const { hex, txid } = makeUnknownTx();
  const response = await app.inject({
    method: 'POST',
    url: '/esplora/tx',
    payload: `${hex}\n`,
    headers: { 'content-type': type },
  });
  expect([response.statusCode, response.body]).toEqual([200, txid]);
  expect(sent).toContain(hex);
});

test('errors are plain text, 400 and 404', async () => {
  for (const [path, status] of [
    ['/tx/00', 400],
    [`/tx/${'0'.repeat(64)}`, 404],
    [`/block/${'0'.repeat(64)}`, 404],
    ['/block-height/5000', 404],
    ['/address/nonsense', 400],
  ] as const) {
    const response = await get(path);
    expect([response.status, response.type], path).toEqual([status, 'text/plain; charset=utf-8']);
    expect(response.body).not.toMatch(/^\{/);
  }
  const refused = await app.inject({
    method: 'POST',
    url: '/esplora/tx',
    payload: 'zz'.repeat(20),
    headers: { 'content-type': 'text/plain' },
  });
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([400, 'text/plain; charset=utf-8']);
});

test('amounts above 2^53 are written exactly', () => {
  expect(JSON.stringify({ value: toBaseUnits(9_007_199_254_740_993n) })).toBe('{"value":9007199254740993}');
  expect(toBaseUnits(2_100_000_000_000_000n)).toBe(2_100_000_000_000_000);
});

test.each([
  [
    `76a914${'11'.repeat(20)}88ac`,
    `OP_DUP OP_HASH160 OP_PUSHBYTES_20 ${'11'.repeat(20)} OP_EQUALVERIFY OP_CHECKSIG`,
  ],
  [`0014${'22'.repeat(20)}`, `OP_0 OP_PUSHBYTES_20 ${'22'.repeat(20)}`],
  [`5120${'33'.repeat(32)}`, `OP_PUSHNUM_1 OP_PUSHBYTES_32 ${'33'.repeat(32)}`],
  ['6a4c0401020304', 'OP_RETURN OP_PUSHDATA1 01020304'],
  ['4fb1b2', 'OP_PUSHNUM_NEG1 OP_CLTV OP_CSV'],
  ['05aabb', '<push past end>'],
])('%s reads as %s', (hex, words) => {
  expect(disassembleForEsplora(Buffer.from(hex, 'hex'))).toBe(words);
});

test('what clients of mempool.space ask for: recommended fees, whole and never below what is relayed', async () => {
  const { fastestFee, halfHourFee, hourFee, economyFee, minimumFee } = (
    await get('/v1/fees/recommended')
  ).json();
  const fees = [fastestFee, halfHourFee, hourFee, economyFee, minimumFee];
  expect(fees.every(Number.isInteger)).toBe(true);
  expect(fees).toEqual([...fees].sort((a, b) => b - a));
  expect(minimumFee).toBeGreaterThan(0);
});

test('what clients of mempool.space ask for: whether a text is an address', async () => {
  const address = addressOf(payee);
  expect((await get(`/v1/validate-address/${address}`)).json()).toEqual({
    isvalid: true,
    address,
    scriptPubKey: `0014${'bb'.repeat(20)}`,
    isscript: false,
    iswitness: true,
    witness_version: 0,
    witness_program: 'bb'.repeat(20),
  });
  expect((await get(`/v1/validate-address/${address.slice(0, -1)}q`)).json()).toEqual({ isvalid: false });
  expect((await get('/v1/validate-address/nonsense')).json()).toEqual({ isvalid: false });
});
