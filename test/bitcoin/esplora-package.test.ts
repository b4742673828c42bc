import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, type RawCoin, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

const VALUE = 10_000_000n;
const FEE = 10_000n;
const { missing } = findBitcoinNode();

let node: TestNode;
let coins: RawCoin[];

beforeAll(async () => {
  if (missing !== undefined) return;
  node = await startNode();
  coins = await makeMatureCoins(node, { count: 20, value: VALUE, owner: 1 });
});
afterAll(() => node?.stop());

forEachEngine('packages over Esplora', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    if (missing !== undefined) return;
    const database: DatabaseLocation = await engine.openUrl();
    service = await startService({ nodeUrl: node.url, database });
  });
  afterAll(() => service?.stop());

  const makePackage = () => {
    const parent = spend([coins.shift()!], [{ value: VALUE - FEE, owner: 2 }]);
    const child = spend([parent.coins[0]!], [{ value: VALUE - 3n * FEE, owner: 3 }]);
    return { parent, child, body: JSON.stringify([parent.hex, child.hex]) };
  };

  test.skipIf(missing !== undefined)(
    missing ??
      'a package is shown as soon as it is answered, and what hangs together with it as the node has it',
    async () => {
      const { parent, child, body } = makePackage();
      const answer = await service.post('/esplora/txs/package', body);
      expect([answer.status, answer.headers.get('x-chain-visibility')]).toEqual([200, 'visible']);
      expect(answer.json).toMatchObject({ package_msg: 'success' });
      for (const { txid } of [parent, child]) {
        expect((await service.get(`/esplora/tx/${txid}`)).status).toBe(200);
      }
      const [seen] = (await service.get(`/esplora/v1/transaction-times?txId[]=${child.txid}`)).json;
      expect(seen).toBeGreaterThan(0);
      const { ancestors } = (await service.get(`/esplora/v1/cpfp/${child.txid}`)).json;
      const { descendants } = (await service.get(`/esplora/v1/cpfp/${parent.txid}`)).json;
      const entries = await node.rpc<Record<string, { weight: number }>>('getrawmempool', true);
      expect(ancestors).toEqual([
        { txid: parent.txid, fee: Number(FEE), weight: entries[parent.txid]!.weight },
      ]);
      expect(descendants).toEqual([
        { txid: child.txid, fee: 2 * Number(FEE), weight: entries[child.txid]!.weight },
      ]);
    },
  );

  test.skipIf(missing !== undefined)(
    'what pays more than its sender allows is refused with the node’s words',
    async () => {
      const { child, body } = makePackage();
      const answer = await service.post('/esplora/txs/package?maxfeerate=0.00001&maxburnamount=0', body);
      expect(JSON.stringify(answer.json ?? answer.text)).toMatch(/max-fee|max fee/i);
      expect((await service.get(`/esplora/tx/${child.txid}`)).status).toBe(404);
    },
  );

  test.skipIf(missing !== undefined)('what is no package is refused in plain text', async () => {
    const { parent } = makePackage();
    const answer = await service.post('/esplora/txs/package', JSON.stringify([parent.hex, parent.hex]));
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test.skipIf(missing !== undefined)('the extras of a block are what the node says of it', async () => {
    await node.mine(1);
    const hash = await node.rpc<string>('getbestblockhash');
    await service.waitForTip(hash);
    const { extras } = (await service.get(`/esplora/v1/block/${hash}`)).json;
    const stats = await node.rpc<Record<string, number>>('getblockstats', hash);
    expect([extras.totalFees, extras.avgFee]).toEqual([stats.totalfee, stats.avgfee]);
    expect(extras.header).toBe(await node.rpc('getblockheader', hash, false));
  });
});
