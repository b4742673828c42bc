import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { addressOfOwner, mineExactly, openPurse, type RawCoin, spend } from '../harness/raw-coins.ts';
import { startService, type TestService } from '../harness/service.ts';
import { getJson, listPages } from './read-api.ts';

const VALUE = 1_000_000n;
const FEE = 1_000n;
const HALF_DAY_S = 43_200;
const OWNER = 700;
/** An address with more transactions than a request looks at. */
const BUSY = 701;
const BUSY_BLOCKS = 1_030;

type Line = { txid: string; delta: string; balance: string | null; block: { height: number } | null };

let node: TestNode;
const owned = addressOfOwner(OWNER);
const busy = addressOfOwner(BUSY);
const toUnits = (amount: string) => BigInt(amount.replace('.', ''));

beforeAll(async () => {
  node = await startNode();
  const nextCoin = await openPurse(node, { count: 20, value: VALUE, owner: 1 });
  await node.rpc('generatetoaddress', BUSY_BLOCKS, busy);
  // Two blocks a day.
  let nowS = Math.floor(Date.now() / 1_000);
  const mine = async (...txs: Parameters<typeof mineExactly>[1][number][]) => {
    nowS += HALF_DAY_S;
    await node.rpc('setmocktime', nowS);
    await mineExactly(node, txs);
  };
  let change: RawCoin | undefined;
  for (let round = 0; round < 6; round += 1) {
    const paid = spend([nextCoin()], [{ value: VALUE - FEE, owner: OWNER }]);
    await mine(paid);
    // What is sent comes back in part.
    const sent = spend(
      [paid.coins[0]!],
      [
        { value: 400_000n, owner: OWNER },
        { value: 500_000n, owner: 2 },
      ],
    );
    change = sent.coins[0];
    await mine(sent);
  }
  // So many that median times reach the last day.
  for (let i = 0; i < 12; i += 1) await mine();
  await node.rpc('sendrawtransaction', spend([change!], [{ value: 300_000n, owner: 3 }]).hex);
});
afterAll(() => node.stop());

