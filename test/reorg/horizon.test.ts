import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { catchUp, openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';

const HORIZON = 5;

let node: TestNode;
let address: string;

beforeAll(async () => {
  node = await startNode({ extraArgs: ['-rpcthreads=100', '-checkblockindex=0'] });
  // Always the same payee: the state of a part that only undo rows bring back.
  address = await node.newAddress();
});
afterAll(() => node?.stop());

forEachEngine('a reorg deeper than what can be undone', (engine) => {
  test('is reported and leaves the index alone until the node comes back', async () => {
    const location = await engine.openUrl();
    const first = await node.mine(HORIZON + 3, address);
    const indexer = await openAt(location, HORIZON);
    const before = await dumpIndex(indexer.database);
    await node.rpc('invalidateblock', first[2]);
    await mineOther(HORIZON + 2);
    await expectTooDeep(indexer, HORIZON);
    expect(compareDumps(await dumpIndex(indexer.database), before)).toEqual([]);

    await node.rpc('invalidateblock', await node.rpc('getbestblockhash'));
    await node.rpc('reconsiderblock', first[2]);
    await node.mine(1, address);
    await catchUp(node.client, indexer, { horizonBlocks: HORIZON });
    await expectFreshIndex(indexer);
  });

  test('stays one when the horizon is raised: what was not kept does not come back', async () => {
    const location = await engine.openUrl();
    const first = await node.mine(HORIZON + 3, address);
    const narrow = await openTestIndexer(location, { horizonBlocks: HORIZON });
    await catchUp(node.client, narrow, { horizonBlocks: HORIZON });
    await narrow.close();
    await node.rpc('invalidateblock', first[2]);
    await mineOther(HORIZON + 2);
    const wide = await openTestIndexer(location, { horizonBlocks: 1_000 });
    onTestFinished(() => wide.close());
    await expectTooDeep(wide, 1_000);
  });

  test('is measured from the highest tip there was, not from one that went down', async () => {
    const location = await engine.openUrl();
    const first = await node.mine(HORIZON + 3, address);
    const indexer = await openAt(location, HORIZON);
    await node.rpc('invalidateblock', first[5]);
    await catchUp(node.client, indexer, { horizonBlocks: HORIZON });
    await expectFreshIndex(indexer);
    await node.rpc('invalidateblock', first[2]);
    await expectTooDeep(indexer, HORIZON);

    await node.rpc('reconsiderblock', first[2]);
    await node.mine(1, address);
    await catchUp(node.client, indexer, { horizonBlocks: HORIZON });
    await expectFreshIndex(indexer);
  });

  async function openAt(location: DatabaseLocation, horizonBlocks: number): Promise<TestIndexer> {
    const indexer = await openTestIndexer(location, { horizonBlocks });
    onTestFinished(() => indexer.close());
    await catchUp(node.client, indexer, { horizonBlocks });
    return indexer;
  }

  async function expectTooDeep(indexer: TestIndexer, horizonBlocks: number): Promise<void> {
    await expect(catchUp(node.client, indexer, { horizonBlocks })).rejects.toThrow(/reorg_too_deep/);
  }

  async function expectFreshIndex(indexer: TestIndexer): Promise<void> {
    const fresh = await openAt(await engine.openUrl(), HORIZON);
    const options = { undoFrom: Math.max(indexer.index.lowestFork, fresh.index.lowestFork) + 1 };
    const expected = await dumpIndex(fresh.database, options);
    expect(compareDumps(await dumpIndex(indexer.database, options), expected)).toEqual([]);
  }
});

/** Another first block: the same one, mined in the same second, would be the invalid one again. */
async function mineOther(count: number): Promise<void> {
  await node.mine(1);
  await node.mine(count - 1, address);
}
