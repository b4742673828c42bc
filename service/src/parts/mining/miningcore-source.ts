/** Miningcore's HTTP API: `/api/pools/{id}`, its miners and its blocks. */

import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { orderMiners } from './mining-rules.ts';
import type { PoolReading, PoolSource, SourceMiner } from './pool-source.ts';
import { readAddress, readCount, readFields, readHashrate, readItems, readNumber } from './source-values.ts';

/** GETs a path of the operator's address and parses the JSON. */
export type FetchSource = (path: string, signal: AbortSignal) => Promise<unknown>;

const MINERS_ASKED = 500;
const BLOCKS_ASKED = 100;

/** Reads one pool of a Miningcore server. */
export function createMiningcoreSource(fetchJson: FetchSource, poolId: string): PoolSource {
  const base = `/api/pools/${encodeURIComponent(poolId)}`;
  return {
    kind: 'miningcore',
    async read(signal) {
      const pool = await fetchJson(base, signal);
      const unknown = () => undefined;
      const miners = await fetchJson(`${base}/miners?page=0&pageSize=${MINERS_ASKED}`, signal).catch(unknown);
      const blocks = await fetchJson(`${base}/blocks?page=0&pageSize=${BLOCKS_ASKED}`, signal).catch(unknown);
      return parseMiningcore(pool, miners, blocks);
    },
  };
}

/**
 * Parses the three answers; the later two may be missing.
 *
 * @throws Error when the first one describes no pool
 */
export function parseMiningcore(
  poolAnswer: unknown,
  minerAnswer: unknown,
  blockAnswer: unknown,
): PoolReading {
  const { pool } = readFields(poolAnswer);
  if (Object.keys(readFields(pool)).length === 0) throw new Error('The answer describes no pool.');
  const { poolStats, poolEffort } = readFields(pool);
  const stats = readFields(poolStats);
  const miners = readItems(minerAnswer, MINERS_ASKED);
  const known = miners?.flatMap(readMiner);
  return {
    writtenAtMs: undefined,
    hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(stats.poolHashrate) }],
    miners: readCount(stats.connectedMiners),
    workers: readCount(stats.connectedWorkers),
    shareDifficulty: undefined,
    effort: readNumber(poolEffort),
    bestShare: undefined,
    minerList: known && orderMiners(known),
    // A row that cannot be read is a miner who is missing.
    isListComplete: known !== undefined && known.length === miners?.length && known.length < MINERS_ASKED,
    blockEfforts: new Map((readItems(blockAnswer, BLOCKS_ASKED) ?? []).flatMap(readBlock)),
  };
}

/** Miningcore publishes whole addresses itself. */
function readMiner(value: unknown): SourceMiner[] {
  const { miner, hashrate } = readFields(value);
  const address = readAddress(miner);
  if (address === undefined) return [];
  return [
    {
      address,
      hashrates: [{ windowSeconds: undefined, milliHashesPerSecond: readHashrate(hashrate) }],
      workers: undefined,
      bestShare: undefined,
      lastShareAtMs: undefined,
    },
  ];
}

function readBlock(value: unknown): [string, number][] {
  const { hash, effort } = readFields(value);
  const parsed = typeof hash === 'string' ? parseDisplayHash(hash) : undefined;
  const known = readNumber(effort);
  // An effort of 0 is one that Miningcore has not computed.
  if (!parsed?.ok || !known) return [];
  return [[toDisplayHash(parsed.value), known]];
}
