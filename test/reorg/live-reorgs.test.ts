import { toDisplayHash } from '@coinfront/protocol/bytes.ts';

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../scripts/traffic/random.ts';
import { createReadChain } from '../../service/src/chain/read-chain.ts';
import type { Database } from '../../service/src/db/database.ts';
import { openDatabase } from '../../service/src/db/open.ts';
import { startIndexer } from '../../service/src/start-indexer.ts';
import { forEachEngine } from '../harness/engines.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { startPair, type TestNode, type TestPair, waitUntil } from '../harness/litecoind.ts';
import { auditMempool } from '../harness/mempool-audit.ts';
import { testProfile } from '../harness/test-coin.ts';
import {
  catchUp,
  followLive,
  openTestIndexer,
  TEST_HORIZON,
  type TestIndexer,
  toServiceLocation,
} from '../harness/test-indexer.ts';
import { makeTraffic } from '../harness/traffic.ts';

let pair: TestPair;
let node: TestNode;

beforeAll(async () => {
  pair = await startPair({ extraArgs: ['-rpcthreads=100', '-checkblockindex=0'] });
  node = pair.a;
  await makeTraffic(node, { seed: 5, blocks: 3, txPerBlock: 15 });
  await pair.join();
});
afterAll(() => pair?.stop());

forEachEngine('a follower at work', (engine) => {
  test('follows real reorgs of 1, 2 and 10 blocks between two nodes', async () => {
    const indexer = await open();
    const follower = followLive(node.client, indexer);
    for (const depth of [1, 2, 10]) {
      await pair.join();
      await pair.part();
      await pay(3);
      const lost = await node.mine(depth);
      await follower.waitForTip(lost.at(-1)!);
      await pay(2);
      const won = await pair.b.mine(depth + 1);
      await pair.join();
      await follower.waitForTip(won.at(-1)!);
      expect(await node.rpc('getrawmempool')).toHaveLength(5);
      await follower.waitForTip((await node.mine(1))[0]!);
    }
    await pair.part();
    await follower.stop();
    await expectFreshIndex(indexer.database);
  });

  test('comes to the tip of a node that is restarted in the middle of a reorg', async () => {
    await checkMiddleOfReorg(async () => {
      await node.restart();
    });
  });

  test('comes to the tip of a node that turns back in the middle of a reorg', async () => {
    await checkMiddleOfReorg(async (branches) => {
      await node.rpc('invalidateblock', branches.second[0]);
      await node.rpc('reconsiderblock', branches.first[0]);
    });
  });

  test('comes to the tip of a node that takes a third branch from below in the middle of a reorg', async () => {
    await checkMiddleOfReorg(async (branches) => {
      const fork = await node.rpc<{ previousblockhash: string }>('getblockheader', branches.second[0]);
      await node.rpc('invalidateblock', fork.previousblockhash);
      await node.mine(2);
    });
  });

  /** Something happens when a few of the blocks of a branch have replaced those of another. */
  async function checkMiddleOfReorg(
    interfere: (branches: { first: string[]; second: string[] }) => Promise<void>,
  ): Promise<void> {
    const indexer = await open();
    await pay(3);
    const first = await node.mine(12);
    await catchUp(node.client, indexer);
    await node.rpc('invalidateblock', first[0]);
    const second = await node.mine(25);
    let commits = 0;
    const follower = followLive(node.client, indexer, {
      batchTxs: 1,
      async beforeCommit() {
        expect(await auditMempool(indexer.readChain)).toEqual([]);
        if (++commits === 6) await interfere({ first, second });
      },
    });
    await waitUntil('the reorg is on its way', () => commits > 6);
    await follower.waitForTip(await node.rpc('getbestblockhash'));
    await follower.stop();
    await expectFreshIndex(indexer.database);
  }

  test('comes to the tip of a node that changes branches faster than it can follow', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = createRandom(seed);
    const indexer = await open();
    const follower = followLive(node.client, indexer, { batchTxs: 3 });
    const left: string[] = [];
    for (let i = 0; i < 40; i++) {
      const kind = random.pick(['pay', 'mine', 'leave', 'leave', 'return']);
      if (kind === 'pay') await pay(1);
      if (kind === 'mine') await node.mine(random.integer(1, 3));
      if (kind === 'leave') {
        const height = await node.rpc<number>('getblockcount');
        const hash = await node.rpc<string>('getblockhash', height - random.integer(0, 5));
        left.push(hash);
        await node.rpc('invalidateblock', hash);
        await node.mine(random.integer(1, 7));
      }
      if (kind === 'return' && left.length > 0) {
        await node.rpc('reconsiderblock', left.splice(random.integer(0, left.length - 1), 1)[0]);
      }
    }
    const [tip] = await node.mine(1);
    await follower.waitForTip(tip!);
    await follower.stop();
    await expectFreshIndex(indexer.database, `seed ${seed}`);
  });

  test('does all of it in its own thread, also when that is stopped and started in between', async () => {
    const location = await engine.openUrl();
    const crashes: Error[] = [];
    const start = () =>
      startIndexer(
        {
          nodeUrl: node.url,
          cookieFile: undefined,
          database: toServiceLocation(location),
          profile: testProfile,
          horizonBlocks: TEST_HORIZON,
          cacheMb: 16,
        },
        { onCrash: (error) => crashes.push(error) },
      );
    let indexer = start();
    onTestFinished(() => indexer.stop());
    const waitForHeight = async () => {
      const height = await node.rpc<number>('getblockcount');
      await waitUntil(`the thread is at ${height}`, () => {
        const report = indexer.findReport();
        return report?.state.kind === 'ready' && report.height === height && report.mempoolComplete;
      });
    };
    await waitForHeight();
    await pay(4);
    const first = await node.mine(10);
    await waitForHeight();
    await node.rpc('invalidateblock', first[0]);
    const second = await node.mine(11);
    await waitForHeight();
    await indexer.stop();
    await node.rpc('invalidateblock', second[0]);
    await node.rpc('reconsiderblock', first[0]);
    await node.mine(3);
    indexer = start();
    await waitForHeight();
    await indexer.stop();
    expect(crashes).toEqual([]);

    const database = await openDatabase(toServiceLocation(location));
    onTestFinished(() => database.close());
    await expectFreshIndex(database);
  });

  async function open(): Promise<TestIndexer> {
    const indexer = await openTestIndexer(await engine.openUrl());
    onTestFinished(() => indexer.close());
    await catchUp(node.client, indexer);
    return indexer;
  }

  async function expectFreshIndex(database: Database, what = 'the index'): Promise<void> {
    const fresh = await open();
    expect(toDisplayHash(fresh.index.state.hash)).toBe(await node.rpc('getbestblockhash'));
    const expected = await dumpIndex(fresh.database);
    expect(compareDumps(await dumpIndex(database), expected), what).toEqual([]);
    expect(await auditMempool(createReadChain(database)), what).toEqual([]);
  }
});

async function pay(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await node.rpc('sendtoaddress', await node.newAddress(), '0.01');
}
