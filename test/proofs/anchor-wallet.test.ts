import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walletUrl } from '../../service/src/node/anchor-wallet.ts';
import { createNodeClient, type NodeClient } from '../../service/src/node/rpc-client.ts';
import { awaitRoomInDay } from '../harness/await-room-in-day.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { startService, type TestService } from '../harness/service.ts';

const PHRASE = 'of the test';

let node: TestNode;
/** Of the node's first wallet. With more than one loaded the node wants to be told which is meant. */
let miner: string;
beforeAll(async () => {
  node = await startNode();
  miner = await node.newAddress();
  await node.mine(110, miner);
});
afterAll(() => node?.stop());

forEachEngine("the operator's wallet", (engine) => {
  const name = `anchors-${engine.kind}`;
  let service: TestService;
  let wallet: NodeClient;

  beforeAll(async () => {
    wallet = createNodeClient({ url: walletUrl(node.url, name) });
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: {
        COINFRONT_ANCHOR_WALLET: name,
        COINFRONT_ANCHOR_DAILY: '100',
        COINFRONT_ANCHOR_DAILY_PER_CLIENT: '100',
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    await wallet.close();
  });

  const anchor = async (digest = randomBytes(32).toString('hex')) =>
    await service.post('/api/v1/proof/anchor', { sha256: digest });
  /** A wallet that cannot costs nothing: no budget, no coin set aside; and the caller can use its own. */
  const expectUnavailable = async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => anchor()));
    for (const { status, json } of answers)
      expect([status, json.result, json.reason, json.txid]).toEqual([
        200,
        'script',
        'wallet_unavailable',
        null,
      ]);
    const { json } = await service.get('/api/v1/proof/status');
    return json.wallet.left_today as number;
  };
  const expectSent = async () => {
    const digest = randomBytes(32).toString('hex');
    const { status, json } = await anchor(digest);
    expect([status, json.result], JSON.stringify(json)).toEqual([202, 'submitted']);
    const entry = await node.rpc<string>('getrawtransaction', json.txid);
    expect(entry).toContain(`6a2456504631${digest}`);
    return json.txid as string;
  };

  test('may be missing, empty, locked, unloaded, or away with its node: each time it goes on after', async () => {
    expect(await expectUnavailable()).toBe(100);

    await node.rpc('createwallet', name, false, false, PHRASE);
    expect(await expectUnavailable()).toBe(100);

    await wallet.call('walletpassphrase', [PHRASE, 600]);
    const address = await wallet.call<string>('getnewaddress');
    await wallet.call('walletlock');
    for (let i = 0; i < 3; i++) await node.client.call('generatetoaddress', [1, address]);
    await service.waitForTip((await node.mine(101, miner)).at(-1)!);
    // Locked: funding works and signing does not. Many requests must not set all coins aside.
    expect(await expectUnavailable()).toBe(100);
    expect(await expectUnavailable()).toBe(100);
    expect(await wallet.call('listlockunspent')).toEqual([]);

    await wallet.call('walletpassphrase', [PHRASE, 600]);
    await awaitRoomInDay();
    const txid = await expectSent();
    expect((await service.get('/api/v1/proof/status')).json.wallet.left_today).toBe(99);

    await wallet.call('unloadwallet');
    await expectUnavailable();
    await node.rpc('loadwallet', name);
    await expectUnavailable();
    await wallet.call('walletpassphrase', [PHRASE, 600]);
    await expectSent();

    // Cut off in its midst, a look at the mempool would leave an index that says 503: it may be behind. While the wallet
    // is locked, asking changes nothing.
    await service.waitForMempool();
    await wallet.call('walletlock');
    await waitUntil('the index is in step with the node', async () => (await anchor()).status === 200);
    await node.pause();
    await expectUnavailable();
    await node.start();
    await node.rpc('loadwallet', name);
    await wallet.call('walletpassphrase', [PHRASE, 600]);
    await waitUntil('the node serves the wallet', async () => (await anchor()).status === 202);
    await expectSent();
    const [hash] = await node.mine(1, miner);
    await service.waitForTip(hash!);
    expect((await node.rpc<{ tx: string[] }>('getblock', hash)).tx).toContain(txid);
    expect(await wallet.call('listlockunspent')).toEqual([]);
  });

  test('makes as many transactions at once as it is asked for, of one coin in the end', async () => {
    const txids = await Promise.all(Array.from({ length: 20 }, expectSent));
    expect(new Set(txids).size).toBe(20);
    const [hash] = await node.mine(1, miner);
    await service.waitForTip(hash!);
  });

  // The keeper's pause makes it slow, and the engine is of no matter to it: what is stored is tested on both.
  if (engine.kind === 'sqlite')
    test('mines all that it promised, though they hang on one coin and the node loses its mempool', {
      timeout: 400_000,
    }, async () => {
      const balance = await wallet.callText<string>('getbalance');
      const own = await wallet.call<string>('getnewaddress');
      await wallet.call('sendtoaddress', [own, balance, '', '', true]);
      await service.waitForTip((await node.mine(1, miner))[0]!);
      expect(await wallet.call('listunspent')).toHaveLength(1);

      const digests = Array.from({ length: 30 }, () => randomBytes(32).toString('hex'));
      const promised: { digest: string; txid: string }[] = [];
      for (const digest of digests) {
        const { status, json } = await anchor(digest);
        if (status === 202) promised.push({ digest, txid: json.txid });
        else expect(json.reason).toBe('wallet_unavailable');
      }
      // Nodes take chains of 25 unconfirmed transactions; some are left for those that pay for the others.
      expect(promised.length).toBe(21);

      await node.pause();
      await rm(join(node.dataDir, 'regtest', 'mempool.dat'));
      await node.start();
      await waitUntil(
        'they are sent again, parents first',
        async () => (await node.rpc<string[]>('getrawmempool')).length === 21,
        60_000,
      );
      await node.mine(1, miner);
      await waitUntil(
        'all are in blocks',
        async () => {
          if ((await node.rpc<string[]>('getrawmempool')).length > 0) await node.mine(1, miner);
          await service.waitForTip();
          const states = await Promise.all(
            promised.map(async ({ digest, txid }) => {
              const { json } = await service.get(`/api/v1/proof/lookup/${digest}`);
              return json.primary?.txid === txid && json.anchors === 1;
            }),
          );
          return states.every((isMined) => isMined);
        },
        60_000,
      );
    });
});
