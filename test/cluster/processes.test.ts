import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { forEachEngine, type TestEngine } from '../harness/engines.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { createTestMerchant } from '../harness/merchant.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startService, type TestService } from '../harness/service.ts';

const PROCESSES = 3;
const UNITS = 60;

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(101);
});
afterAll(() => node.stop());

/** Asks on a connection of its own: connections go to the processes in turn. */
const ask = (service: TestService, path: string) => service.get(path, { connection: 'close' });
const askAll = (service: TestService, path: string) =>
  Promise.all(Array.from({ length: PROCESSES * 4 }, () => ask(service, path)));

async function readMetrics(service: TestService, pattern: RegExp): Promise<number[]> {
  const text = await (await fetch(`${service.metricsOrigin}/metrics`)).text();
  return [...text.matchAll(pattern)].map(([, value]) => Number(value));
}

async function open(engine: TestEngine, settings: Record<string, string> = {}) {
  const database = await engine.openUrl();
  const several = {
    COINFRONT_API_PROCESSES: String(PROCESSES),
    COINFRONT_WEBHOOK_ALLOW: 'loopback',
    ...settings,
  };
  const service = await startService({ nodeUrl: node.url, database, settings: several });
  onTestFinished(() => service.kill());
  return { service, database };
}

forEachEngine('several processes on one port', (engine) => {
  test('answer the same, show at once what one has sent, and one that ends is replaced', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const { service, database } = await open(engine);
    await waitForHealth(service, 'ready');

    for (const path of ['/api/v1/supply', '/api/v1/blocks', '/api/v1/block/50']) {
      const answers = await askAll(service, path);
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    }
    // All of them have answered: what each counted is put together.
    const counted =
      'coinfront_http_request_seconds_count\\{method="GET",route="/api/v1/block/:id",status="2xx"\\} (\\d+)';
    expect(await readMetrics(service, new RegExp(counted, 'g'))).toEqual([PROCESSES * 4]);
    expect(
      await readMetrics(service, /coinfront_api_process_resident_bytes\{process="\d"\} (\d+)/g),
    ).toHaveLength(PROCESSES);

    const raw_tx = await signPayment();
    const sent = await service.post('/api/v1/broadcast', { raw_tx });
    expect(sent.json).toMatchObject({ visibility: 'visible' });
    for (const { status } of await askAll(service, `/api/v1/tx/${sent.json.txid}`)) expect(status).toBe(200);

    const url = `http://127.0.0.1:${receiver.port}/`;
    const allow = { COINFRONT_WEBHOOK_ALLOW: 'loopback' };
    const merchant = await createTestMerchant(service, database, ['--webhook-url', url], allow);
    const order = { recipient: await node.newAddress(), amount: '0.5', confirmations_required: 0 };
    const made = await merchant.post('/api/v1/payments', order);
    expect(made.status).toBe(201);
    for (const { json } of await askAll(service, `/api/v1/payments/${made.json.id}`))
      expect(json.status).toBe('open');
    await receiver.waitForRequests(1);
    await node.rpc('sendtoaddress', order.recipient, 0.5);
    await node.mine(1);
    await waitUntil('it is paid for all', async () => {
      const answers = await askAll(service, `/api/v1/payments/${made.json.id}`);
      return answers.every(({ json }) => json.status === 'paid');
    });

    const [first = 0] = await listChildren(service);
    process.kill(first, 'SIGKILL');
    await waitUntil('it is replaced', async () => {
      const present = await listChildren(service);
      return present.length === PROCESSES && !present.includes(first);
    });
    await service.waitForTip();
    for (const { status } of await askAll(service, '/api/v1/status')) expect(status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  test('give a client one budget together, but for what comes within a tenth of a second', async () => {
    const { service } = await open(engine, { COINFRONT_RATE_LIMIT: String(UNITS) });
    let allowed = 0;
    let refused = 0;
    // Until each has refused several times. A window that ends meanwhile begins another count.
    for (let reset = 60; refused < PROCESSES * 4; ) {
      const answer = await ask(service, '/api/v1/config');
      const left = Number(answer.headers.get('ratelimit-reset'));
      if (left > reset + 1) allowed = 0;
      reset = left;
      refused = answer.status === 429 ? refused + 1 : 0;
      if (answer.status === 200) allowed += 1;
      await delay(10);
    }
    // By itself each process would let in as many, three times as many in all.
    expect(allowed).toBeLessThan(UNITS * 2);
    expect(allowed).toBeGreaterThan(UNITS / 2);
  });
});

test('an address that is taken is said once', async () => {
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const dataDir = await mkdtemp('/tmp/coinfront-taken-');
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const service = await startService({
    nodeUrl: node.url,
    database: { kind: 'sqlite', dataDir },
    settings: { COINFRONT_API_PROCESSES: '3', COINFRONT_LISTEN: `127.0.0.1:${port}` },
    waitFor: 'nothing',
  });
  onTestFinished(() => service.kill());
  await waitUntil('it has ended', () => !service.isRunning());
  expect(await service.stop()).toBe(1);
  expect(service.printed().match(/COINFRONT_LISTEN: another program listens/g)).toHaveLength(1);
});

/** The processes that a service has started. */
async function listChildren(service: TestService): Promise<number[]> {
  const pid = service.pid()!;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

/** A payment of the node's wallet, signed and not sent. */
async function signPayment(): Promise<string> {
  const raw = await node.rpc<string>('createrawtransaction', [], [{ [await node.newAddress()]: 0.01 }]);
  const { hex } = await node.rpc<{ hex: string }>('fundrawtransaction', raw);
  return (await node.rpc<{ hex: string }>('signrawtransactionwithwallet', hex)).hex;
}
