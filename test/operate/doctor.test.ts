import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openClock } from '../../campaign/rig/clock.ts';
import { createSelfSigned } from '../harness/certificates.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { createTestMerchant, runAdmin } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { asUser, rpcUser, writeRpcUsers } from '../harness/rpc-users.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testCoin } from '../harness/test-coin.ts';

/** What is wrong is found, named and told how to mend; what is right is not called wrong. */

type Finding = { check: string; level: string; text: string; remedy?: string };

let node: TestNode;
beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rest=1'] });
  await node.mine(5);
  await writeRpcUsers(node, [narrow]);
  await node.restart();
});
const proxies: Server[] = [];
afterAll(async () => {
  for (const proxy of proxies) proxy.close();
  await node.stop();
});
const narrow = rpcUser('narrow', [
  ...['getblockchaininfo', 'getnetworkinfo', 'getblockhash', 'getmempoolinfo', 'getbestblockhash'],
  ...['getblockheader', 'getchaintips', 'getrawmempool', 'getrawtransaction', 'testmempoolaccept'],
]);

/** Where the test's server differs from what it should be: it is made without durability. */
const unsafeServer = [
  'postgres.autovacuum',
  'postgres.fsync',
  'postgres.full_page_writes',
  'postgres.synchronous_commit',
];

