import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import {
  addressOfOwner,
  makeMatureCoins,
  mineExactly,
  type RawCoin,
  send,
  spend,
} from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';

const VALUE = 2_000_000n;
const OWNERS = Array.from({ length: 40 }, (_, i) => 500 + i);

let node: TestNode;
let coins: RawCoin[];
beforeAll(async () => {
  node = await startNode();
  coins = await makeMatureCoins(node, { count: 300, value: VALUE, owner: 1 });
});
afterAll(() => node.stop());

type Item = { status: number; body: Record<string, unknown> };
type Answer = { as_of: { height: number; hash: string }; answers: Item[] };

forEachEngine('reads in one request', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
  });
  afterAll(() => service.stop());

  const batch = async (reads: string[]): Promise<Answer> => {
    const { status, json, text } = await service.post('/api/v1/batch', { reads });
    expect(status, text).toBe(200);
    return json as Answer;
  };
  const pay = (count: number) =>
    coins
      .splice(0, count)
      .map((coin, i) => spend([coin], [{ value: VALUE - 2_000n, owner: OWNERS[i % OWNERS.length]! }]));

  test('get the answers that each gets by itself', async () => {
    const hash = await mineExactly(node, pay(30));
    for (const tx of pay(10)) await send(node, tx);
    await service.waitForTip(hash);
    await service.waitForMempool();
    const reads = [
      ...OWNERS.flatMap((owner) => [
        `/address/${addressOfOwner(owner)}`,
        `/utxos/${addressOfOwner(owner)}?limit=1`,
      ]),
      `/block/${hash}`,
      '/supply',
      `/proof/lookup/${randomBytes(32).toString('hex')}`,
      `/addresses/${addressOfOwner(OWNERS[0]!)}/tokens`,
      '/pool/blocks',
      `/api/vns/v1/address/${addressOfOwner(OWNERS[0]!)}`,
    ];
    const { as_of, answers } = await batch(reads);
    expect(as_of).toMatchObject({ hash });
    for (const [i, path] of reads.entries()) {
      const alone = await service.get(path.startsWith('/api/') ? path : `/api/v1${path}`);
      const { request_id: _, instance: __, ...body } = alone.json;
      expect([path, answers[i]!.status]).toEqual([path, alone.status]);
      expect(answers[i]!.body, path).toMatchObject(body);
    }
  });

  test('see one tip and one mempool, while blocks come and go', async () => {
    const addresses = OWNERS.map((owner) => `/address/${addressOfOwner(owner)}`);
    const reads = ['/blocks?limit=1', ...addresses, '/supply', ...addresses, '/blocks?limit=1'];
    const seen = new Set<string>();
    let isOver = false;
    const reader = async (): Promise<void> => {
      while (!isOver) {
        const { as_of, answers } = await batch(reads);
        seen.add(as_of.hash);
        const tips = [answers[0]!, answers.at(-1)!].map(
          ({ body }) => (body.items as { hash: string }[])[0]!.hash,
        );
        expect(tips).toEqual([as_of.hash, as_of.hash]);
        expect(answers[1 + addresses.length]!.body.height).toBe(as_of.height);
        const [once, again] = [
          answers.slice(1, 1 + addresses.length),
          answers.slice(2 + addresses.length, -1),
        ];
        expect(again).toEqual(once);
      }
    };
    const readers = [reader(), reader()];
    for (let i = 0; i < 6 || seen.size < 4; i++) {
      if (i < 6) for (const tx of pay(5)) await send(node, tx);
      const [hash] = await node.mine(1);
      if (i % 3 === 2) {
        await node.rpc('invalidateblock', hash);
        await node.mine(2);
      }
      await service.waitForTip();
    }
    isOver = true;
    await Promise.all(readers);
  });

  test('are answered beside what is read apart since it is large', async () => {
    const many = coins.splice(0, 1);
    const large = spend(
      many,
      Array.from({ length: 1_500 }, () => ({ value: 1_200n, owner: 900 })),
    );
    const hash = await mineExactly(node, [large]);
    await service.waitForTip(hash);
    const { answers } = await batch([`/tx/${large.txid}/raw`, '/blocks?limit=1', `/tx/${large.txid}`]);
    expect(answers[0]).toEqual({
      status: 200,
      body: (await service.get(`/api/v1/tx/${large.txid}/raw`)).json,
    });
    expect(answers[2]).toEqual({ status: 200, body: (await service.get(`/api/v1/tx/${large.txid}`)).json });
  });
});
