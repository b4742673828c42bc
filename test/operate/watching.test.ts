import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDebianProgram } from '../harness/debian-program.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Alerts and dashboard name metrics that exist, and every metric of the service is described where operators look. */

const ROOT = join(import.meta.dirname, '..', '..');
const DOCS = join(ROOT, 'docs', 'operate');
const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');
const suffixes = /_(bucket|sum|count)$/;

let node: TestNode;
let service: TestService;
let folder: string;
let metrics: string;
beforeAll(async () => {
  node = await startNode();
  await node.mine(5);
  folder = mkdtempSync(join(tmpdir(), 'coinfront-rates-'));
  writeFileSync(join(folder, 'house.json'), '{"EUR":"2"}');
  writeFileSync(join(folder, 'rates.json'), '{"sources":[{"name":"house","file":"house.json"}]}');
  const database = await openEngines()[0]!.openUrl();
  const settings = { COINFRONT_RATES: join(folder, 'rates.json'), COINFRONT_ANCHOR_WALLET: 'default' };
  service = await startService({ nodeUrl: node.url, database, settings });
  await service.get('/api/v1/blocks');
  await service.get('/api/v1/blocks');
  metrics = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
});
afterAll(async () => {
  await service?.stop();
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

const existing = (): Set<string> =>
  new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
const named = (text: string): string[] => [...new Set(text.match(/\bcoinfront_[a-z0-9_]+/g) ?? [])];

test.each(['prometheus-rules.yml', 'prometheus-rules.test.yml', 'grafana-dashboard.json'])(
  '%s names no metric that does not exist',
  (file) => {
    const names = named(read(file));
    expect(names.length).toBeGreaterThan(3);
    const known = existing();
    expect(names.filter((name) => !known.has(name) && !known.has(name.replace(suffixes, '')))).toEqual([]);
  },
);

test('every metric of the service is in the table of docs/operate/README.md, and nothing else is', () => {
  const described = named(read('README.md')).filter((name) => !/_(process|nodejs)_/.test(name));
  const own = [...existing()].filter((name) => !/^coinfront_(process|nodejs)_/.test(name));
  expect(described.sort()).toEqual(own.sort());
});

test('queues and caches are counted', () => {
  expect(metrics).toMatch(/^coinfront_queue_waiting\{queue="large_reads"\} 0$/m);
  expect(metrics).toMatch(/^coinfront_queue_running\{queue="compression"\} 0$/m);
  expect(metrics).toMatch(/^coinfront_cache_hits_total\{cache="bodies_tip"\} [1-9]/m);
  expect(metrics).toMatch(/^coinfront_cache_misses_total\{cache="bodies_tip"\} [1-9]/m);
  expect(metrics).toMatch(/^coinfront_held_bytes\{of="bodies_tip"\} [1-9]/m);
  expect(metrics).toMatch(/^coinfront_indexer_active 1$/m);
  expect(metrics).toMatch(/^coinfront_deliveries_overdue_seconds 0$/m);
});

test("the alerts come when they should, by Prometheus' own tool", () => {
  const promtool = findDebianProgram('promtool', 'prometheus', '/usr/bin/promtool');
  const run = (...args: string[]): string => execFileSync(promtool, args, { cwd: DOCS, encoding: 'utf8' });
  expect(run('check', 'rules', 'prometheus-rules.yml')).toContain('SUCCESS');
  expect(run('test', 'rules', 'prometheus-rules.test.yml')).toContain('SUCCESS');
});

test('the dashboard is whole: each panel has a query, a place of its own and a data source that is chosen', () => {
  const { panels, uid } = JSON.parse(read('grafana-dashboard.json'));
  expect(uid).toBe('coinfront');
  const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x},${y}`);
  expect(new Set(places).size).toBe(panels.length);
  for (const { targets, datasource } of panels) {
    expect(datasource.uid).toBe(['$', '{datasource}'].join(''));
    for (const { expr } of targets) expect(expr).toMatch(/coinfront_/);
  }
});