forEachEngine('the doctor', (engine) => {
  let database: DatabaseLocation;
  let service: TestService;
  let keyFolder: string;
  let settings: Record<string, string>;
  beforeAll(async () => {
    database = await engine.openUrl();
    keyFolder = await mkdtemp(join(tmpdir(), 'coinfront-doctor-'));
    const more = {
      COINFRONT_REGISTRY_KEY_FILE: join(keyFolder, 'registry.key'),
      COINFRONT_TRUST_PROXY: 'loopback',
    };
    service = await startService({ nodeUrl: node.url, database, settings: more });
    await createTestMerchant(service, database, ['--webhook-url', 'https://127.0.0.1:9/hook'], {
      COINFRONT_WEBHOOK_ALLOW: 'loopback',
    });
    settings = {
      COINFRONT_NODE_URL: node.url,
      COINFRONT_COIN: testCoin,
      COINFRONT_LISTEN: new URL(service.origin).host,
      COINFRONT_METRICS_LISTEN: new URL(service.metricsOrigin).host,
      COINFRONT_PUBLIC_URL: await startProxy(new URL(service.origin).port, true),
      ...more,
    };
  });
  afterAll(async () => {
    await service.stop();
    await rm(keyFolder, { recursive: true, force: true });
  });

  const examine = async (changed: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runAdmin(database, ['doctor', '--json'], {
      ...settings,
      ...changed,
    });
    expect(stderr).toBe('');
    const { sound, findings } = JSON.parse(stdout) as { sound: boolean; findings: Finding[] };
    expect(sound).toBe(code === 0);
    expect(sound).toBe(findings.every(({ level }) => level !== 'fault'));
    const wrong = findings.filter(({ level }) => level === 'fault' || level === 'warning');
    for (const { remedy } of wrong) expect(remedy).toMatch(/\w/);
    const find = (check: string) => findings.find((each) => each.check === check);
    return { code, findings, find, wrong: wrong.map(({ check }) => check) };
  };

  test('finds nothing wrong with a set-up that is right', async () => {
    const { find, wrong } = await examine();
    const expected = engine.kind === 'postgres' ? unsafeServer : [];
    // The receiver is one that is not there.
    expect(wrong.sort()).toEqual([...expected, 'webhooks.receiver'].sort());
    for (const check of [
      'node.reachable',
      'node.methods',
      'database.precious',
      'database.index',
      'service.health',
    ])
      expect(find(check)?.level).toBe('ok');
    expect(find('proxy.forwarded')).toMatchObject({ level: 'ok' });
    expect(find('webhooks.receiver')?.text).toContain('https://127.0.0.1:9');
  });

  test('prints lines for people, each fault with what to do', async () => {
    const { code, stdout } = await runAdmin(database, ['doctor'], {
      ...settings,
      COINFRONT_COIN: 'litecoin',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAULT {3}node\.chain {2}The node at .* follows another chain.*\n {10}→ Name the profile/,
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^\d+ faults, \d+ warnings, \d+ in order, \d+ not known\.$/,
    );
  });

  test('tells a node that is away, and one that does not know the password', async () => {
    const away = await examine({ COINFRONT_NODE_URL: 'http://user:hunter2@127.0.0.1:9' });
    expect(away.find('node.reachable')).toMatchObject({
      level: 'fault',
      remedy: expect.stringMatching(/^Start the node/),
    });
    const url = new URL(node.url);
    url.password = 'hunter3';
    const stranger = await examine({ COINFRONT_NODE_URL: url.href });
    expect(stranger.find('node.reachable')?.remedy).toMatch(/^Correct user and password/);
    expect(JSON.stringify([away.findings, stranger.findings])).not.toMatch(/hunter2|hunter3/);
  });

  test('tells each method that the node refuses, and what does not work without it', async () => {
    const { find } = await examine({ COINFRONT_NODE_URL: asUser(node, narrow) });
    expect(find('node.methods.sendrawtransaction')).toMatchObject({
      level: 'fault',
      remedy: expect.stringContaining('-rpcwhitelist'),
    });
    expect(find('node.methods.estimatesmartfee')?.level).toBe('warning');
  });

  test('tells a proxy that is not believed, and one that names no clients', async () => {
    const port = new URL(service.origin).port;
    const silent = await examine({ COINFRONT_PUBLIC_URL: await startProxy(port, false) });
    expect(silent.find('proxy.forwarded')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('No X-Forwarded-For came'),
    });
    const none = await examine({ COINFRONT_PUBLIC_URL: service.origin });
    expect(none.find('proxy.forwarded')).toMatchObject({ level: 'ok' });
    const other = await startService({ nodeUrl: node.url, database, settings: { COINFRONT_ROLES: 'api' } });
    onTestFinished(async () => void (await other.stop()));
    const believed = await examine({
      COINFRONT_METRICS_LISTEN: new URL(other.metricsOrigin).host,
      COINFRONT_PUBLIC_URL: await startProxy(new URL(other.origin).port, true),
      COINFRONT_TRUST_PROXY: '',
    });
    expect(believed.find('proxy.forwarded')).toMatchObject({
      level: 'fault',
      text: expect.stringContaining('is not believed'),
      remedy: expect.stringContaining('COINFRONT_TRUST_PROXY'),
    });
  });

  test('tells a node that is old, behind and pruned, has another time than its peers, and serves no blocks by REST', async () => {
    const { find } = await examine({ COINFRONT_NODE_URL: await startOlderNode() });
    const expected = {
      'node.version': [/^Its version is 180100/, /^Upgrade the node/],
      'node.sync': [/^It is at block 5 of 9\.$/, /^Wait for it/],
      'node.pruned': [/its lowest block is 3\.$/, /need a node with all blocks/],
      'node.rest': [/^It does not serve REST/, /^Set rest=1/],
      'clock.peers': [/^The node's clock is 100 seconds behind/, /set by the network/],
    } as const;
    for (const [check, [text, remedy]] of Object.entries(expected))
      expect(find(check)).toMatchObject({
        level: 'warning',
        text: expect.stringMatching(text),
        remedy: expect.stringMatching(remedy),
      });
  });

  test('tells a folder in which everybody may write, and a cookie that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coinfront-open-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await chmod(folder, 0o777);
    expect((await examine({ COINFRONT_DATA_DIR: folder })).find('files.folder')).toMatchObject({
      level: 'fault',
      remedy: expect.stringContaining(`chmod 700 ${folder}`),
    });
    const cookie = {
      COINFRONT_NODE_URL: new URL(node.url).origin,
      COINFRONT_NODE_COOKIE: join(folder, 'no'),
    };
    expect((await examine(cookie)).find('files.cookie')).toMatchObject({
      level: 'fault',
      remedy: expect.stringContaining('-rpccookieperms=group'),
    });
  });

  test('tells a key that others can read, and a setting that is none', async () => {
    const file = settings.COINFRONT_REGISTRY_KEY_FILE!;
    await writeFile(file, `${'ab'.repeat(32)}\n`);
    await chmod(file, 0o644);
    const open = await examine();
    await chmod(file, 0o600);
    expect(open.find('files.secret')).toMatchObject({ level: 'fault', remedy: `chmod 600 ${file}` });
    expect((await examine({ COINFRONT_LISTN: '1' })).find('settings')?.text).toContain('COINFRONT_LISTN');
  });

  test.skipIf(process.getuid?.() !== 0)('tells a disk that is full, with what should be free', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'coinfront-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', disk]);
    onTestFinished(async () => {
      execFileSync('umount', [disk]);
      await rm(disk, { recursive: true });
    });
    await chmod(disk, 0o700);
    const place = engine.kind === 'postgres' ? { COINFRONT_DATA_DIR: disk } : { COINFRONT_INDEX: disk };
    const { find, code } = await examine(place);
    expect(code).toBe(1);
    expect(find('disk.free')).toMatchObject({
      level: 'fault',
      text: expect.stringMatching(/^0\.0 GB free in .*; 2\.0 GB should be\.$/),
      remedy: expect.stringMatching(/^Make room/),
    });
  });

  test('tells a clock that is behind the chain', async () => {
    const clock = openClock(keyFolder);
    expect(clock).toBeDefined();
    clock!.move(-3 * 3_600);
    const { find } = await examine({ ...clock!.settings });
    expect(find('clock.chain')).toMatchObject({
      level: 'fault',
      text: expect.stringMatching(/^This machine's clock is 1[78]\d minutes behind the chain's\.$/),
      remedy: expect.stringContaining('timedatectl'),
    });
  });

  test.each([
    ['that has expired', -1, 'fault', /^The certificate expired on /],
    ['that is about to', 10, 'warning', /^The certificate expires in (9|10) days\.$/],
    ['that is young', 60, 'ok', /^The certificate is valid for (59|60) days\.$/],
  ])('tells a certificate %s', async (_, days, level, text) => {
    const notAfter = new Date(Date.now() + days * 86_400_000);
    const { cert, key } = createSelfSigned({ names: ['localhost'], notAfter });
    const tls = {
      COINFRONT_TLS_CERT: join(keyFolder, 'cert.pem'),
      COINFRONT_TLS_KEY: join(keyFolder, 'key.pem'),
    };
    await writeFile(tls.COINFRONT_TLS_CERT, cert);
    await writeFile(tls.COINFRONT_TLS_KEY, key, { mode: 0o600 });
    const { find } = await examine(tls);
    expect(find('tls.certificate')).toMatchObject({ level, text: expect.stringMatching(text) });
  });

  test('tells precious data of a newer version, and of an older one, and changes neither', async () => {
    const precious = await openBeside(database);
    onTestFinished(() => precious.close());
    const steps = precious.query<{ kysely_migration: { name: string; timestamp: string } }>();
    await steps
      .insertInto('kysely_migration')
      .values({ name: '9999_later', timestamp: new Date().toISOString() })
      .execute();
    const newer = await examine();
    expect(newer.find('database.precious')).toMatchObject({
      level: 'fault',
      text: expect.stringContaining('9999_later'),
    });
    await steps.deleteFrom('kysely_migration').where('name', '=', '9999_later').execute();
    const { name } = await steps
      .selectFrom('kysely_migration')
      .select('name')
      .orderBy('name', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    await steps.deleteFrom('kysely_migration').where('name', '=', name).execute();
    const older = await examine();
    expect(older.find('database.precious')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining(name),
    });
    await steps
      .insertInto('kysely_migration')
      .values({ name, timestamp: new Date().toISOString() })
      .execute();
    expect((await examine()).find('database.precious')?.level).toBe('ok');
  });
});

/** The node, as it would answer if it were old and had not kept up; gives its URL. */
async function startOlderNode(): Promise<string> {
  const changes: Record<string, object> = {
    getnetworkinfo: { version: 180_100, timeoffset: 100 },
    getblockchaininfo: { headers: 9, pruned: true, pruneheight: 3 },
  };
  const older = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    // What is no call is REST.
    if (body === '') return void outgoing.writeHead(404).end();
    const headers = { authorization: incoming.headers.authorization!, 'content-type': 'application/json' };
    const answer = await fetch(new URL(node.url).origin, { method: 'POST', headers, body });
    const told = (await answer.json()) as { result: object };
    const change = changes[JSON.parse(body).method];
    if (change !== undefined) Object.assign(told.result, change);
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(told));
  });
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  proxies.push(older);
  const url = new URL(node.url);
  url.port = String((older.address() as AddressInfo).port);
  return url.href;
}

/** A proxy as plain as can be; `names`: it writes its client into X-Forwarded-For. */
async function startProxy(port: string, names: boolean): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...(names ? { 'x-forwarded-for': '198.51.100.7' } : {}) };
    const { method, url: path } = incoming;
    request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    }).end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxies.push(proxy);
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
