import { readFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import type { MeasuredProcess } from '../service-process.ts';
import { quantile } from '../table.ts';
import { createClientAddresses } from './client-addresses.ts';
import { type Choice, makeFresh, targetOf } from './list-requests.ts';

/** What one request cost the service: main thread's CPU, request units, bytes of the answer. */
export type Cost = { cpuMs: number; units: number; bytes: number; status: number; text: string };

/** Asks one service, each series from a client's address of its own. */
export type Asker = {
  /** Sends the request so many times; the median of their CPU, and the mean of their units. */
  measure(choice: Choice, times: number): Promise<Cost>;
  close(): void;
};

/** So many that no request is refused for them; what was used is this less what is left. */
export const RATE_LIMIT = 1_000_000;
const NANOSECONDS_PER_MS = 1e6;
/** An answer's pages are found in its text; more of it is not looked at. */
const KEPT_CHARS = 4_000_000;
/** What costs least, and tells what is left. */
const PROBE = { method: 'GET', target: '/esplora/blocks/tip/height', units: 0.5 };

export function createAsker(service: MeasuredProcess, headers: Readonly<Record<string, string>>): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const newClient = createClientAddresses(7);

  async function ask(client: string, method: string, target: string, body?: Choice['body']): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = send(
      service.origin + target,
      {
        method,
        agent,
        headers: {
          ...headers,
          'x-forwarded-for': client,
          ...(body && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            left: Number(response.headers['ratelimit-remaining']),
            resetSeconds: Number(response.headers['ratelimit-reset']),
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body?.bytes);
    return promise;
  }

  return {
    async measure(choice, times) {
      const { method } = choice.route;
      for (;;) {
        const made: Choice[] = [];
        for (let i = 0; i < times; i++) made.push(await makeFresh(choice));
        const client = newClient();
        const before = await ask(client, PROBE.method, PROBE.target);
        const taken: number[] = [];
        let last = before;
        for (const each of made) {
          const target = targetOf(each);
          const begunNs = readMainThreadNs(service.pid);
          last = await ask(client, method, target, each.body);
          taken.push((readMainThreadNs(service.pid) - begunNs) / NANOSECONDS_PER_MS);
        }
        const after = await ask(client, PROBE.method, PROBE.target);
        // With a new minute the budget is a new one.
        if (after.resetSeconds > before.resetSeconds) continue;
        const used = RATE_LIMIT - after.left - 2 * PROBE.units;
        return {
          cpuMs: quantile(taken, 0.5),
          units: Math.max(PROBE.units, used / times),
          bytes: last.body.length,
          status: last.status,
          text: last.body.toString('utf8', 0, KEPT_CHARS),
        };
      }
    },
    close: () => agent.destroy(),
  };
}

type Answer = { status: number; left: number; resetSeconds: number; body: Buffer };

/** CPU of the process' first thread, which is the event loop, since its start. */
function readMainThreadNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]);
}
