import type { MeasuredProcess } from '../service-process.ts';
import { createClientAddresses } from './client-addresses.ts';

/** Sends one service what is to be there before it is measured, each time as another client. */
export type ServiceClient = {
  /** Gives what it answers. @throws Error with the answer where that is a refusal */
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  send(method: string, path: string, body?: object): Promise<any>;
  /** Asks until the answer is what was waited for. @throws Error after half a minute */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  waitFor(what: string, path: string, isThere: (answer: any) => boolean): Promise<any>;
};

const WAIT_MS = 30_000;
const PAUSE_MS = 100;

/** @param headers that every request carries, as the key of a merchant */
export function createServiceClient(
  service: MeasuredProcess,
  headers: Readonly<Record<string, string>>,
): ServiceClient {
  const newClient = createClientAddresses(11);
  const client: ServiceClient = {
    async send(method, path, body) {
      const answer = await fetch(service.origin + path, {
        method,
        headers: {
          ...headers,
          'x-forwarded-for': newClient(),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text.slice(0, 500)}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async waitFor(what, path, isThere) {
      const deadline = performance.now() + WAIT_MS;
      for (;;) {
        const answer = await client.send('GET', path);
        if (isThere(answer)) return answer;
        if (performance.now() > deadline)
          throw new Error(`${what}: not within ${WAIT_MS / 1_000} s; ${path} says ${JSON.stringify(answer)}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
  };
  return client;
}
