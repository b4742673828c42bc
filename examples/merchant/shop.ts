import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOrders } from './orders.ts';
import { createShop } from './shop-server.ts';

// The sample shop. Against `npm start` it needs no settings; against another Coinfront:
//   COINFRONT_URL, SHOP_API_KEY, SHOP_WEBHOOK_SECRET (several with spaces), SHOP_URL, SHOP_PORT, SHOP_DATA_DIR;
//   SHOP_CURRENCY (such as EUR, where Coinfront has a rate of it) for prices in other money than coins

const dataDir = new URL('../../data/', import.meta.url).pathname;
const { env } = process;
const demo = env.SHOP_API_KEY ? undefined : readDemoMerchant();
const port = Number(env.SHOP_PORT ?? 8090);
const shopDir = env.SHOP_DATA_DIR ?? join(dataDir, 'shop');
mkdirSync(shopDir, { recursive: true, mode: 0o700 });

const orders = openOrders(join(shopDir, 'orders.db'));
const shop = createShop({
  coinfront: {
    url: env.COINFRONT_URL ?? demo?.url ?? 'http://127.0.0.1:8080',
    apiKey: env.SHOP_API_KEY ?? demo?.api_key ?? '',
  },
  webhookSecrets: (env.SHOP_WEBHOOK_SECRET ?? demo?.webhook_secret ?? '').split(' '),
  shopUrl: env.SHOP_URL ?? `http://127.0.0.1:${port}`,
  currency: env.SHOP_CURRENCY || undefined,
  orders,
  log: console.log,
});
shop.once('error', (error: NodeJS.ErrnoException) => {
  const isTaken = error.code === 'EADDRINUSE';
  console.error(
    isTaken ? `Something listens on port ${port} already: choose another with SHOP_PORT.` : error.message,
  );
  process.exit(1);
});
shop.listen(port, '127.0.0.1', () => console.log(`The shop is at http://127.0.0.1:${port}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    shop.close(() => orders.close());
    shop.closeAllConnections();
  });
}

/** What `npm start` left for us. */
function readDemoMerchant(): { url: string; api_key: string; webhook_secret: string } {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'regtest', 'demo-merchant.json'), 'utf8'));
  } catch {
    console.error('Run `npm start` first, or set SHOP_API_KEY and SHOP_WEBHOOK_SECRET.');
    process.exit(1);
  }
}
