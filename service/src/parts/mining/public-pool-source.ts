/**
 * public-pool's HTTP API: `/api/pool`, `/api/info` for the best share, and `/api/client/{address}`. It publishes no list of miners.
 */

import { orderWorkers } from './mining-rules.ts';
import type { FetchSource } from './miningcore-source.ts';
import {
  maxWorkersRead,
  type PoolReading,
  type PoolSource,
  type SourceMinerDetail,
  type SourceWorker,
  unknownMiner,
} from './pool-source.ts';
import {
  readCount,
  readFields,
  readHashrate,
  readIsoTime,
  readItems,
  readNumberOrText,
  readWorkerName,
} from './source-values.ts';

const SCORES_READ = 100;

/** Reads a public-pool server. Its list of blocks holds some that were refused, so blocks come from the chain alone. */
export function createPublicPoolSource(fetchJson: FetchSource): PoolSource {
  return {
    kind: 'public-pool',
    publishesMiners: false,
    async readMiner(key, signal) {
      return parsePublicPoolClient(await fetchJson(`/api/client/${encodeURIComponent(key)}`, signal));
    },
    async read(signal) {
      const pool = await fetchJson('/api/pool', signal);
      const info = await fetchJson('/api/info', signal).catch(() => undefined);
      return parsePublicPool(pool, info);
    },
  };
}

/**
 * Parses both answers; the second may be missing.
 *
 * @throws Error when the first one describes no pool
 */
export function parsePublicPool(poolAnswer: unknown, infoAnswer: unknown): PoolReading {
  const pool = readFields(poolAnswer);
  if (!('totalHashRate' in pool || 'totalMiners' in pool)) throw new Error('The answer describes no pool.');
  const scores = (readItems(readFields(infoAnswer).highScores, SCORES_READ) ?? []).flatMap(
    (score) => readNumberOrText(readFields(score).bestDifficulty) ?? [],
  );
  return {
    writtenAtMs: undefined,
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(pool.totalHashRate) }],
    miners: undefined,
    // What it calls miners are connections, each of one machine.
    workers: readCount(pool.totalMiners),
    shareDifficulty: undefined,
    rejectedShares: undefined,
    effort: undefined,
    bestShare: scores.length === 0 ? undefined : Math.max(...scores),
    minerList: undefined,
    isListComplete: false,
    blocks: undefined,
    payments: undefined,
  };
}

/**
 * Parses what it says of one address. Its hashrate is known where all its machines are listed.
 *
 * @throws Error when the answer describes no client
 */
export function parsePublicPoolClient(answer: unknown): SourceMinerDetail {
  const client = readFields(answer);
  const workers = Array.isArray(client.workers) ? client.workers : undefined;
  if (workers === undefined) throw new Error('The answer describes no client.');
  const machines = workers.slice(0, maxWorkersRead).map((worker) => readMachine(readFields(worker)));
  const rates = machines.map(({ hashrates }) => hashrates[0]!.milliHashesPerSecond);
  const isWhole = machines.length === workers.length && rates.every((rate) => rate !== undefined);
  const times = machines.flatMap(({ lastShareAtMs }) => lastShareAtMs ?? []);
  return {
    ...unknownMiner,
    hashrates: [
      {
        windowSeconds: undefined,
        milliHashesPerSecond: isWhole ? rates.reduce((sum, rate) => sum + rate!, 0n) : undefined,
      },
    ],
    workers: readCount(client.workersCount),
    bestShare: readNumberOrText(client.bestDifficulty),
    lastShareAtMs: times.length === 0 ? undefined : Math.max(...times),
    workerList: orderWorkers(machines),
  };
}

function readMachine(fields: Readonly<Record<string, unknown>>): SourceWorker {
  return {
    name: readWorkerName(fields.name, ''),
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(fields.hashRate) }],
    bestShare: readNumberOrText(fields.bestDifficulty),
    lastShareAtMs: readIsoTime(fields.lastSeen),
  };
}
