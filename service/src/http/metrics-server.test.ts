import { afterEach, expect, test } from 'vitest';
import { createHttpMetrics } from './http-metrics.ts';
import { type LabelledSample, renderLabelled } from './labelled-samples.ts';
import { type MetricsServer, startMetricsServer } from './metrics-server.ts';

let server: MetricsServer | undefined;
afterEach(() => server?.close());

test('gauges are read at each scrape, and an unknown value is absent, not 0', async () => {
  const http = createHttpMetrics();
  http.forRoute('GET', '/x')(200, 0.004);
  let height: number | undefined = 7;
  server = await startMetricsServer({
    listen: { host: '127.0.0.1', port: 0 },
    http,
    gauges: [{ name: 'coinfront_index_height', help: 'Height.', read: () => height }],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text();
  const text = await scrape();
  expect(text).toContain('coinfront_index_height 7');
  expect(text).toContain('coinfront_process_resident_memory_bytes');
  expect(text).toContain(
    'coinfront_http_request_seconds_bucket{method="GET",route="/x",status="2xx",le="0.005"} 1',
  );
  expect(text).toContain(
    'coinfront_http_request_seconds_bucket{method="GET",route="/x",status="2xx",le="0.0025"} 0',
  );
  height = undefined;
  expect(await scrape()).not.toMatch(/^coinfront_index_height \d/m);
});

test('values by a label are those of the moment, and one that is gone is absent', async () => {
  let ages = new Map([['EUR', 12.5]]);
  server = await startMetricsServer({
    listen: { host: '127.0.0.1', port: 0 },
    http: createHttpMetrics(),
    gauges: [],
    labelled: [
      { kind: 'gauge', name: 'rate_age', help: 'Age.', label: 'currency', list: () => ages },
      {
        kind: 'counter',
        name: 'faults_total',
        help: 'Faults.',
        label: 'source',
        list: () => new Map([['a', 3]]),
      },
    ],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${server?.port}/metrics`)).text();
  for (const _ of [1, 2]) {
    const text = await scrape();
    expect(text).toContain('# TYPE rate_age gauge');
    expect(text).toContain('rate_age{currency="EUR"} 12.5');
    expect(text).toContain('# TYPE faults_total counter');
    expect(text).toContain('faults_total{source="a"} 3');
  }
  ages = new Map([['USD', 1]]);
  expect((await scrape()).match(/^rate_age\{.*$/gm)).toEqual(['rate_age{currency="USD"} 1']);
});

test('what waits in several processes is added up, and what is in step in the worst of them is shown', () => {
  const sample = (kind: 'gauge' | 'summed gauge', name: string, value: number): LabelledSample => ({
    ...{ kind, name, help: 'Help.', label: 'of', values: [['a', value]] },
  });
  const text = renderLabelled([
    sample('summed gauge', 'waiting', 40),
    sample('gauge', 'in_use', 1),
    sample('summed gauge', 'waiting', 0),
    sample('gauge', 'in_use', 0),
  ]);
  expect(text).toContain('# TYPE waiting gauge\nwaiting{of="a"} 40\n');
  expect(text).toContain('# TYPE in_use gauge\nin_use{of="a"} 0\n');
});

test('nothing else is served', async () => {
  server = await startMetricsServer({
    listen: { host: '127.0.0.1', port: 0 },
    http: createHttpMetrics(),
    gauges: [],
  });
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
});
