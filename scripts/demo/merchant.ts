import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runAdmin } from './admin.ts';

/** The merchant of the local chain, as it is kept for the sample shop and for `npm run pay`. */
export type DemoMerchant = {
  /** Base address of the service. */
  url: string;
  api_key: string;
  webhook_secret: string;
  /** RPC of the wallet of the local chain's node that pays. */
  wallet_url: string;
};

/** What a start shows of it. */
export type Demo = {
  merchant: DemoMerchant;
  /** Two payments that wait to be paid. */
  checkoutUrls: string[];
};

export type DemoOptions = {
  /** Folder of the local chain. */
  dir: string;
  url: string;
  walletUrl: string;
  /** Settings of the service. */
  env: NodeJS.ProcessEnv;
  newAddress(): Promise<string>;
};

/** The sample shop's receiver of webhooks. */
const SHOP_WEBHOOKS = 'http://127.0.0.1:8090/webhooks';
const READY_ADDRESSES = 30;
const EXAMPLE_EXPIRES_S = 86_400;
const READY_TIMEOUT_MS = 60_000;

/** Where the merchant is kept: with its key, so for nobody else to read. */
export function demoMerchantFile(dir: string): string {
  return join(dir, 'demo-merchant.json');
}

/**
 * Makes the local chain's merchant at the first start, finds it again at later ones, keeps its pool filled with addresses
 * of the node's wallet, and makes an example payment.
 *
 * @throws Error when the service does not get ready, or refuses
 */
export async function prepareDemo(options: DemoOptions): Promise<Demo> {
  await waitUntilReady(options.url);
  const merchant = (await findMerchant(options)) ?? (await createMerchant(options));
  // Ports and the node's password change from start to start.
  const kept = { ...merchant, url: options.url, wallet_url: options.walletUrl };
  writeFileSync(demoMerchantFile(options.dir), `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 });
  await fillPool(options, kept);
  return { merchant: kept, checkoutUrls: [await makePayment(kept), await makePayment(kept)] };
}

/** Makes an example payment; gives the address of its page. */
export async function makePayment(merchant: DemoMerchant): Promise<string> {
  const payment = await call<{ checkout_url: string }>(merchant, 'POST', '/payments', {
    use_address_pool: true,
    amount: '0.50000000',
    description: 'An example payment of the local chain',
    expires_in: EXAMPLE_EXPIRES_S,
  });
  return new URL(payment.checkout_url, merchant.url).href;
}

/**
 * The merchant of the local chain that runs.
 *
 * @throws Error when there is none
 */
export function readDemoMerchant(dir: string): DemoMerchant {
  try {
    return JSON.parse(readFileSync(demoMerchantFile(dir), 'utf8')) as DemoMerchant;
  } catch {
    throw new Error('There is no local chain yet: run `npm start` first.');
  }
}

/** Any answer says that it listens; the example needs a chain that is followed. */
async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/v1/health?require=ready`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (Date.now() > deadline) throw new Error('The service does not get ready: see /api/v1/health.');
    await delay(200);
  }
}

type Keys = Pick<DemoMerchant, 'api_key' | 'webhook_secret'>;

/** The merchant of an earlier start, when its key is still known to the service. */
async function findMerchant({ dir, url }: DemoOptions): Promise<Keys | undefined> {
  const file = demoMerchantFile(dir);
  if (!existsSync(file)) return undefined;
  const { api_key, webhook_secret } = JSON.parse(readFileSync(file, 'utf8')) as DemoMerchant;
  const answer = await fetch(`${url}/api/v1/merchant`, { headers: { 'x-coin-pay-api-key': api_key } });
  await answer.body?.cancel();
  return answer.ok ? { api_key, webhook_secret } : undefined;
}

async function createMerchant({ env }: DemoOptions): Promise<Keys> {
  const args = ['merchant', 'create', '--name', 'Demo shop', '--webhook-url', SHOP_WEBHOOKS];
  const { api_key, webhook_secret } = await runAdmin<Keys>(env, ...args);
  return { api_key, webhook_secret };
}

async function fillPool({ newAddress }: DemoOptions, merchant: DemoMerchant): Promise<void> {
  const { pool } = await call<{ pool: { ready: number } }>(merchant, 'GET', '/merchant');
  const addresses: string[] = [];
  while (pool.ready + addresses.length < READY_ADDRESSES) addresses.push(await newAddress());
  if (addresses.length > 0) await call(merchant, 'POST', '/merchant/addresses', { addresses });
}

async function call<T>(
  { url, api_key }: DemoMerchant,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      'x-coin-pay-api-key': api_key,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
