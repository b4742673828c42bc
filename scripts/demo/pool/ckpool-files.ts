import { findWork, type Miner, type ShareLog, type Work } from './share-log.ts';

// The files that ckpool writes for others to read, and that `COINFRONT_POOL_SOURCE=ckpool:<folder>` names.

/** `pool/pool.status`: three lines of JSON. */
export function writePoolStatus(log: ShareLog, miners: readonly Miner[], nowMs: number): string {
  const { pool, accepted } = log;
  const lines = [
    {
      runtime: Math.floor((nowMs - log.startedAtMs) / 1000),
      lastupdate: Math.floor(nowMs / 1000),
      Users: miners.length,
      Workers: miners.reduce((sum, { workers }) => sum + workers, 0),
      Idle: 0,
      Disconnected: 0,
    },
    showRates(pool),
    { accepted, rejected: 0, bestshare: pool.best },
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** `users/<address>`. */
export function writeUser(log: ShareLog, miner: Miner): string {
  const work = findWork(log, miner);
  const { hashrate15m: _quarter, hashrate6hr: _six, ...rates } = showRates(work);
  const lastshare = Math.floor(work.lastShareAtMs / 1000);
  const user = {
    ...rates,
    lastshare,
    workers: miner.workers,
    shares: work.shares,
    bestshare: work.best,
    worker: Array.from({ length: miner.workers }, (_, i) => {
      const { hashrate15m: _minutes, hashrate6hr: _hours, ...ofMachine } = showRates(work, miner.workers);
      return { workername: `${miner.address}.rig${i + 1}`, ...ofMachine, lastshare, bestshare: work.best };
    }),
  };
  return `${JSON.stringify(user)}\n`;
}

/** Hashes per second as text, of each of some machines alike; below a thousand, ckpool adds no letter. */
function showRates(
  { rates }: Work,
  machines = 1,
): Work['rates'] extends Record<infer K, number> ? Record<K, string> : never {
  const shown = Object.entries(rates).map(([name, rate]) => [name, (rate / machines).toFixed(3)]);
  return Object.fromEntries(shown);
}
