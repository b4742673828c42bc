import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks on loopback that notes when each arrived. */
export type Receiver = {
  readonly url: string;
  /** The moment, on the clock of `performance.now()`, at which the event of this type of this payment arrived. */
  waitFor(type: string, paymentId: string, timeoutMs: number): Promise<number>;
  close(): Promise<void>;
};

type Event = { type: string; data: { payment?: { id: string } } };

/** Starts it. Every event is answered with 204. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const find = (key: string): PromiseWithResolvers<number> => {
    const known = arrivals.get(key) ?? Promise.withResolvers<number>();
    arrivals.set(key, known);
    return known;
  };
  const server = createServer(async (request, response) => {
    const atMs = performance.now();
    let text = '';
    for await (const chunk of request) text += chunk;
    response.writeHead(204).end();
    const { type, data } = JSON.parse(text) as Event;
    if (data.payment) find(`${type} ${data.payment.id}`).resolve(atMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async waitFor(type, paymentId, timeoutMs) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`${type} of ${paymentId} did not arrive within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      try {
        return await Promise.race([find(`${type} ${paymentId}`).promise, late.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
