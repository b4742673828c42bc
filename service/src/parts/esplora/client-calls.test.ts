import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { expect, test } from 'vitest';
import { addressOf, createFixtureServer, makeUnknownTx, payee } from '../../testing/fixture-server.ts';

const { app, chain } = createFixtureServer();
const address = addressOf(payee);
const payment = chain.txs.find(({ tx }) => tx.outputs.length === 32)!;
const txid = toDisplayHash(payment.txid);
const hash = toDisplayHash(chain.blocks[110]!.hash);

/** What `@mempool/mempool.js` asks of a host `HOST/esplora`, as it builds its URLs; Lightning and `getHashrate` aside. */
test.each([
  `/address/${address}`,
  `/address/${address}/txs`,
  `/address/${address}/txs?after_txid=${txid}`,
  `/address/${address}/txs/chain`,
  `/address/${address}/txs/mempool`,
  `/address/${address}/utxo`,
  `/v1/validate-address/${address}`,
  `/v1/block/${hash}`,
  `/block/${hash}/status`,
  `/block/${hash}/txs/0`,
  `/block/${hash}/txids`,
  `/block/${hash}/txid/0`,
  `/block/${hash}/raw`,
  `/block/${hash}/header`,
  '/block-height/110',
  '/v1/blocks/110',
  '/v1/blocks/',
  '/blocks/tip/height',
  '/blocks/tip/hash',
  '/v1/difficulty-adjustment',
  '/v1/fees/recommended',
  '/v1/fees/mempool-blocks',
  `/v1/cpfp/${txid}`,
  '/mempool',
  '/mempool/txids',
  '/mempool/recent',
  `/tx/${txid}`,
  `/tx/${txid}/status`,
  `/tx/${txid}/hex`,
  `/tx/${txid}/raw`,
  `/tx/${txid}/merkleblock-proof`,
  `/tx/${txid}/merkle-proof`,
  `/tx/${txid}/outspend/0`,
  `/tx/${txid}/outspends`,
])('mempool.js finds %s', async (path) => {
  let url = `/esplora/api${path}`;
  let answer = await app.inject(url);
  if (answer.statusCode === 308) {
    url = new URL(String(answer.headers.location), `http://a${url}`).pathname;
    answer = await app.inject(url);
  }
  expect(answer.statusCode).toBe(200);
});

test('mempool.js sends a transaction as a form', async () => {
  const { hex, txid: sent } = makeUnknownTx();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await app.inject({ method: 'POST', url: '/esplora/api/tx', payload: hex, headers });
  expect([answer.statusCode, answer.body]).toEqual([200, sent]);
});
