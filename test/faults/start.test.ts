import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FakeNode } from '../harness/fake-node.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startOtherChain } from '../harness/other-chain.ts';
import { startService } from '../harness/service.ts';

let node: TestNode;
let other: FakeNode;

beforeAll(async () => {
  [node, other] = await Promise.all([startNode(), startOtherChain()]);
  await node.mine(20);
  await node.flush();
});
afterAll(() => Promise.all([node.stop(), other.stop()]));

describe('the start of the service', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  async function makeDatabase() {
    const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-start-'));
    folders.push(dataDir);
    return { kind: 'sqlite', dataDir } as const;
  }

  test('beside a node of another chain is refused with one line and the exit code 1', async () => {
    const service = await startService({
      nodeUrl: other.url,
      database: await makeDatabase(),
      waitFor: 'nothing',
    });
    await waitUntil('it has ended', () => !service.isRunning());
    expect(await service.stop()).toBe(1);
    const lines = service.printed().trim().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^The node at \S+ follows another chain: .*COINFRONT_COIN/),
    ]);
    expect(lines[0]).not.toContain('secret');
  });

  test.each([
    [
      'COINFRONT_LISTEN',
      /^COINFRONT_LISTEN: another program listens on \S+ already\..* COINFRONT_LISTEN=127\.0\.0\.1:\d+$/,
    ],
    [
      'COINFRONT_METRICS_LISTEN',
      /^COINFRONT_METRICS_LISTEN: another program listens on \S+ already\..* COINFRONT_METRICS_LISTEN=/,
    ],
    ['COINFRONT_DATA_DIR', /^The database cannot be opened: /],
  ] as const)('with a %s that cannot be used is refused with one line', async (name, line) => {
    const taken = new URL(other.origin).host;
    const values = {
      COINFRONT_LISTEN: taken,
      COINFRONT_METRICS_LISTEN: taken,
      COINFRONT_DATA_DIR: '/dev/null/data',
    };
    const service = await startService({
      nodeUrl: node.url,
      database: await makeDatabase(),
      // Without the indexer, which logs as well when the database cannot be opened.
      settings: { COINFRONT_ROLES: 'api', [name]: values[name] },
      waitFor: 'nothing',
    });
    await waitUntil('it has ended', () => !service.isRunning());
    expect(await service.stop()).toBe(1);
    expect(service.printed().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  test('without a node: it says so, answers what it can, and begins when the node does', async () => {
    await node.kill();
    const database = await makeDatabase();
    const service = await startService({ nodeUrl: node.url, database, waitFor: 'answer' });
    const health = await waitForHealth(service, 'node_unavailable');
    expect(health).toMatchObject({ ready: false, lag_blocks: null, index: { height: null } });
    const early = await service.get('/api/v1/blocks');
    expect([early.status, early.json.code, early.headers.get('retry-after')]).toEqual([
      503,
      'not_ready',
      '5',
    ]);
    expect((await service.get('/api/v1/config')).status).toBe(200);

    await node.start();
    await service.waitForTip();
    await waitForHealth(service, 'ready');
    await node.kill();
    expect(await service.stop()).toBe(0);
    await service.start();
    await waitForHealth(service, 'node_unavailable');
    const { status, json } = await service.get('/api/v1/blocks');
    expect([status, json.items[0].height]).toEqual([200, 20]);
    await node.start();
    await waitForHealth(service, 'ready');
    expect(await service.stop()).toBe(0);
  });
});
