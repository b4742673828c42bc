import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';
import { getJson } from '../truth/read-api.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(20);
});
afterAll(() => node.stop());

forEachEngine('a block that lost its place', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  const list = async (query = '') => (await getJson(service, `/api/v1/blocks/stale${query}`)).items;
  const mine = async (blocks: number): Promise<string[]> => {
    const hashes = await node.mine(blocks);
    await service.waitForTip(hashes.at(-1));
    return hashes;
  };

  test('is known as stale, with what replaced it, until it is back', async () => {
    expect(await list()).toEqual([]);
    const first = await mine(2);
    const headers = await Promise.all(first.map((hash) => node.rpc<string>('getblockheader', hash, false)));
    const height = await node.rpc<number>('getblockcount');
    await node.rpc('invalidateblock', first[0]);
    const second = await mine(3);

    const stale = await list();
    expect(stale.map(({ hash }: { hash: string }) => hash)).toEqual([first[1], first[0]]);
    expect(stale[1]).toMatchObject({
      height: height - 1,
      tx_count: 1,
      header: headers[0],
      replaced_by: second[0],
    });
    expect(await list(`?hash=${first[0]}`)).toEqual([stale[1]]);
    expect(await list(`?hash=${first[0]!.toUpperCase()}`)).toEqual([stale[1]]);
    expect(await list('?limit=1')).toEqual([stale[0]]);
    expect(await list(`?hash=${second[0]}`)).toEqual([]);
    expect((await service.get(`/api/v1/block/${first[0]}`)).json.code).toBe('block_not_found');

    await service.kill();
    await service.start();
    await service.waitForTip();
    expect(await list()).toEqual(stale);

    await node.rpc('invalidateblock', second[0]);
    await node.rpc('reconsiderblock', first[0]);
    await service.waitForTip(first[1]);
    expect((await list()).map(({ hash }: { hash: string }) => hash)).toEqual([
      second[2],
      second[1],
      second[0],
    ]);
    // Above the tip nothing has its place.
    expect((await list(`?hash=${second[2]}`))[0].replaced_by).toBeNull();
    expect(await list(`?hash=${first[0]}`)).toEqual([]);
    await node.rpc('reconsiderblock', second[0]);
    await service.waitForTip(second[2]);
  });

  test('is told apart by nothing else: what is no hash is refused', async () => {
    expect((await service.get('/api/v1/blocks/stale?hash=zz')).status).toBe(400);
    expect((await service.get('/api/v1/blocks/stale?limit=101')).status).toBe(400);
  });
});
