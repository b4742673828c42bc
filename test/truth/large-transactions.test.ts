import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { makeMatureCoins, mineExactly, type RawTx, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { catchUp, openTestIndexer } from '../harness/test-indexer.ts';

const VALUE = 10_000_000n;
const LIMIT = 600;
const BYTES_OF_UNIT = 65_536;

let node: TestNode;
let large: RawTx;
let small: RawTx;

beforeAll(async () => {
  node = await startNode();
  const [first, second] = await makeMatureCoins(node, { count: 2, value: VALUE, owner: 1 });
  // Outputs that nobody can spend: OP_RETURN, and more than a node would relay.
  const unspendable = new Uint8Array(9_000).fill(0x6a);
  large = spend(
    [first!],
    Array.from({ length: 70 }, () => ({ value: 0n, script: unspendable })),
  );
  small = spend([second!], [{ value: VALUE - 10_000n, owner: 2 }]);
  await mineExactly(node, [large]);
  await mineExactly(node, [small]);
});
afterAll(() => node.stop());

forEachEngine('a transaction of more than half a megabyte', (engine) => {
  test('is read when it is its turn, which what is small does not wait for', async () => {
    const indexer = await openTestIndexer(await engine.openUrl());
    await catchUp(node.client, indexer);
    const events: string[] = [];
    const enterLarge = async () => {
      events.push('entered');
      return () => void events.push('left');
    };
    const find = async ({ txid }: RawTx) =>
      await indexer.readChain((view) => view.findTx(getValue(parseDisplayHash(txid))), { enterLarge });
    expect(Buffer.from((await find(small))!.raw).toString('hex')).toBe(small.hex);
    expect(events).toEqual([]);
    expect(Buffer.from((await find(large))!.raw).toString('hex')).toBe(large.hex);
    expect(events).toEqual(['entered', 'left']);
    await indexer.close();
  });

  describe('over HTTP', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({
        nodeUrl: node.url,
        database: await engine.openUrl(),
        settings: { COINFRONT_RATE_LIMIT: String(LIMIT) },
      });
    });
    afterAll(() => service.stop());

    const unitsLeft = async (): Promise<number> =>
      Number((await service.get('/api/v1/health')).headers.get('ratelimit-remaining'));

    test.for([
      '/api/v1/tx/{txid}?first_output=69',
      '/api/v1/tx/{txid}/proof',
      '/api/v1/search?q={txid}',
      '/esplora/tx/{txid}/status',
      '/esplora/tx/{txid}/outspend/0',
      '/esplora/tx/{txid}/merkle-proof',
    ])('%s costs what is read for it, however little is told', async (path) => {
      const before = await unitsLeft();
      const { status } = await service.get(path.replace('{txid}', large.txid));
      expect(status).toBe(200);
      const units = Math.floor(large.hex.length / 2 / BYTES_OF_UNIT);
      expect(units).toBe(9);
      expect(before - (await unitsLeft())).toBeGreaterThanOrEqual(units);
    });
  });
});
