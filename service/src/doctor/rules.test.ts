import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Config, readConfig } from '../config.ts';
import { checkProxy, judgeFrontSettings } from './check-front.ts';
import { judgeDisk } from './check-machine.ts';
import { checkSync } from './check-node.ts';
import { judgeServer, type ServerFacts } from './check-postgres.ts';
import { checkRoute } from './check-webhooks.ts';
import type { Finding } from './finding.ts';

// What the whole doctor cannot meet on a machine of tests is judged here by the facts alone.

const GB = 1e9;

/** What is said of each check that finds something wrong. */
function listWrong(findings: readonly Finding[]): string[] {
  for (const { level, remedy } of findings)
    if (level === 'ok') expect(remedy).toBeUndefined();
    else expect(remedy).toMatch(/\w/);
  return findings.flatMap(({ level, check }) => (level === 'ok' ? [] : [`${level} ${check}`]));
}

describe('the disk', () => {
  test('has room for half of the index, and for two gigabytes at least', () => {
    expect(judgeDisk('/data', 50 * GB, 100 * GB).level).toBe('ok');
    expect(judgeDisk('/data', 49 * GB, 100 * GB)).toMatchObject({
      level: 'warning',
      text: '49.0 GB free in /data, beside an index of 100.0 GB; 50.0 GB should be.',
      remedy: expect.stringMatching(/^Make room/),
    });
    expect(judgeDisk('/data', 1.9 * GB, 100 * GB).level).toBe('fault');
    expect(judgeDisk('/data', 1.9 * GB, 0).level).toBe('fault');
    expect(judgeDisk('/data', 2 * GB, 0).level).toBe('ok');
  });

  test('is not compared with an index that PostgreSQL has', () => {
    expect(judgeDisk('/data', 3 * GB, undefined)).toMatchObject({
      level: 'ok',
      text: '3.0 GB free in /data.',
    });
  });
});

test("a node's own warning is passed on, and a node that is behind is told first", () => {
  const facts = { blocks: 9, headers: 9, initialBlockDownload: false, connections: 8, warnings: '' };
  expect(checkSync(facts).level).toBe('ok');
  const unknownRules = 'Unknown new rules activated (versionbit 28)';
  expect(checkSync({ ...facts, warnings: unknownRules })).toMatchObject({
    level: 'warning',
    text: `It warns: ${unknownRules}`,
    remedy: expect.stringContaining("node's warning"),
  });
  expect(checkSync({ ...facts, headers: 10, warnings: unknownRules }).text).toBe('It is at block 9 of 10.');
  expect(checkSync({ ...facts, initialBlockDownload: true }).text).toContain('initial download');
});

describe('the front', () => {
  const publicUrl = 'https://coin.example';

  test.each(['0.0.0.0/0', '::/0', '10.0.0.0/0'])('is told that %s believes everybody', (everybody) => {
    const trustedProxies = ['10.0.0.1', everybody];
    expect(listWrong(judgeFrontSettings({ publicUrl, trustedProxies }))).toEqual(['fault proxy.trust']);
  });

  test('may believe the networks of proxies', () => {
    const trustedProxies = ['loopback', '10.0.0.0/8', '172.16.0.0/10', 'fd00::/8'];
    expect(judgeFrontSettings({ publicUrl, trustedProxies })).toEqual([]);
  });

  test.each([
    ['http://coin.example', ['warning proxy.tls']],
    ['http://192.0.2.7:8080', ['warning proxy.tls']],
    ['http://127.example', ['warning proxy.tls']],
    ['http://localhost.example', ['warning proxy.tls']],
    ['http://127.0.0.1:8080', []],
    ['http://localhost:8080', []],
    ['http://[::1]:8080', []],
    ['https://coin.example', []],
    [undefined, ['warning proxy.public_url']],
  ])('is asked for encryption where others reach it: %s', (url, expected) => {
    expect(listWrong(judgeFrontSettings({ publicUrl: url, trustedProxies: [] }))).toEqual(expected);
  });

  test.each([
    ['a page', 200, '<h1>Welcome</h1>'],
    ['nothing', 404, '{"message":"Not found"}'],
    ['another address', 302, ''],
  ])('is told that the proxy leads elsewhere, to %s', async (_, status, body) => {
    const elsewhere = createServer((_request, response) =>
      response.writeHead(status, { location: 'https://other.example/' }).end(body),
    );
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    expect(await checkProxy(configWith({ COINFRONT_PUBLIC_URL: origin }))).toContainEqual({
      check: 'proxy.reachable',
      level: 'fault',
      text: `${origin}/api/v1/health is answered by something else (status ${status}).`,
      remedy: 'Have the proxy pass all paths on, unchanged.',
    });
  });

  test('is told that nothing answers at its address, and that no proxy is believed', async () => {
    const findings = await checkProxy(configWith({ COINFRONT_PUBLIC_URL: 'http://127.0.0.1:9' }));
    expect(listWrong(findings)).toEqual(['warning proxy.reachable', 'fault proxy.trust']);
  });
});

