import { expect, onTestFinished, test } from 'vitest';
import type { Precious } from '../../service/src/db/precious.ts';
import type { MiningHistoryTables } from '../../service/src/parts/mining/history/mining-tables.ts';
import {
  describeRates,
  maxKeptMiners,
  planRates,
  rateSteps,
} from '../../service/src/parts/mining/history/rate-rules.ts';
import { forgetMiners, keepRates, listRateRows } from '../../service/src/parts/mining/history/rate-store.ts';
import { createRateRecorder } from '../../service/src/parts/mining/history/record-rates.ts';
import type { KeptReading } from '../../service/src/parts/mining/watch-pool.ts';
import { forEachEngine } from '../harness/engines.ts';
import { openBeside } from '../harness/precious-rows.ts';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400] as const;
const noon = Date.UTC(2026, 2, 1, 12) / 1_000;

const rates = (milli: bigint) => [{ windowSeconds: 300, milliHashesPerSecond: milli }];
const miner = (key: string, milli: bigint) => ({
  key,
  address: key,
  hashrates: rates(milli),
  workers: 1,
  bestShare: undefined,
  lastShareAtMs: undefined,
});
/** What a pool said at a moment, Unix seconds. */
const readingAt = (atS: number, milli: bigint, miners: [string, bigint][] = []): KeptReading => ({
  writtenAtMs: atS * 1_000,
  readAtMs: atS * 1_000,
  hashrates: rates(milli),
  miners: undefined,
  workers: undefined,
  shareDifficulty: undefined,
  rejectedShares: undefined,
  effort: undefined,
  bestShare: undefined,
  minerList: miners.map(([key, rate]) => miner(key, rate)),
  isListComplete: true,
  blocks: undefined,
  payments: undefined,
});

