import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ChainView, ReadChain } from '../../service/src/chain/chain-view.ts';
import type { Precious } from '../../service/src/db/precious.ts';
import { createMempoolSampler } from '../../service/src/parts/chain/mempool-history/sample-mempool.ts';
import { keepSample, listSamples } from '../../service/src/parts/chain/mempool-history/sample-store.ts';
import { forEachEngine } from '../harness/engines.ts';
import { startNode, type TestNode, waitUntil } from '../harness/litecoind.ts';
import { openBeside } from '../harness/precious-rows.ts';
import { openPurse, send, spend } from '../harness/raw-coins.ts';
import { startService } from '../harness/service.ts';
import { getJson } from './read-api.ts';

const [MINUTE, TEN_MINUTES, HOUR] = [60, 600, 3_600] as const;
const DAY = 24 * HOUR;
const start = Date.UTC(2026, 2, 1) / 1_000;
/** Of the tip of the chain that is read. */
const medianTimePast = start - HOUR;

/** A chain of which nothing is read but the mempool. */
function chainWith(txs: () => number): ReadChain {
  const view = {
    tip: { medianTimePast } as ChainView['tip'],
    get mempool() {
      return { version: 1, txs: txs(), vsize: txs() * 150, fees: 0n };
    },
    getFeeHistogram: async () => [{ feeRateMilliSatsPerVb: 2_000, vsize: txs() * 150, txs: txs() }],
  } as Partial<ChainView> as ChainView;
  return async (read) => read(view);
}

forEachEngine('the mempool over time', (engine) => {
  async function open(): Promise<Precious> {
    const precious = await openBeside(await engine.openUrl());
    onTestFinished(() => precious.close());
    return precious;
  }
  const offsets = async (precious: Precious, step: number) =>
    (await listSamples(precious, step, 0, start + 1_000 * DAY)).map(({ at }) => at - start);

  test('has one moment a minute, whatever asks, and none of a minute in which the mempool was not known', async () => {
    const precious = await open();
    const clock = { now: start, txs: 3, isWhole: true };
    const options = {
      precious,
      readChain: chainWith(() => clock.txs),
      isWhole: () => clock.isWhole,
      now: () => clock.now * 1_000,
    };
    const [first, second] = [createMempoolSampler(options), createMempoolSampler(options)];
    await first();
    clock.txs = 9;
    for (const seconds of [2, 59]) {
      clock.now = start + seconds;
      await first();
      await second();
    }
    clock.now = start + 70;
    clock.isWhole = false;
    await first();
    clock.now = start + 2 * MINUTE + 5;
    clock.isWhole = true;
    await second();
    expect(await listSamples(precious, MINUTE, start, start + HOUR)).toEqual([
      { at: start, txs: 3, rates: [[2_000, 450]] },
      { at: start + 2 * MINUTE, txs: 9, rates: [[2_000, 1_350]] },
    ]);
    expect(await offsets(precious, TEN_MINUTES)).toEqual([0]);
    expect(await offsets(precious, HOUR)).toEqual([0]);
  });

  test('a mempool that could not be recorded is looked at again a minute later', async () => {
    const precious = await open();
    let now = start;
    let isBroken = true;
    const readChain = chainWith(() => 1);
    const sample = createMempoolSampler({
      precious,
      readChain: async (read) => {
        if (isBroken) throw new Error('the database is away');
        return readChain(read);
      },
      isWhole: () => true,
      now: () => now * 1_000,
    });
    await expect(sample()).rejects.toThrow('the database is away');
    isBroken = false;
    await sample();
    expect(await offsets(precious, MINUTE)).toEqual([]);
    now = start + MINUTE;
    await sample();
    expect(await offsets(precious, MINUTE)).toEqual([MINUTE]);
  });

  test('is kept for so many steps of each length, whatever lies between them', async () => {
    const precious = await open();
    const steps = [
      { seconds: MINUTE, kept: 3 },
      { seconds: HOUR, kept: 2 },
    ];
    for (const at of [0, 1, 2, 3, 90, 100, 200].map((minutes) => minutes * MINUTE))
      await keepSample(precious, { at: start + at, txs: 1, rates: [] }, steps);
    expect(await offsets(precious, MINUTE)).toEqual([90, 100, 200].map((minutes) => minutes * MINUTE));
    expect(await offsets(precious, HOUR)).toEqual([HOUR, 3 * HOUR]);
  });

  test('a clock that is ahead for once takes nothing away, and nothing of it stays when it is right again', async () => {
    const precious = await open();
    const keep = (at: number) => keepSample(precious, { at: start + at, txs: 1, rates: [] });
    await keep(0);
    await keep(900 * DAY);
    await keep(MINUTE);
    expect(await offsets(precious, MINUTE)).toEqual([0, MINUTE]);
    for (const step of [TEN_MINUTES, HOUR]) expect(await offsets(precious, step)).toEqual([0]);
  });

  test("a clock behind the chain's own time records nothing, and takes nothing away", async () => {
    const precious = await open();
    let now = start;
    const sample = createMempoolSampler({
      precious,
      readChain: chainWith(() => 1),
      isWhole: () => true,
      now: () => now * 1_000,
    });
    await sample();
    now = medianTimePast - DAY;
    await sample();
    expect(await offsets(precious, MINUTE)).toEqual([0]);
  });
});

let node: TestNode;
beforeAll(async () => {
  node = await startNode();
  const nextCoin = await openPurse(node, { count: 3, value: 1_000_000n, owner: 1 });
  for (const fee of [200n, 2_000n, 30_000n])
    await send(node, spend([nextCoin()], [{ value: 1_000_000n - fee, owner: 2 }]));
});
afterAll(() => node.stop());

forEachEngine('the mempool over time of a service', (engine) => {
  test("is the node's, and is there after a restart", async () => {
    const service = await startService({ nodeUrl: node.url, database: await engine.openUrl() });
    onTestFinished(async () => void (await service.stop()));
    const read = (range: string) => getJson(service, `/api/v1/mempool/history?range=${range}`);
    await waitUntil('the mempool is recorded', async () => (await read('day')).points.length > 0);
    const seen = await read('day');
    const info = await node.rpc<{ size: number; bytes: number }>('getmempoolinfo');
    const [{ tx_count: txs, vsizes }] = seen.points;
    expect(txs).toBe(info.size);
    expect(vsizes.reduce((sum: number, vsize: number) => sum + vsize, 0)).toBe(info.bytes);
    expect(vsizes.filter((vsize: number) => vsize > 0)).toHaveLength(3);

    await service.stop();
    await service.start();
    for (const range of ['day', 'week', 'month', 'year'])
      expect((await read(range)).points[0]).toMatchObject({ tx_count: txs, vsizes });
    expect((await getJson(service, '/api/v1/mempool/history')).range).toBe('day');
    expect((await service.get('/api/v1/mempool/history?range=hour')).status).toBe(400);
  });
});
