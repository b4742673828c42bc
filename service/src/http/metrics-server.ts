/** `/metrics` on a listener of its own: it tells about the machine, so it is never part of the public interface. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Listen } from '../config-values.ts';
import { type HttpCell, type HttpMetrics, renderHttpMetrics } from './http-metrics.ts';
import { type LabelledSample, renderLabelled, sampleLabelled } from './labelled-samples.ts';

/** A value read at each scrape; undefined when it is not known, which shows as an absent sample, never as 0. */
export type GaugeSource = {
  name: string;
  help: string;
  read: () => number | undefined | Promise<number | undefined>;
};

/** Values by one label, read at each scrape. `list` gives a bounded number of them. */
export type LabelledSource = {
  /** What the values of several processes come to: of a gauge the least, of the others their sum. */
  kind: 'gauge' | 'counter' | 'summed gauge';
  name: string;
  help: string;
  label: string;
  list: () => ReadonlyMap<string, number>;
};

/** What another process of the same start has counted. */
export type OtherProcess = {
  readonly http: readonly HttpCell[];
  readonly labelled: readonly LabelledSample[];
};

export type MetricsServer = { port: number; close(): Promise<void> };

/** Starts serving `GET /metrics`: the process, the HTTP interface, and the gauges given. */
export async function startMetricsServer(options: {
  listen: Listen;
  http: HttpMetrics;
  /** What other processes of the same start have counted. */
  readOthers?: (() => Promise<readonly OtherProcess[]>) | undefined;
  gauges: readonly GaugeSource[];
  labelled?: readonly LabelledSource[];
}): Promise<MetricsServer> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'coinfront_' });
  for (const { name, help, read } of options.gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read();
        this.reset();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  }
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    try {
      const others = (await options.readOthers?.()) ?? [];
      const cells = [options.http.list(), ...others.map(({ http }) => http)].flat();
      const own = sampleLabelled(options.labelled ?? []);
      const labelled = renderLabelled([own, ...others.map((other) => other.labelled)].flat());
      const body = `${await registry.metrics()}${renderHttpMetrics(cells)}${labelled}`;
      response.writeHead(200, { 'content-type': registry.contentType }).end(body);
    } catch {
      response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics cannot be read.\n');
    }
  });
  server.maxConnections = 32;
  server.listen(options.listen.port, options.listen.host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.listen.port,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
