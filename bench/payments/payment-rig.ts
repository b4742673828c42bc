import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MerchantPaymentJson } from '@coinfront/api/payments.ts';
import { Pool } from 'undici';
import { ensureWallet, startNodeProcess } from '../../scripts/node-process.ts';
import { openPrecious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import { createMerchant } from '../../service/src/parts/payments/merchants/merchant-store.ts';
import { createRandom, type Random } from '../chain/random.ts';
import { type MeasuredProcess, startService, waitForTip } from '../service-process.ts';
import type { StorageMaker } from '../storage.ts';
import { insertOpenPayments, type OpenPayment } from './open-payments.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A node with a wallet, the service beside it with one merchant and many open payments, and the merchant's receiver. */
export type PaymentRig = {
  readonly service: MeasuredProcess;
  readonly receiver: Receiver;
  readonly open: readonly OpenPayment[];
  readonly random: Random;
  node<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Mines one block; the moment is that of the node's long poll, or of its answer when that comes first. */
  mineBlock(): Promise<{ hash: string; acceptedAtMs: number }>;
  createPayment(body: object): Promise<MerchantPaymentJson>;
  importAddresses(addresses: readonly string[]): Promise<void>;
  stop(): Promise<void>;
};

const SETUP_BLOCKS = 130;
const SYNC_TIMEOUT_MS = 120_000;
const BLOCK_TIMEOUT_MS = 30_000;
const CLIENT_CONNECTIONS = 32;
const IMPORT_SIZE = 1_000;

/** Starts it all; the caller stops it. */
export async function startPaymentRig(storages: StorageMaker, openCount: number): Promise<PaymentRig> {
  // What was started is stopped again, in reverse, also when the next thing does not start.
  await using started = new AsyncDisposableStack();
  const nodeDir = await mkdtemp(join(tmpdir(), 'coinfront-bench-node-'));
  started.defer(() => rm(nodeDir, { recursive: true, force: true }));
  const node = await startNodeProcess({ dataDir: nodeDir });
  started.defer(() => node.kill());
  started.defer(() => node.client.close());
  const call = <T>(method: string, ...params: unknown[]): Promise<T> => node.client.call<T>(method, params);
  await ensureWallet(node.client);
  const miner = await call<string>('getnewaddress', '', 'bech32');
  await call('generatetoaddress', SETUP_BLOCKS, miner);

  const storage = await storages.open();
  started.defer(storage.drop);
  const random = createRandom(29);
  const { apiKey, open } = await fillDatabase(storage, openCount, random);
  const receiver = await startReceiver();
  started.defer(receiver.close);
  const service = await startService(node.url, storage, { COINFRONT_WEBHOOK_ALLOW: 'loopback' });
  started.defer(service.stop);
  await waitForTip(service, await call('getbestblockhash'), { pollMs: 50, timeoutMs: SYNC_TIMEOUT_MS });
  const client = new Pool(service.origin, { connections: CLIENT_CONNECTIONS });
  started.defer(() => client.close());

  async function post<T>(path: string, body: object, expected: number): Promise<T> {
    const answer = await client.request({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { 'content-type': 'application/json', 'x-coin-pay-api-key': apiKey },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== expected) throw new Error(`POST ${path} answers ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as T;
  }

  const running = started.move();
  return {
    service,
    receiver,
    open,
    random,
    node: call,
    mineBlock: () => mineBlock(call, miner),
    createPayment: (body) => post('/payments', body, 201),
    async importAddresses(addresses) {
      for (let first = 0; first < addresses.length; first += IMPORT_SIZE) {
        const some = addresses.slice(first, first + IMPORT_SIZE);
        await post('/merchant/addresses', { addresses: some }, 200);
      }
    },
    stop: () => running.disposeAsync(),
  };
}

async function fillDatabase(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string },
  count: number,
  random: Random,
): Promise<{ apiKey: string; open: OpenPayment[] }> {
  const precious = await openPrecious(
    databaseUrl
      ? { kind: 'postgres', url: databaseUrl }
      : { kind: 'sqlite', file: join(dataDir, 'front.db') },
    preciousMigrations,
  );
  try {
    const { id, apiKey } = await createMerchant(
      precious,
      { name: 'Bench', webhookUrl: null, poolLowThreshold: 0 },
      Date.now(),
    );
    const options = { merchantId: id, count, tipHeight: SETUP_BLOCKS, random };
    return { apiKey, open: await insertOpenPayments(precious, options) };
  } finally {
    await precious.close();
  }
}

async function mineBlock(node: PaymentRig['node'], miner: string) {
  const noticed = node('waitfornewblock', BLOCK_TIMEOUT_MS).then(() => performance.now());
  // The long poll must stand before the block comes: one round trip on another connection makes that near certain.
  await node('getbestblockhash');
  const [hash] = await node<string[]>('generatetoaddress', 1, miner);
  const answeredAtMs = performance.now();
  return { hash: hash!, acceptedAtMs: Math.min(answeredAtMs, await noticed) };
}