forEachEngine('the hashrates of a pool over time', (engine) => {
  async function open(): Promise<Precious> {
    const precious = await openBeside(await engine.openUrl());
    onTestFinished(() => precious.close());
    return precious;
  }
  const pointsOf = async (
    precious: Precious,
    who: string,
    range: Parameters<typeof planRates>[1],
    nowS: number,
  ) => {
    const plan = planRates(who === '' ? 'pool' : 'miner', range, 500, nowS);
    const rows = await listRateRows(precious, { pool: '', miner: who }, plan.kept, plan.from, plan.to);
    return describeRates(plan, rows).map(({ atS, rate }) => [atS - noon, Number(rate)]);
  };
  const countRows = async (precious: Precious) => {
    const { count } = await precious
      .query<MiningHistoryTables>()
      .selectFrom('pool_rate')
      .select((each) => each.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  /** A recorder whose pool and clock the test moves. */
  function record(precious: Precious) {
    const state = {
      nowS: noon,
      reading: undefined as KeptReading | undefined,
      failed: false,
      chain: noon as number | undefined,
    };
    const make = () =>
      createRateRecorder({
        precious,
        pool: '',
        watch: {
          current: () => ({ readings: state.reading ? [state.reading] : [], failed: state.failed }),
        },
        now: () => state.nowS * 1_000,
        findChainTime: async () => state.chain,
      });
    return { state, make };
  }

  test('have one value a minute, of a miner one in five, whoever keeps them', async () => {
    const precious = await open();
    const { state, make } = record(precious);
    const [first, second] = [make(), make()];
    for (const [seconds, milli] of [
      [0, 1_000n],
      [30, 9_000n],
      [60, 2_000n],
      [300, 3_000n],
    ] as const) {
      state.nowS = noon + seconds;
      state.reading = readingAt(state.nowS, milli, [['alice', milli * 2n]]);
      await first();
      await second();
    }
    expect(await pointsOf(precious, '', '1d', state.nowS)).toEqual([
      // A day has 480 points of three minutes here: the second is the mean of two minutes.
      [0, 1_500],
      [180, 3_000],
    ]);
    expect(await pointsOf(precious, 'alice', '1d', state.nowS)).toEqual([
      [0, 2_000],
      [300, 6_000],
    ]);
    expect(await pointsOf(precious, 'alice', '1w', state.nowS)).toEqual([[0, 4_000]]);
    expect(await pointsOf(precious, 'bob', '1d', state.nowS)).toEqual([]);
  });

  test('have a gap while the pool did not answer, said nothing new, or this service was down', async () => {
    const precious = await open();
    const { state, make } = record(precious);
    const keep = make();
    await keep();
    state.reading = readingAt(noon, 1_000n);
    await keep();
    // It still says what it said: nothing new is known for the minutes that went by.
    state.nowS = noon + 4 * MINUTE;
    await keep();
    state.failed = true;
    state.reading = readingAt(state.nowS, 5_000n);
    await keep();
    state.nowS = noon + 20 * MINUTE;
    state.failed = false;
    await keep();
    state.reading = readingAt(state.nowS, 7_000n);
    await keep();
    expect(await pointsOf(precious, '', '1d', state.nowS)).toEqual([
      [0, 1_000],
      [18 * MINUTE, 7_000],
    ]);
  });

  test('are told longer than a day by means of hours and days, of what was known of them', async () => {
    const precious = await open();
    const midnight = noon - 12 * HOUR;
    for (const [hours, milli] of [
      [0, 100n],
      [0.5, 300n],
      [1, 400n],
      [30, 800n],
    ] as const)
      await keepRates(precious, '', rateSteps.pool, midnight + hours * HOUR, new Map([['', milli]]));
    const now = midnight + 31 * HOUR;
    expect(await pointsOf(precious, '', '1w', now)).toEqual([
      [-12 * HOUR, 200],
      [-11 * HOUR, 400],
      [18 * HOUR, 800],
    ]);
    expect(await pointsOf(precious, '', '1y', now)).toEqual([
      [-12 * HOUR, 300],
      [12 * HOUR, 800],
    ]);
  });

  test('stay bounded: a year of samples leaves as many rows as there are steps to keep', async () => {
    const precious = await open();
    for (let day = 0; day < 400; day += 1)
      await keepRates(precious, '', rateSteps.pool, noon + day * DAY, new Map([['', 1_000n]]));
    const [fine, hourly] = rateSteps.pool;
    const daily = 400 / 60 + 2;
    expect(await countRows(precious)).toBeLessThanOrEqual(fine!.rows + hourly!.rows + daily);
    const year = await pointsOf(precious, '', '1y', noon + 400 * DAY);
    expect(year.length).toBeGreaterThan(360);
    expect(year.every(([, milli]) => milli === 1_000)).toBe(true);
  });

  test('a clock that was ahead for once takes nothing away, and what it left goes', async () => {
    const precious = await open();
    const keep = (atS: number) => keepRates(precious, '', rateSteps.pool, atS, new Map([['', 1_000n]]));
    await keep(noon);
    await keep(noon + 900 * DAY);
    await keep(noon + HOUR);
    expect(await pointsOf(precious, '', '1w', noon + 2 * HOUR)).toEqual([
      [0, 1_000],
      [HOUR, 1_000],
    ]);
    expect(await pointsOf(precious, '', '1d', noon + 900 * DAY)).toEqual([]);
  });

  test('a clock hours behind the chain keeps nothing, for it would take what is later', async () => {
    const precious = await open();
    const { state, make } = record(precious);
    const keep = make();
    state.chain = undefined;
    state.reading = readingAt(noon, 1_000n);
    await keep();
    state.chain = noon + 3 * HOUR;
    await keep();
    expect(await countRows(precious)).toBe(0);
    state.chain = noon + HOUR;
    await keep();
    expect(await countRows(precious)).toBe(rateSteps.pool.length);
  });

  test('are kept of so many miners at most; those who were seen longest ago go first', async () => {
    const precious = await open();
    const keep = (atS: number, names: readonly string[]) =>
      keepRates(precious, '', rateSteps.miner, atS, new Map(names.map((name) => [name, 5_000n])));
    await keep(noon, ['old', 'older']);
    await keep(noon + 3 * HOUR, ['old']);
    const many = Array.from({ length: maxKeptMiners - 1 }, (_, i) => `m${i}`);
    await keep(noon + 6 * HOUR, many);
    await forgetMiners(precious.query<MiningHistoryTables>(), '');
    const known = async (name: string) => (await pointsOf(precious, name, '1w', noon + 6 * HOUR)).length;
    expect(await known('old')).toBe(2);
    expect(await known('m0')).toBe(1);
    expect(await known('older')).toBe(0);
    // Another pool of the operator is counted apart.
    await forgetMiners(precious.query<MiningHistoryTables>(), 'merged');
    expect(await known('old')).toBe(2);
  });
});

test('steps of a miner are rows of some hundred bytes: a thousand of them are a few megabytes', () => {
  const values = Object.values(rateSteps.miner).reduce((sum, { perRow, rows }) => sum + perRow * rows, 0);
  // Five digits, the zeros left off, a comma.
  expect(values * 9 * maxKeptMiners).toBeLessThan(40_000_000);
});
