/**
 * What a small solo pool counts of its miners' shares. A miner's share is a hash below a bound that is easier than the network's; now
 * and then one is below the network's, too, and that is a block. So figures, blocks and luck hang together as in a real pool.
 */

import type { Random } from '../../traffic/random.ts';

/** A miner, by the address that its blocks pay. */
export type Miner = {
  readonly address: string;
  /** Its part of the pool's work, in any unit. */
  readonly weight: number;
  readonly workers: number;
};

/** What is known of one who mines: a miner, or the pool. */
export type Work = {
  /** Hashes per second, by window; moving averages that forget as ckpool's do. */
  rates: Record<Window, number>;
  /** The best share ever, as a difficulty. */
  best: number;
  /** Shares ever. */
  shares: number;
  /** Unix milliseconds; 0: none yet. */
  lastShareAtMs: number;
};

export type Window = keyof typeof windows;

/** ckpool's windows, in seconds. */
export const windows = {
  hashrate1m: 60,
  hashrate5m: 300,
  hashrate15m: 900,
  hashrate1hr: 3_600,
  hashrate6hr: 21_600,
  hashrate1d: 86_400,
  hashrate7d: 604_800,
};

/** All that a pool keeps; plain data, so that it lasts from start to start. */
export type ShareLog = {
  startedAtMs: number;
  /** Until when work is counted. */
  countedToMs: number;
  pool: Work;
  miners: Record<string, Work>;
  /** Sum of the difficulties of shares since the pool's last block. */
  accepted: number;
};

/** Hashes that a block of regtest takes on average. */
const BLOCK_HASHES = 2;
/** A difficulty of 1 stands for so many hashes. */
const HASHES_PER_DIFFICULTY = 2 ** 32;
const NETWORK_DIFFICULTY = BLOCK_HASHES / HASHES_PER_DIFFICULTY;
/** Shares are so much easier than blocks. */
const SHARES_PER_BLOCK = 16;
const SHARE_DIFFICULTY = NETWORK_DIFFICULTY / SHARES_PER_BLOCK;
/** Shares while the network looks for one block: of about four blocks in ten the pool finds the hash. */
const SHARES_PER_ROUND = { min: 4, max: 12 };
const BEST_SHARE_SPREAD = 1e-6;

export function newShareLog(nowMs: number): ShareLog {
  return { startedAtMs: nowMs, countedToMs: nowMs, pool: newWork(), miners: {}, accepted: 0 };
}

function newWork(): Work {
  const rates = Object.fromEntries(Object.keys(windows).map((name) => [name, 0])) as Record<Window, number>;
  return { rates, best: 0, shares: 0, lastShareAtMs: 0 };
}

/**
 * Counts the shares of one round, which is the time that the network takes for a block, up to `nowMs`.
 *
 * @returns the miner whose share is a block; undefined when somebody else found this one
 */
export function countRound(
  log: ShareLog,
  miners: readonly Miner[],
  random: Random,
  nowMs: number,
): Miner | undefined {
  const shares = random.integer(SHARES_PER_ROUND.min, SHARES_PER_ROUND.max);
  const hashes = new Map<string, number>();
  let finder: Miner | undefined;
  for (let left = shares; left > 0 && finder === undefined; left -= 1) {
    const miner = pickMiner(miners, random);
    const difficulty = SHARE_DIFFICULTY / Math.max(BEST_SHARE_SPREAD, random.next());
    for (const work of [log.pool, findWork(log, miner)]) {
      work.shares += 1;
      work.best = Math.max(work.best, difficulty);
      work.lastShareAtMs = nowMs;
    }
    log.accepted += SHARE_DIFFICULTY;
    hashes.set(miner.address, (hashes.get(miner.address) ?? 0) + BLOCK_HASHES / SHARES_PER_BLOCK);
    if (difficulty >= NETWORK_DIFFICULTY) finder = miner;
  }
  const seconds = Math.max(0.05, (nowMs - log.countedToMs) / 1000);
  let all = 0;
  for (const miner of miners) {
    const done = hashes.get(miner.address) ?? 0;
    all += done;
    average(findWork(log, miner), done / seconds, seconds);
  }
  average(log.pool, all / seconds, seconds);
  log.countedToMs = nowMs;
  return finder;
}

/** A block of the pool is in the chain: shares count anew. */
export function countBlock(log: ShareLog): void {
  log.accepted = 0;
}

/** What is known of a miner; nothing yet of a new one. */
export function findWork(log: ShareLog, { address }: Miner): Work {
  const known = log.miners[address];
  if (known !== undefined) return known;
  const work = newWork();
  log.miners[address] = work;
  return work;
}

function pickMiner(miners: readonly Miner[], random: Random): Miner {
  let point = random.next() * miners.reduce((sum, { weight }) => sum + weight, 0);
  for (const miner of miners) {
    point -= miner.weight;
    if (point <= 0) return miner;
  }
  return miners.at(-1)!;
}

function average(work: Work, rate: number, seconds: number): void {
  for (const [name, window] of Object.entries(windows) as [Window, number][]) {
    work.rates[name] += (1 - Math.exp(-seconds / window)) * (rate - work.rates[name]);
  }
}
