import { describe, expect, test } from 'vitest';
import {
  parseCkpoolStatus,
  parseCkpoolUser,
  parseCkpoolUserDetail,
} from '../../../service/src/parts/mining/ckpool-source.ts';
import { createRandom } from '../../traffic/random.ts';
import { writePoolStatus, writeUser } from './ckpool-files.ts';
import { countBlock, countRound, type Miner, newShareLog } from './share-log.ts';

/** Of regtest: two hashes a block. */
const NETWORK_DIFFICULTY = 2 / 2 ** 32;
const ROUND_MS = 10_000;
const ROUNDS = 3_000;
const miners: Miner[] = [
  { address: 'rltc1qfirst', weight: 3, workers: 2 },
  { address: 'rltc1qsecond', weight: 1, workers: 1 },
];

function run() {
  const random = createRandom(5);
  const log = newShareLog(0);
  const efforts: number[] = [];
  const found = new Map<string, number>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    const finder = countRound(log, miners, random, round * ROUND_MS);
    if (finder === undefined) continue;
    found.set(finder.address, (found.get(finder.address) ?? 0) + 1);
    efforts.push(log.accepted / NETWORK_DIFFICULTY);
    countBlock(log);
  }
  return { log, efforts, found };
}

describe('the stand-in for a pool hangs together as a real one does', () => {
  const { log, efforts, found } = run();

  test('a block takes an effort of one on average', () => {
    const mean = efforts.reduce((sum, effort) => sum + effort, 0) / efforts.length;
    expect(mean).toBeGreaterThan(0.9);
    expect(mean).toBeLessThan(1.1);
  });

  test('its hashrate is what its blocks took, and its miners find as many as they work for', () => {
    const perSecond = (2 * efforts.length) / ((ROUNDS * ROUND_MS) / 1000);
    expect(log.pool.rates.hashrate1hr / perSecond).toBeGreaterThan(0.8);
    expect(log.pool.rates.hashrate1hr / perSecond).toBeLessThan(1.2);
    const [first, second] = miners.map(({ address }) => found.get(address) ?? 0);
    expect(first! / second!).toBeGreaterThan(2.4);
    expect(first! / second!).toBeLessThan(3.6);
  });

  test('its best share would have been a block', () => {
    expect(log.pool.best).toBeGreaterThanOrEqual(NETWORK_DIFFICULTY);
  });

  test('its files are read as those of ckpool', () => {
    const nowMs = ROUNDS * ROUND_MS;
    const status = parseCkpoolStatus(writePoolStatus(log, miners, nowMs));
    expect(status).toMatchObject({ writtenAtMs: nowMs, miners: 2, workers: 3, bestShare: log.pool.best });
    expect(status.hashrates.every(({ milliHashesPerSecond }) => milliHashesPerSecond !== undefined)).toBe(
      true,
    );
    const user = parseCkpoolUser(miners[0]!.address, writeUser(log, miners[0]!));
    expect(user).toMatchObject({ workers: 2, lastShareAtMs: expect.any(Number) });
    expect(user.hashrates[0]!.milliHashesPerSecond).toBeGreaterThan(0n);
    const { workerList } = parseCkpoolUserDetail(miners[0]!.address, writeUser(log, miners[0]!));
    expect(workerList!.map(({ name }) => name)).toEqual(['rig1', 'rig2']);
  });
});
