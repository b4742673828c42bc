import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { waitForHealth } from '../harness/health.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(10);
});
afterAll(() => node.stop());

const isIndexing = (service: TestService) => service.printed().includes('"kind":"ready"');
const standsBy = (service: TestService) => service.printed().includes('stands by');

forEachEngine('processes that share a database', (engine) => {
  const services: TestService[] = [];
  afterAll(() => Promise.all(services.map((service) => service.kill())));

  test('one indexes, another takes over from it, and the API never notices', async () => {
    const database = await engine.openUrl();
    const start = async (roles: string, waitFor: 'answer' | 'nothing'): Promise<TestService> => {
      const settings = { COINFRONT_ROLES: roles, COINFRONT_LOG_LEVEL: 'info' };
      const service = await startService({ nodeUrl: node.url, database, settings, waitFor });
      services.push(service);
      return service;
    };
    const api = await start('api', 'answer');
    expect((await api.get('/api/v1/blocks')).json.code).toBe('not_ready');
    const first = await start('indexer', 'nothing');
    await waitUntil('the first indexes', () => isIndexing(first));
    await waitForHealth(api, 'ready');
    const second = await start('all', 'answer');
    await waitUntil('the second stands by', () => standsBy(second));
    await waitForHealth(second, 'ready');
    const needless = await start('indexer', 'nothing');
    await waitUntil('one more stands by', () => standsBy(needless));
    expect(await needless.stop()).toBe(0);
    expect(needless.printed()).not.toContain('ended by an error');

    await first.kill();
    await node.mine(1);
    await Promise.all([api.waitForTip(), second.waitForTip()]);
    await waitUntil('the second indexes', () => isIndexing(second));

    const third = await start('indexer', 'nothing');
    await waitUntil('the third stands by', () => standsBy(third));
    expect(await second.stop()).toBe(0);
    await node.mine(1);
    await api.waitForTip();
    await waitUntil('the third indexes', () => isIndexing(third));
    await waitForHealth(api, 'ready');

    // Without any indexer the API serves what there is, and says how old it is.
    expect(await third.stop()).toBe(0);
    const tip = await api.findTip();
    await node.mine(12);
    // The node may be looked at between two of its blocks.
    await waitUntil('the API knows of all blocks', async () => {
      return (await api.get('/api/v1/health')).json.lag_blocks === 12;
    });
    const health = await waitForHealth(api, 'syncing');
    expect(health).toMatchObject({ ready: false, lag_blocks: 12, index: { tip } });
    expect((await api.get('/api/v1/blocks')).status).toBe(200);
    const { txcount } = await node.rpc<{ txcount: number }>('getchaintxstats');
    // Its looks at the node's height and at the count of transactions are two, and either may be between two blocks.
    await waitUntil('the API tells how far the index is', async () => {
      const { sync } = (await api.get('/api/v1/health')).json;
      return sync?.target_transactions === txcount && sync.target_height === health.node.height;
    });
    expect((await api.get('/api/v1/health')).json.sync).toMatchObject({
      target_height: health.node.height,
      target_estimated: false,
      transactions: txcount - 12,
      seconds_left: null,
    });
    expect(await api.stop()).toBe(0);
  });
});
