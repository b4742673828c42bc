import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createMerchant } from '../../service/src/parts/payments/merchants/merchant-store.ts';
import { sha256Of } from '../../service/src/testing/fixture-chain.ts';
import { addressOf, createFixtureServer, payee, scriptOf } from '../../service/src/testing/fixture-server.ts';
import type { FuzzTarget } from '../target.ts';
import { type Document, growBodies, judge, listExamples, sendRequest, writeRequest } from './http-request.ts';

const folder = await mkdtemp(join(tmpdir(), 'coinfront-fuzz-'));
const precious = await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, preciousMigrations);
let thrown: unknown;
const { app, chain, log } = createFixtureServer({ precious });
const merchant = await createMerchant(
  precious,
  { name: 'Shop', webhookUrl: null, poolLowThreshold: 10 },
  Date.now(),
);
const headers = { 'x-coin-pay-api-key': merchant.apiKey, authorization: `token ${merchant.apiKey}` };
const txid = toDisplayHash(chain.txs[120]!.txid);
const known = {
  address: addressOf(payee),
  txid,
  last_seen_txid: txid,
  hash: toDisplayHash(chain.blocks[110]!.hash),
  scripthash: Buffer.from(sha256Of(scriptOf(payee))).toString('hex'),
  height: '110',
  index: '0',
  vout: '0',
  id: '110',
};
const store = `/btcpay/api/v1/stores/${merchant.id}`;

async function seeds(): Promise<Uint8Array[]> {
  const paths = ['/api/v1/openapi.json', '/esplora/openapi.json'];
  const documents = await Promise.all(paths.map(async (path) => (await app.inject(path)).json() as Document));
  return [
    ...documents.flatMap((document) => listExamples(document, known)),
    writeRequest(
      'POST',
      '/api/v1/payments',
      'application/json',
      JSON.stringify({ recipient: addressOf(0xcc), amount: '1', metadata: { a: [1, 'b'] }, order_id: 'x' }),
    ),
    writeRequest(
      'POST',
      `${store}/invoices`,
      'application/json',
      JSON.stringify({
        amount: '1',
        currency: 'BTC',
        checkout: { speedPolicy: 'HighSpeed' },
        metadata: { orderId: '7' },
      }),
    ),
    writeRequest(
      'POST',
      `${store}/webhooks`,
      'application/json',
      JSON.stringify({
        url: 'https://shop.example/h',
        enabled: true,
        authorizedEvents: { everything: true },
      }),
    ),
    writeRequest('GET', `${store}/invoices?status=New&take=3&textSearch=a`),
    writeRequest(
      'POST',
      '/btcpay/api-keys/authorize',
      'application/x-www-form-urlencoded',
      'permissions=btcpay.store.canviewinvoices&applicationName=x',
    ),
  ];
}

/** Requests to the chain API, Esplora, payments and BTCPay's interface, answered from a small chain and a database. */
export const httpAnswersTarget: FuzzTarget = {
  name: 'http-answers',
  reads: 'requests that are answered: chain API, Esplora, payments, BTCPay',
  form: 'text',
  replayed: 300,
  maxBytes: 3_000,
  seeds: await seeds(),
  words: [
    'null',
    '"',
    '[',
    '{',
    '}',
    ',',
    ':',
    '?',
    '&',
    '%00',
    '/',
    'limit=',
    'cursor=',
    '\\ud800',
    '__proto__',
    known.address,
    txid,
  ],
  async check(input) {
    log.length = 0;
    const { statusCode, type, body } = await sendRequest(app, input, headers);
    thrown = log
      .map((line) => JSON.parse(line) as { level: number; err?: { stack?: string } })
      .find(({ level }) => level >= 50);
    judge({ status: statusCode, type, body, thrown: thrown && new Error(JSON.stringify(thrown)) });
  },
  growing: growBodies('POST', '/api/v1/broadcast'),
  async close() {
    await app.close();
    await precious.close();
    await rm(folder, { recursive: true });
  },
};
