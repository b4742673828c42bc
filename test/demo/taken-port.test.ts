import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/free-ports.ts';
import { startServiceProcess } from '../../scripts/service-process.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { testCoin } from '../harness/test-coin.ts';

let node: TestNode;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'coinfront-port-'));
  node = await startNode();
  await node.mine(1);
});
afterAll(async () => {
  await node?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Somebody else's server, which is glad to answer whatever it is asked. */
async function startStranger() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"status":"ready"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { asked, listen: `127.0.0.1:${port}`, close: () => server.close() };
}

const settings = (listen: string) => ({
  ...process.env,
  COINFRONT_NODE_URL: node.url,
  COINFRONT_COIN: testCoin,
  COINFRONT_DATA_DIR: dataDir,
  COINFRONT_LISTEN: listen,
  COINFRONT_METRICS_LISTEN: 'off',
  COINFRONT_LOG_LEVEL: 'silent',
});

describe('what `npm start` waits for', () => {
  test('is the word of its own service: a server that has the port is asked for nothing, and the start ends', async () => {
    const stranger = await startStranger();
    const service = startServiceProcess(settings(stranger.listen));
    expect([await service.listening, await service.ended]).toEqual([undefined, 1]);
    expect(stranger.asked).toEqual([]);
    stranger.close();
  });

  test('is the address at which its own service then answers', async () => {
    const listen = `127.0.0.1:${await findFreePort()}`;
    const service = startServiceProcess(settings(listen));
    const address = await service.listening;
    expect(address).toBe(`http://${listen}`);
    expect((await fetch(`${address}/api/v1/health`)).headers.get('content-type')).toContain('json');
    await service.stop();
    expect(await service.ended).toBe(0);
  });
});

test('`npm start` with a taken port says which setting chooses another one, greets nobody, and ends', async () => {
  const stranger = await startStranger();
  const start = spawn(process.execPath, [join(import.meta.dirname, '../../scripts/start.ts')], {
    env: settings(stranger.listen),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [start.stdout, start.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [code] = await once(start, 'close');
  expect(code).toBe(1);
  expect(printed).toMatch(
    /^COINFRONT_LISTEN: another program listens on .*COINFRONT_LISTEN=127\.0\.0\.1:\d+$/m,
  );
  expect(printed).not.toContain('The explorer ');
  expect(stranger.asked).toEqual([]);
  stranger.close();
});
