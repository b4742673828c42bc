import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuthority } from '../harness/certificates.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

const authority = createAuthority();
const { cert, key } = authority.issue({ names: ['127.0.0.1'] });

let folder: string;
let node: TestNode;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  node = await startNode();
  await node.mine(1);
  service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir: join(folder, 'data') },
    settings: { COINFRONT_TLS_CERT: certFile, COINFRONT_TLS_KEY: keyFile },
    waitFor: 'nothing',
  });
});
afterAll(async () => {
  await service.stop();
  await node.stop();
  await rm(folder, { recursive: true });
});

type Answer = { status: number | undefined; headers: Record<string, unknown> };

function get(path: string, options: { ca?: string } = { ca: authority.cert }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = `${service.origin.replace('http:', 'https:')}${path}`;
    request(url, { ...options, agent: false }, async (response) => {
      await text(response);
      resolve({ status: response.statusCode, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
}

test('with certificate files the service speaks HTTPS, and only that', async () => {
  await waitUntil('the service answers', async () => {
    if (!service.isRunning()) throw new Error(`The service ended: ${service.printed()}`);
    return (await get('/api/v1/status').catch(() => undefined))?.headers['x-chain-height'] === '1';
  });
  const answer = await get('/api/v1/status');
  expect(answer.status).toBe(200);
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=/);
  await expect(get('/api/v1/status', {})).rejects.toThrow(/certificate/);
  await expect(fetch(`${service.origin}/api/v1/status`)).rejects.toThrow();
});
