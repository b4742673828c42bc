import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { PaymentEventJson, RefundEventJson } from '@coinfront/api/webhooks.ts';
import {
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '@coinfront/sdk/webhooks/verify-webhook.ts';
import { type CoinfrontAccess, createPayment } from './create-payment.ts';
import type { Orders } from './orders.ts';
import { goods, renderOrder, renderShop, writePrice } from './shop-pages.ts';

/** What the shop needs. */
export type ShopOptions = {
  coinfront: CoinfrontAccess;
  /** Text as it was given out, `whsec_…`; during a rotation the new and the old one. */
  webhookSecrets: readonly string[];
  /** What Coinfront calls this shop. */
  shopUrl: string;
  /** Sells for this money, where Coinfront has a rate of it; for coins unless given. */
  currency?: string | undefined;
  orders: Orders;
  log(line: string): void;
};

const MAX_BODY_BYTES = 262_144;

/** Makes the shop's server; the caller lets it listen. */
export function createShop(options: ShopOptions): Server {
  return createServer((request, response) => {
    answer(options, request, response).catch((error: Error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500);
      response.end('Something went wrong here.\n');
    });
  });
}

async function answer(options: ShopOptions, request: IncomingMessage, response: ServerResponse) {
  const { orders } = options;
  const path = new URL(request.url ?? '/', 'http://shop').pathname;
  const route = `${request.method} ${path}`;
  if (route === 'POST /webhooks') return await receive(options, request, response);
  if (route === 'POST /orders') return await sell(options, request, response);
  if (route === 'GET /') return show(response, 200, renderShop(orders.list(), options.currency));
  const order = request.method === 'GET' && orders.find(path.replace(/^\/orders\//, ''));
  if (order) return show(response, 200, renderOrder(order));
  return show(response, 404, 'There is no such page.');
}

/** Places an order, makes its payment and sends the buyer there. */
async function sell(
  { orders, coinfront, shopUrl, currency }: ShopOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const item = new URLSearchParams((await readBody(request)).toString()).get('item') ?? '';
  const price = goods.get(item);
  if (price === undefined) return show(response, 400, 'There is nothing of that name.');
  const order = orders.place(item, writePrice(price, currency));
  const payment = await createPayment(coinfront, order.id, {
    use_address_pool: true,
    ...(currency === undefined ? { amount: price.coins } : { price: { currency, amount: price.money } }),
    description: `Order of ${item}, number ${order.id}`,
    order_id: order.id,
    confirmations_required: 2,
    webhook_url: `${shopUrl}/webhooks`,
    return_url: `${shopUrl}/orders/${order.id}`,
  });
  orders.attachPayment(order.id, payment);
  response.writeHead(303, { location: payment.checkout_url, 'x-order': order.id }).end();
}

/** Takes an event: only when its signature is right, each once, and none that is older than what is known. */
async function receive(
  { orders, webhookSecrets, log }: ShopOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  // The signature is over the bytes as they came: they are not to be parsed and written again before.
  const body = await readBody(request);
  try {
    const event = await verifyWebhook(body, request.headers, webhookSecrets);
    if (isPaymentEvent(event)) {
      const { type, sequence, data } = event;
      log(`${type} of ${data.payment.id}, sequence ${sequence}: ${orders.take(event)}`);
    } else if (event.type === 'webhook.test') {
      log(`${event.type}: webhooks arrive.`);
    } else {
      log(`${event.type}: ${event.data.ready} addresses are ready; import more.`);
    }
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    log(`A webhook is refused: ${error.message}`);
    return show(response, 400, 'The signature does not fit.');
  }
  response.writeHead(204).end();
}

/** Whether an event is of a payment, or of money of it that goes back. */
function isPaymentEvent(event: WebhookEvent): event is PaymentEventJson | RefundEventJson {
  return 'payment' in event.data;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error('The body is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function show(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
}
