/** Miningcore's HTTP API: `/api/pools/{id}`, its miners and its blocks. */

import { maxReported, reportedStates } from '@coinfront/api/mining-reports.ts';
import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { orderMiners, orderWorkers } from './mining-rules.ts';
import {
  maxPaymentsRead,
  maxWorkersRead,
  type PaidMiner,
  type PoolReading,
  type PoolSource,
  type SourceBlock,
  type SourceMiner,
  type SourceMinerDetail,
  unknownMiner,
} from './pool-source.ts';
import {
  readAddress,
  readCount,
  readFields,
  readHashrate,
  readIsoTime,
  readItems,
  readNumber,
  readWorkerName,
} from './source-values.ts';

/** GETs a path of the operator's address and parses the JSON. */
export type FetchSource = (path: string, signal: AbortSignal) => Promise<unknown>;

const MINERS_ASKED = 500;

/** Reads one pool of a Miningcore server. */
export function createMiningcoreSource(fetchJson: FetchSource, poolId: string): PoolSource {
  const base = `/api/pools/${encodeURIComponent(poolId)}`;
  return {
    kind: 'miningcore',
    publishesMiners: true,
    async readMiner(key, signal) {
      const path = `${base}/miners/${encodeURIComponent(key)}`;
      const stats = await fetchJson(path, signal);
      const payments = await fetchJson(`${path}/payments?page=0&pageSize=${maxPaymentsRead}`, signal).catch(
        () => undefined,
      );
      return parseMiningcoreMiner(stats, payments);
    },
    async read(signal) {
      const pool = await fetchJson(base, signal);
      const unknown = () => undefined;
      const miners = await fetchJson(`${base}/miners?page=0&pageSize=${MINERS_ASKED}`, signal).catch(unknown);
      const page = `page=0&pageSize=${maxReported}`;
      const blocks = await fetchJson(`${base}/blocks?${page}`, signal).catch(unknown);
      const payments = await fetchJson(`${base}/payments?${page}`, signal).catch(unknown);
      return parseMiningcore(pool, { miners, blocks, payments });
    },
  };
}

/**
 * Parses the answer about the pool, and its lists, which may be missing.
 *
 * @throws Error when the first one describes no pool
 */
export function parseMiningcore(
  poolAnswer: unknown,
  lists: { miners?: unknown; blocks?: unknown; payments?: unknown },
): PoolReading {
  const { pool } = readFields(poolAnswer);
  if (Object.keys(readFields(pool)).length === 0) throw new Error('The answer describes no pool.');
  const { poolStats, poolEffort } = readFields(pool);
  const stats = readFields(poolStats);
  const miners = readItems(lists.miners, MINERS_ASKED);
  const known = miners?.flatMap(readMiner);
  return {
    writtenAtMs: undefined,
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(stats.poolHashrate) }],
    miners: readCount(stats.connectedMiners),
    workers: readCount(stats.connectedWorkers),
    shareDifficulty: undefined,
    rejectedShares: undefined,
    effort: readNumber(poolEffort),
    bestShare: undefined,
    minerList: known && orderMiners(known),
    // A row that cannot be read is a miner who is missing.
    isListComplete: known !== undefined && known.length === miners?.length && known.length < MINERS_ASKED,
    blocks: readList(lists.blocks, maxReported)?.map(readBlock),
    payments: readList(lists.payments, maxReported)?.flatMap(readPayment),
  };
}

/**
 * Parses both answers about one miner; the second may be missing. Miningcore keeps no best shares and counts no rejects by miner. The hashrate of
 * the miner is the sum of its machines', which is how Miningcore itself has it.
 *
 * @throws Error when the first one describes no miner
 */
export function parseMiningcoreMiner(minerAnswer: unknown, paymentAnswer: unknown): SourceMinerDetail {
  const fields = readFields(minerAnswer);
  if (!('pendingShares' in fields || 'performance' in fields))
    throw new Error('The answer describes no miner.');
  const { workers } = readFields(fields.performance);
  const machines =
    workers === undefined
      ? undefined
      : Object.entries(readFields(workers)).map(([name, worker]) => ({
          name: readWorkerName(name, ''),
          hashrates: [
            { windowSeconds: undefined, milliHashesPerSecond: readHashrate(readFields(worker).hashrate) },
          ],
          bestShare: undefined,
          lastShareAtMs: undefined,
        }));
  const rates = machines?.map(({ hashrates }) => hashrates[0]!.milliHashesPerSecond);
  const sum = rates?.reduce(
    (all, rate) => (all === undefined || rate === undefined ? undefined : all + rate),
    0n,
  );
  return {
    ...unknownMiner,
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: sum }],
    workers: machines?.length,
    pendingShares: readNumber(fields.pendingShares),
    pendingBalance: readNumber(fields.pendingBalance),
    paid: readNumber(fields.totalPaid),
    paidToday: readNumber(fields.todayPaid),
    lastPaymentAtMs: readIsoTime(fields.lastPayment),
    payments: readList(paymentAnswer, maxPaymentsRead)?.flatMap(readPayment),
    workerList: machines && orderWorkers(machines).slice(0, maxWorkersRead),
  };
}

/** An array, or the array that a later version wraps. */
function readList(answer: unknown, most: number): unknown[] | undefined {
  return readItems(Array.isArray(answer) ? answer : readFields(answer).result, most);
}

function readPayment(value: unknown): PaidMiner[] {
  const { address, amount, created, transactionConfirmationData: txid } = readFields(value);
  const coins = readNumber(amount);
  if (coins === undefined) return [];
  return [{ atMs: readIsoTime(created), address: readAddress(address), amount: coins, txid: readHash(txid) }];
}

/** Miningcore publishes whole addresses itself. */
function readMiner(value: unknown): SourceMiner[] {
  const { miner, hashrate } = readFields(value);
  const address = readAddress(miner);
  if (address === undefined) return [];
  return [
    {
      key: address,
      address,
      hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(hashrate) }],
      workers: undefined,
      bestShare: undefined,
      lastShareAtMs: undefined,
    },
  ];
}

function readBlock(value: unknown): SourceBlock {
  const { blockHeight, hash, created, status, reward, effort, miner } = readFields(value);
  return {
    height: readCount(blockHeight),
    hash: readHash(hash),
    foundAtMs: readIsoTime(created),
    state: reportedStates.find((state) => state === status),
    reward: readNumber(reward),
    // An effort of 0 is one that Miningcore has not computed.
    effort: readNumber(effort) || undefined,
    finder: readAddress(miner),
  };
}

/** A hash in display order. */
function readHash(value: unknown): string | undefined {
  const parsed = typeof value === 'string' ? parseDisplayHash(value) : undefined;
  return parsed?.ok ? toDisplayHash(parsed.value) : undefined;
}
