import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as plainRequest } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { createSelfSigned } from '../harness/certificates.ts';
import { findDebianProgram } from '../harness/debian-program.ts';
import { openEngines } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { runAdmin } from '../harness/merchant.ts';
import { startService, type TestService } from '../harness/service.ts';
import { testCoin } from '../harness/test-coin.ts';

/** The files of docs/operate, as they are but for names, ports and paths: TLS, HTTP/2, limits, who the client is. */

const DOCS = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const UNITS = 600;
const FORGED = { 'x-forwarded-for': '198.51.100.1' };

type Ports = { http: number; https: number; service: string };
type Proxy = { name: string; write(folder: string, ports: Ports): { program: string; args: string[] } };

const proxies: Proxy[] = [
  {
    name: 'nginx',
    write(folder, { http, https, service }) {
      const site = readFileSync(join(DOCS, 'nginx.conf'), 'utf8')
        .replace('127.0.0.1:8080', `127.0.0.1:${service}`)
        .replaceAll(/^ *listen \[::\].*\n/gm, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${https} `)
        .replaceAll('/etc/ssl/coinfront', folder)
        .replaceAll('/var/lib/nginx/coinfront', `${folder}/kept`)
        .replaceAll('/var/log/nginx', folder)
        .replaceAll('coin.example', 'localhost');
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder};`,
      );
      const whole = `error_log stderr; pid ${folder}/pid; daemon off; events {} http { access_log off; ${temporary.join(' ')}\n${site}}`;
      writeFileSync(join(folder, 'whole.conf'), whole);
      const program = findDebianProgram('nginx', 'nginx', '/usr/sbin/nginx');
      return { program, args: ['-p', folder, '-c', join(folder, 'whole.conf'), '-e', 'stderr'] };
    },
  },
  {
    name: 'Caddy',
    write(folder, { http, https, service }) {
      const text = readFileSync(join(DOCS, 'Caddyfile'), 'utf8')
        .replace(
          '{\n',
          `{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n`,
        )
        .replace('127.0.0.1:8080', `127.0.0.1:${service}`)
        .replaceAll('/etc/ssl/coinfront', folder)
        .replaceAll('coin.example', 'localhost');
      writeFileSync(join(folder, 'Caddyfile'), text);
      const program = findDebianProgram('caddy', 'caddy', '/usr/bin/caddy');
      return { program, args: ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'] };
    },
  },
];

/** A file once it has this text. */
async function waitForText(file: string, text: string): Promise<string> {
  let found = '';
  await waitUntil(`${file} has ${text}`, async () => {
    found = readFileSync(file, 'utf8');
    return found.includes(text);
  });
  return found;
}

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  await node.mine(110);
});
afterAll(() => node.stop());
const [engine] = openEngines();

