import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { findDebianProgram } from '../harness/debian-program.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Prometheus and Alertmanager with the files of docs/operate, as they are but for ports and pace, beside a service that runs. */

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const ALERTMANAGER = ['prometheus-alertmanager', '/usr/bin/prometheus-alertmanager'] as const;
const read = (name: string): string => readFileSync(join(DOCS, name), 'utf8');

type Sample = { metric: Record<string, string>; value: [number, string] };
type Panel = { title: string; targets: { expr: string; legendFormat: string }[] };

let node: TestNode;
let service: TestService;
let mail: MailServer;
let folder: string;
let prometheus: string;
const programs: ChildProcess[] = [];

beforeAll(async () => {
  [node, mail] = await Promise.all([startNode(), startMailServer()]);
  await node.mine(5);
  folder = mkdtempSync(join(tmpdir(), 'coinfront-alerting-'));
  writeFileSync(join(folder, 'house.json'), '{"EUR":"2"}');
  writeFileSync(join(folder, 'rates.json'), '{"sources":[{"name":"house","file":"house.json"}]}');
  const database = await openEngines()[0]!.openUrl();
  const settings = { COINFRONT_RATES: join(folder, 'rates.json'), COINFRONT_TRUST_PROXY: 'loopback' };
  service = await startService({ nodeUrl: node.url, database, settings });
  const [port, alerts] = [await findFreePort(), await findFreePort()];
  prometheus = `http://127.0.0.1:${port}`;
  write('rules.yml', read('prometheus-rules.yml').replaceAll(/for: \d+m/g, 'for: 1s'));
  write(
    'prometheus.yml',
    read('prometheus.yml')
      .replaceAll(/_interval: 15s/g, '_interval: 1s')
      .replace('/etc/prometheus/coinfront-rules.yml', join(folder, 'rules.yml'))
      .replace('127.0.0.1:9185', new URL(service.metricsOrigin).host)
      .replace('127.0.0.1:9093', `127.0.0.1:${alerts}`),
  );
  write(
    'alertmanager.yml',
    read('alertmanager.yml')
      .replace('127.0.0.1:25', `127.0.0.1:${mail.port}`)
      .replace('group_wait: 30s', 'group_wait: 1s')
      .replace('group_interval: 5m', 'group_interval: 1s'),
  );
  await Promise.all([
    start(`http://127.0.0.1:${alerts}`, 'unshare', [
      ...asInstalled(findDebianProgram(ALERTMANAGER[0], ...ALERTMANAGER)),
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${alerts}`,
      '--cluster.listen-address=',
    ]),
    start(prometheus, findDebianProgram('prometheus', 'prometheus', '/usr/bin/prometheus'), [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]),
  ]);
});
afterAll(async () => {
  for (const program of programs.filter(({ exitCode }) => exitCode === null)) {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  await service?.stop();
  await Promise.all([node?.stop(), mail?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Debian's Alertmanager has its templates at one place only: where it was unpacked, that is shown there, to it alone. */
function asInstalled(program: string): string[] {
  const share = join(program, '../../share');
  const script = `[ -d /usr/share/prometheus/alertmanager ] || mount -t overlay none -o lowerdir=/usr/share:"$1" /usr/share
    shift; exec "$@"`;
  return ['--map-root-user', '--mount', 'sh', '-c', script, 'sh', share, program];
}

/** Starts a program, and waits until it says that it is ready. */
async function start(origin: string, program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = (said + String(chunk)).slice(-2_000);
  });
  programs.push(child);
  await waitUntil('it is ready', async () => {
    if (child.exitCode !== null) throw new Error(`It ended: ${said}`);
    return (await fetch(`${origin}/-/ready`).catch(() => undefined))?.ok === true;
  });
}

async function ask(expression: string): Promise<{ error?: string; result: Sample[] }> {
  const answer = await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expression)}`);
  const { error, data } = (await answer.json()) as { error?: string; data?: { result: Sample[] } };
  return { ...(error === undefined ? {} : { error }), result: data?.result ?? [] };
}

/** What has nothing to show where nobody was refused and no node is registered. */
const EMPTY_AT_FIRST: readonly string[] = [
  'Refused, a second: requests {{limit}}',
  'Refused, a second: connections {{limit}}',
  'Node registry: age of the last slot, s',
];

test('each query of the dashboard is answered, with what its legend names', async () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] };
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  const requests = 'sum(rate(coinfront_http_request_seconds_count[10s])) > 0';
  await waitUntil('requests are counted', async () => {
    await service.get('/api/v1/blocks', headers);
    return (await ask(requests)).result.length > 0;
  });
  const found = await Promise.all(
    panels.flatMap(({ title, targets }) =>
      targets.map(async ({ expr, legendFormat }) => {
        const { error, result } = await ask(
          expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '10s'),
        );
        const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        const missing = labels.filter((label) => result.some(({ metric }) => metric[label] === undefined));
        return { panel: `${title}: ${legendFormat}`, error, missing, isEmpty: result.length === 0 };
      }),
    ),
  );
  expect(found.filter(({ error, missing }) => error !== undefined || missing.length > 0)).toEqual([]);
  expect(found.filter(({ isEmpty }) => isEmpty).map(({ panel }) => panel)).toEqual(EMPTY_AT_FIRST);
});

test('a node that is gone is told by mail, and so is that it is back', async () => {
  const amtool = findDebianProgram('amtool', ALERTMANAGER[0], '/usr/bin/amtool');
  expect(
    execFileSync(amtool, ['check-config', join(DOCS, 'alertmanager.yml')], { encoding: 'utf8' }),
  ).toMatch(/SUCCESS/);
  const subject = (state: string) => (message: string) =>
    new RegExp(`^Subject: \\[${state}\\] CoinfrontNodeDown `, 'm').test(message);
  await node.pause();
  await waitUntil('the mail has come', () => mail.messages.some(subject('FIRING:1')));
  const message = mail.messages.find(subject('FIRING:1'))!;
  expect(message).toMatch(/^To: you@coin\.example$/m);
  expect(message).toContain('The node does not answer');
  await node.start();
  await waitUntil('the next mail has come', () => mail.messages.some(subject('RESOLVED')));
});