describe('the way out for webhooks', () => {
  const network = (...ways: readonly string[]) => checkRoute(async (to) => ways.includes(to));

  test('is there where the machine has one by either protocol', async () => {
    expect(await network('192.0.2.1')).toEqual([]);
    expect(await network('2001:db8::1')).toEqual([]);
    expect(listWrong(await network())).toEqual(['warning webhooks.route']);
  });

  test.skipIf(process.getuid?.() !== 0)('is missing in a network that has none', () => {
    const file = join(import.meta.dirname, 'check-webhooks.ts');
    const code = `const { checkRoute } = await import('${file}'); console.log(JSON.stringify(await checkRoute()));`;
    const text = execFileSync('unshare', ['-n', process.execPath, '--input-type=module', '-e', code]);
    expect(listWrong(JSON.parse(String(text)))).toEqual(['warning webhooks.route']);
  });
});

describe("PostgreSQL's settings", () => {
  const sound = {
    server_version_num: '150006',
    server_version: '15.6',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    max_connections: '100',
    shared_buffers: '16384',
    autovacuum: 'on',
    statement_timeout: '0',
  };
  const judge = (settings: Readonly<Record<string, string>>, more: Partial<ServerFacts> = {}) =>
    judgeServer({
      settings: new Map(Object.entries({ ...sound, ...settings })),
      encoding: 'UTF8',
      mayCreate: true,
      clockAheadS: 0,
      ...more,
    });

  test('are right as a new server has them', () => {
    const findings = judge({});
    expect(listWrong(findings)).toEqual([]);
    expect(findings).toHaveLength(11);
  });

  test.each([
    [{ fsync: 'off' }, 'fault postgres.fsync'],
    [{ full_page_writes: 'off' }, 'fault postgres.full_page_writes'],
    [{ synchronous_commit: 'off' }, 'fault postgres.synchronous_commit'],
    [{ autovacuum: 'off' }, 'warning postgres.autovacuum'],
    [{ max_connections: '59' }, 'warning postgres.max_connections'],
    [{ shared_buffers: '16383' }, 'warning postgres.shared_buffers'],
    [{ statement_timeout: '30000' }, 'warning postgres.statement_timeout'],
    [{ server_version_num: '120019' }, 'warning postgres.version'],
    [{ 'pg_stat_statements.track_utility': 'on' }, 'warning postgres.track_utility'],
  ])('are told one by one: %o', (changed, expected) => {
    expect(listWrong(judge(changed as Record<string, string>))).toEqual([expected]);
  });

  test.each([
    [{ synchronous_commit: 'remote_apply' }],
    [{ synchronous_commit: 'local' }],
    [{ max_connections: '60' }],
    [{ 'pg_stat_statements.track_utility': 'on', server_version_num: '160000' }],
    [{ 'pg_stat_statements.track_utility': 'off' }],
  ])('are left alone where they will do: %o', (changed) => {
    expect(listWrong(judge(changed as Record<string, string>))).toEqual([]);
  });

  test('come with the command that mends them, and with what would be lost', () => {
    expect(judge({ fsync: 'off' }).find(({ check }) => check === 'postgres.fsync')).toMatchObject({
      text: expect.stringMatching(/^fsync is off: what was acknowledged may be lost/),
      remedy: expect.stringMatching(/^alter system set fsync = on;/),
    });
  });

  test('go with the encoding, the right to make a schema, and the clock', () => {
    expect(listWrong(judge({}, { encoding: 'SQL_ASCII' }))).toEqual(['fault postgres.encoding']);
    expect(listWrong(judge({}, { mayCreate: false }))).toEqual(['fault postgres.create']);
    expect(listWrong(judge({}, { clockAheadS: 5 }))).toEqual([]);
    expect(listWrong(judge({}, { clockAheadS: 6 }))).toEqual(['warning postgres.clock']);
    expect(judge({}, { clockAheadS: -6 }).find(({ check }) => check === 'postgres.clock')?.text).toBe(
      "The server's clock is 6.0 seconds behind this machine's.",
    );
  });
});

function configWith(settings: Readonly<Record<string, string>>): Config {
  const read = readConfig({
    COINFRONT_NODE_URL: 'http://user:password@127.0.0.1:9',
    COINFRONT_COIN: 'regtest',
    COINFRONT_METRICS_LISTEN: 'off',
    ...settings,
  });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.value;
}