describe.each(proxies)('behind $name', ({ name, write }) => {
  const { cert, key } = createSelfSigned({ names: ['localhost'] });
  let folder: string;
  let ports: Ports;
  let service: TestService;
  let proxy: ChildProcess;
  let printed = '';
  let settings: Record<string, string>;
  let database: Awaited<ReturnType<NonNullable<typeof engine>['openUrl']>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coinfront-proxy-'));
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    const [http, https] = [await findFreePort(), await findFreePort()];
    database = await engine!.openUrl();
    settings = {
      COINFRONT_TRUST_PROXY: 'loopback',
      COINFRONT_PUBLIC_URL: `https://localhost:${https}`,
      COINFRONT_RATE_LIMIT: String(UNITS),
    };
    service = await startService({ nodeUrl: node.url, database, settings });
    ports = { http, https, service: new URL(service.origin).port };
    const { program, args } = write(folder, ports);
    proxy = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    });
    for (const stream of [proxy.stdout, proxy.stderr])
      stream?.on('data', (chunk) => {
        printed = (printed + String(chunk)).slice(-4_000);
      });
    await waitUntil('the proxy answers', async () => {
      if (proxy.exitCode !== null) throw new Error(`The proxy ended: ${printed}`);
      return await ask('/api/v1/health').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
  });
  afterAll(async () => {
    if (proxy?.exitCode === null) {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
    }
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };
  /** Asks by HTTP/2 and the certificate, from an address of this machine. */
  async function ask(
    path: string,
    { from = '127.0.0.1', headers = {}, body }: { from?: string; headers?: object; body?: string } = {},
  ): Promise<Answer> {
    const socket = tlsConnect({
      ...{ host: '127.0.0.1', port: ports.https, servername: 'localhost', ca: [cert], localAddress: from },
      ALPNProtocols: ['h2'],
    });
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe('h2');
    const session = connect(`https://localhost:${ports.https}`, { createConnection: () => socket });
    session.on('error', () => {});
    try {
      const stream = session.request({
        ':method': body === undefined ? 'GET' : 'POST',
        ':path': path,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      });
      stream.on('error', () => {});
      stream.end(body);
      const [answered] = await once(stream, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return { status: answered[':status'], headers: answered, body: Buffer.concat(chunks) };
    } finally {
      session.destroy();
    }
  }

  test('plain HTTP leads to HTTPS with the same path', async () => {
    const headers = { host: 'localhost' };
    const request = plainRequest({
      host: '127.0.0.1',
      port: ports.http,
      path: '/api/v1/blocks?limit=1',
      headers,
    }).end();
    const [answer] = await once(request, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toMatch(/^https:\/\/localhost(:\d+)?\/api\/v1\/blocks\?limit=1$/);
  });

  test('an answer comes compressed once, with the headers of the service', async () => {
    const plain = await ask('/api/v1/blocks?limit=50');
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const short = await ask('/api/v1/blocks?limit=50', { headers: { 'accept-encoding': 'br' } });
    expect(short.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(short.body).equals(plain.body)).toBe(true);
    expect(short.headers['x-chain-tip']).toBe(await node.rpc('getbestblockhash'));
    expect(short.headers['strict-transport-security']).toMatch(/^max-age=\d+[^,]*$/);
    const again = await ask('/api/v1/blocks?limit=50', { headers: { 'if-none-match': plain.headers.etag } });
    expect(again.status).toBe(304);
  });

  test('each client has its own budget, whatever it says of itself', async () => {
    const left = async (from: string, headers = {}): Promise<number> =>
      Number((await ask(address, { from, headers })).headers['ratelimit-remaining']);
    const address = `/api/v1/address/${await node.newAddress()}`;
    const first = await left('127.0.0.3');
    expect(await left('127.0.0.3', FORGED)).toBeLessThan(first);
    expect(await left('127.0.0.3', { ...FORGED, forwarded: 'for=198.51.100.9' })).toBeLessThan(first - 1);
    expect(await left('127.0.0.4', FORGED)).toBe(first);
  });

  test.skipIf(name !== 'nginx')(
    'what may be kept is kept, without what it said of the budget of another client; what shows the mempool is not',
    async () => {
      const look = async (path: string) => {
        const { headers } = await ask(path, { from: '127.0.0.7' });
        return [headers['x-cache'], headers['ratelimit-limit'], headers['cache-control']];
      };
      for (const path of ['/api/v1/stats', '/api/v1/supply', '/api/v1/status', '/esplora/mempool']) {
        expect(await look(path), path).toEqual(['MISS', String(UNITS), 'public, max-age=2']);
        expect(await look(path), path).toEqual(['HIT', undefined, 'public, max-age=2']);
      }
      const address = `/api/v1/address/${await node.newAddress()}`;
      for (let i = 0; i < 2; i++)
        expect(await look(address)).toEqual(['MISS', String(UNITS), 'public, no-cache']);
    },
  );

  test.skipIf(name !== 'nginx')('the log of the proxy has no public keys of wallets', async () => {
    const key = 'xpub-of-nobody';
    expect((await ask(`/api/v1/xpub/${key}`, { from: '127.0.0.8' })).status).toBe(400);
    expect((await ask('/api/v1/blocks?limit=7', { from: '127.0.0.8' })).status).toBe(200);
    const log = await waitForText(join(folder, 'coinfront.log'), '/api/v1/blocks?limit=7');
    expect(log).not.toContain(key);
  });

  test('a transaction of the largest size passes, and what is larger is refused in the words of the service', async () => {
    const large = await ask('/api/v1/broadcast', {
      from: '127.0.0.5',
      body: JSON.stringify({ raw_tx: '00'.repeat(999_000) }),
    });
    expect(large.status).toBe(400);
    expect(JSON.parse(large.body.toString()).type).toMatch(/^urn:coinfront:error:/);
    const tooLarge = await ask('/api/v1/broadcast', {
      from: '127.0.0.6',
      body: JSON.stringify({ raw_tx: '00'.repeat(1_200_000) }),
    });
    expect([tooLarge.status, JSON.parse(tooLarge.body.toString()).code]).toEqual([413, 'body_too_large']);
  });

  test('the doctor finds that the proxy names its clients, and would find that it does not', async () => {
    const examine = async (metricsListen: string) => {
      const { stdout } = await runAdmin(database, ['doctor', '--json'], {
        ...settings,
        NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
        COINFRONT_NODE_URL: node.url,
        COINFRONT_COIN: testCoin,
        COINFRONT_LISTEN: new URL(service.origin).host,
        COINFRONT_METRICS_LISTEN: metricsListen,
      });
      const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
      return findings
        .filter(({ check }) => check.startsWith('proxy.'))
        .map(({ check, level }) => [check, level]);
    };
    expect(await examine(new URL(service.metricsOrigin).host)).toEqual([
      ['proxy.reachable', 'ok'],
      ['proxy.forwarded', 'ok'],
    ]);
    // Of a service that no address reaches.
    const silent = createServer((_, answer) => answer.end('')).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect(await examine(`127.0.0.1:${port}`)).toEqual([
      ['proxy.reachable', 'ok'],
      ['proxy.forwarded', 'fault'],
    ]);
    silent.close();
  });
});
