/** `/metrics` on a listener of its own: it tells about the machine, so it is never part of the public interface. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Listen } from '../config-values.ts';
import type { HttpMetrics } from './http-metrics.ts';

/** A value read at each scrape; undefined when it is not known, which shows as an absent sample, never as 0. */
export type GaugeSource = {
  name: string;
  help: string;
  read: () => number | undefined | Promise<number | undefined>;
};

/** Values by one label, read at each scrape. `list` gives a bounded number of them. */
export type LabelledSource = {
  kind: 'gauge' | 'counter';
  name: string;
  help: string;
  label: string;
  list: () => ReadonlyMap<string, number>;
};

export type MetricsServer = { port: number; close(): Promise<void> };

/** Starts serving `GET /metrics`: the process, the HTTP interface, and the gauges given. */
export async function startMetricsServer(options: {
  listen: Listen;
  http: HttpMetrics;
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
  for (const source of options.labelled ?? []) registerLabelled(source, registry);
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    try {
      const body = `${await registry.metrics()}${options.http.render()}`;
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

function registerLabelled({ kind, name, help, label, list }: LabelledSource, registry: Registry): void {
  const options = { name, help, labelNames: [label], registers: [registry] };
  const metric =
    kind === 'gauge'
      ? new Gauge({ ...options, collect: () => write() })
      : new Counter({ ...options, collect: () => write() });
  const write = (): void => {
    metric.reset();
    for (const [value, number] of list()) metric.inc({ [label]: value }, number);
  };
}