forEachEngine('the history of an address', (engine) => {
  let service: TestService;
  let all: Line[];

  beforeAll(async () => {
    service = await startService({
      nodeUrl: node.url,
      database: await engine.openUrl(),
      settings: { COINFRONT_RATE_LIMIT: '100000' },
    });
    await service.waitForMempool();
    all = await list(owned, 100);
  });
  afterAll(() => service.stop());

  const list = async (address: string, limit: number, query = ''): Promise<Line[]> =>
    (
      await listPages(service, `/api/v1/address/${address}/txs`, limit, undefined, `&balances=true${query}`)
    ).flat();
  const dayOf = async ({ block }: Line): Promise<string> =>
    (await getJson(service, `/api/v1/block/${block!.height}`)).median_time.slice(0, 10);

  test('has the balance behind each confirmed line, on whatever page it is', async () => {
    expect(all).toHaveLength(13);
    expect(all[0]).toMatchObject({ block: null, balance: null });
    let balance = 0n;
    for (const line of all.slice(1).reverse()) {
      balance += toUnits(line.delta);
      expect(toUnits(line.balance!)).toBe(balance);
    }
    expect(await list(owned, 3)).toEqual(all);
    const { items } = await getJson(service, `/api/v1/address/${owned}/txs?limit=2`);
    expect(items[1]).not.toHaveProperty('balance');
  });

  test('can be asked for what was received, or sent', async () => {
    for (const [direction, sign] of [
      ['received', 1],
      ['sent', -1],
    ] as const) {
      const expected = all.filter(({ delta }) => Math.sign(Number(delta)) === sign);
      expect(expected.length).toBeGreaterThan(5);
      expect(await list(owned, 100, `&direction=${direction}`)).toEqual(expected);
      expect(await list(owned, 2, `&direction=${direction}`)).toEqual(expected);
    }
  });

  test('costs more where it is searched, and most with balances that do not follow from one another', async () => {
    const costOf = async (query: string): Promise<number> => {
      const left = async () =>
        Number((await service.get('/api/v1/health')).headers.get('ratelimit-remaining'));
      const before = await left();
      await getJson(service, `/api/v1/address/${owned}/txs?${query}`);
      return before - (await left());
    };
    const plain = await costOf('limit=7&balances=true');
    expect(await costOf('limit=7&direction=sent')).toBe(plain + 1);
    expect(await costOf('limit=7&direction=sent&balances=true')).toBe(plain + 3);
  });

  test('from a day that is yet to come on has nothing, not even what waits', async () => {
    expect(await list(owned, 100, '&from_date=2999-01-01')).toEqual([]);
  });

  test('can be asked for days, by the median times of blocks', async () => {
    const confirmed = all.slice(1);
    const days = await Promise.all(confirmed.map(dayOf));
    const [first, last] = [days[8]!, days[3]!];
    expect(first < last).toBe(true);
    const within = confirmed.filter((_, i) => days[i]! >= first && days[i]! <= last);
    expect(within.length).toBeLessThan(confirmed.length);
    expect(await list(owned, 4, `&from_date=${first}&to_date=${last}`)).toEqual(within);
    expect(await list(owned, 100, `&from_date=${first}`)).toEqual([
      all[0],
      ...confirmed.filter((_, i) => days[i]! >= first),
    ]);
    const sent = within.filter(({ delta }) => delta.startsWith('-'));
    expect(await list(owned, 100, `&from_date=${first}&to_date=${last}&direction=sent`)).toEqual(sent);
    expect(await list(owned, 100, '&from_date=2100-01-01&to_date=2100-01-02')).toEqual([]);
    // The table has the same lines, with the same balances.
    const asLines = (lines: typeof all) =>
      lines.map(({ txid, delta, balance }) => `${txid},${delta},${balance}`);
    const table = async (query: string): Promise<string[]> => {
      const { text, status } = await service.get(`/api/v1/address/${owned}/transactions.csv?${query}`);
      expect(status, text).toBe(200);
      const rows = text.trimEnd().split('\r\n').slice(1);
      return rows.map((row) => row.split(',').slice(2).join(','));
    };
    expect(await table(`from_date=${first}&to_date=${last}`)).toEqual(asLines(within));
    expect(await table(`from_date=${first}&to_date=${last}&direction=sent`)).toEqual(asLines(sent));
    expect(await table(`to_date=${last}`)).toEqual(asLines(confirmed.filter((_, i) => days[i]! <= last)));
    expect(await table('')).toEqual(asLines(confirmed));
    expect(await list(owned, 100, '&to_date=2009-01-02')).toEqual([]);
  });

  test('refuses days that are none, and cursors of another filter', async () => {
    const read = async (query: string) =>
      (await service.get(`/api/v1/address/${owned}/txs?limit=1${query}`)).json;
    expect((await read('&from_date=2026-02-03&to_date=2026-02-02')).code).toBe('invalid_parameter');
    expect((await read('&from_date=2026-13-01')).code).toBe('invalid_parameter');
    expect((await read('&to_date=2026-02-31')).code).toBe('invalid_parameter');
    expect((await read('&direction=both')).code).toBe('invalid_parameter');
    const { next_cursor: cursor } = await read('&direction=sent');
    expect((await read(`&cursor=${cursor}`)).code).toBe('invalid_cursor');
  });

  test('of which nothing fits is searched in parts: a page may be empty, and the cursor goes on', async () => {
    const pages = await listPages(service, `/api/v1/address/${busy}/txs`, 100, undefined, '&direction=sent');
    expect(pages).toEqual([[], []]);
    const received = await list(busy, 100, '&direction=received');
    expect(received).toHaveLength(BUSY_BLOCKS);
  });

  test('as a chart has exact balances, in no more points than were asked for', async () => {
    for (const [address, points] of [
      [owned, 300],
      [owned, 4],
      [busy, 300],
      [busy, 1],
    ] as const) {
      const lines = address === owned ? all.slice(1) : await list(busy, 100);
      const chart = await getJson(service, `/api/v1/address/${address}/balances?points=${points}`);
      expect(chart.points.length).toBeLessThanOrEqual(points);
      expect(chart.points.at(-1).height).toBe(chart.to_height);
      for (const { height, balance } of chart.points) {
        const below = lines.filter(({ block }) => block!.height <= height);
        expect(toUnits(balance)).toBe(below.reduce((sum, { delta }) => sum + toUnits(delta), 0n));
      }
    }
    const unused = await getJson(service, `/api/v1/address/${addressOfOwner(999)}/balances`);
    expect(unused).toMatchObject({ from_height: null, points: [] });
    expect((await service.get(`/api/v1/address/${owned}/balances?points=301`)).status).toBe(400);
  });
});
