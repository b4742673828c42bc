import type { PaymentJson } from '@coinfront/api/payments.ts';
import { pino } from 'pino';
import { createHttpMetrics } from '../../service/src/http/http-metrics.ts';
import { createServer, stopServer } from '../../service/src/http/server.ts';
import { registerCheckoutPage } from '../../service/src/parts/payments/checkout/checkout-page.ts';
import type { CheckoutView } from '../../service/src/parts/payments/checkout/checkout-view.ts';
import { fixtureProfile } from '../../service/src/testing/fixture-server.ts';

/** What the page shows besides the payment, as far as a test says. */
export type FixtureSurroundings = Partial<Omit<CheckoutView, 'payment'>> & { hasExplorer?: boolean };

/** The page and the API's answer for one payment that a test changes as it likes. */
export type CheckoutFixture = {
  readonly origin: string;
  /** What is shown from now on; undefined means that every answer fails. */
  show(payment: PaymentJson | undefined, surroundings?: FixtureSurroundings): void;
  /** Questions to the API, with the status of the answer. */
  readonly asked: readonly number[];
  stop(): Promise<void>;
};

/** Starts the page on a free port of loopback. */
export async function startCheckoutFixture(): Promise<CheckoutFixture> {
  const http = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
  });
  let shown: PaymentJson | undefined;
  const asked: number[] = [];
  const find = async (id: string): Promise<PaymentJson | undefined> => {
    if (shown === undefined) throw new Error('This fixture is told to fail.');
    return shown.id === id ? shown : undefined;
  };
  let surroundings: FixtureSurroundings = {};
  registerCheckoutPage(http.app, {
    profile: fixtureProfile,
    now: Date.now,
    get hasExplorer() {
      return surroundings.hasExplorer ?? false;
    },
    async findView(id) {
      const payment = await find(id);
      const shop = { name: 'Test shop', mark: undefined, embedOrigins: [] };
      return payment && { payment, shop, returnUrl: undefined, refund: undefined, ...surroundings };
    },
  });
  http.app.get<{ Params: { id: string } }>('/api/v1/payments/:id', async (request, reply) => {
    const payment = shown && (await find(request.params.id));
    const etag = `"${payment?.sequence}"`;
    const status = payment === undefined ? 503 : request.headers['if-none-match'] === etag ? 304 : 200;
    asked.push(status);
    return reply
      .code(status)
      .header('etag', etag)
      .send(status === 200 ? payment : undefined);
  });
  const origin = await http.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    asked,
    show(payment, around = {}) {
      shown = payment;
      surroundings = around;
    },
    stop: () => stopServer(http, 0),
  };
}
