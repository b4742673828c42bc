/**
 * ckpool's status files: `pool/pool.status` (three lines of JSON), and `users/` with a file for each user. ckpool
 * writes them in place about once a minute, so a reader may meet half of a file: what cannot be read is unknown.
 */

import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { orderMiners, orderWorkers, staleAfterMs } from './mining-rules.ts';
import {
  maxListedMiners,
  maxWorkersRead,
  type PoolReading,
  type PoolSource,
  type SourceHashrate,
  type SourceMiner,
  type SourceMinerDetail,
  type SourceWorker,
  unknownMiner,
} from './pool-source.ts';
import {
  parseSourceJson,
  parseSuffixedHashrate,
  readAddress,
  readCount,
  readFields,
  readItems,
  readNumber,
  readUnixTime,
  readWorkerName,
  shortenAddress,
} from './source-values.ts';

const MAX_STATUS_BYTES = 16_384;
const MAX_USER_BYTES = 262_144;

const poolWindows = {
  hashrate1m: 60,
  hashrate5m: 300,
  hashrate15m: 900,
  hashrate1hr: 3_600,
  hashrate6hr: 21_600,
  hashrate1d: 86_400,
  hashrate7d: 604_800,
};
const { hashrate15m: _quarter, hashrate6hr: _six, ...userWindows } = poolWindows;

/** Reads ckpool's log folder. */
export function createCkpoolSource(folder: string): PoolSource {
  return {
    kind: 'ckpool',
    publishesMiners: false,
    async readMiner(key) {
      if (readAddress(key) === undefined) throw new Error('No user of ckpool has such a name.');
      const status = await readBounded(join(folder, 'pool', 'pool.status'), MAX_STATUS_BYTES);
      const file = await readBounded(join(folder, 'users', key), MAX_USER_BYTES);
      const detail = parseCkpoolUserDetail(key, file.text);
      return isLeftBehind(status.writtenAtMs, file.writtenAtMs)
        ? { ...forgetPresent(detail), workerList: undefined }
        : detail;
    },
    async read(signal) {
      const file = await readBounded(join(folder, 'pool', 'pool.status'), MAX_STATUS_BYTES);
      const status = parseCkpoolStatus(file.text);
      const { miners, isComplete } = await listUsers(join(folder, 'users'), file.writtenAtMs, signal);
      return {
        ...status,
        // What does not say its age is as old as its file.
        writtenAtMs: status.writtenAtMs ?? file.writtenAtMs,
        minerList: miners,
        isListComplete: isComplete,
      };
    },
  };
}

/**
 * Parses `pool.status`. Lines are known by their fields, so that one that is torn costs only its own.
 *
 * @throws Error when no line can be used
 */
export function parseCkpoolStatus(text: string): PoolReading {
  const lines = text
    .split('\n')
    .slice(0, 8)
    .map((line) => parseSourceJson(line));
  if (lines.every((line) => Object.keys(readFields(line)).length === 0))
    throw new Error('pool.status has no line of JSON.');
  const fields: Record<string, unknown> = {};
  for (const line of lines) Object.assign(fields, readFields(line));
  return {
    writtenAtMs: readUnixTime(fields.lastupdate),
    hashrates: readHashrates(fields, poolWindows),
    miners: readCount(fields.Users),
    workers: readCount(fields.Workers),
    // What was accepted counts from the last block on: ckpool begins anew when one is found.
    shareDifficulty: readNumber(fields.accepted),
    rejectedShares: readNumber(fields.rejected),
    effort: undefined,
    bestShare: readNumber(fields.bestshare),
    minerList: undefined,
    isListComplete: false,
    blocks: undefined,
    payments: undefined,
  };
}

/** Parses the file of one user; a torn one is a miner of whom nothing is known. ckpool publishes no list of them. */
export function parseCkpoolUser(name: string, text: string): SourceMiner {
  const fields = readFields(parseSourceJson(text));
  return { key: name, address: shortenAddress(name), ...readFigures(fields) };
}

/** Parses the file of one user with all that ckpool says of it. It counts no rejects by user, and keeps no balances: blocks pay their finder. */
export function parseCkpoolUserDetail(name: string, text: string): SourceMinerDetail {
  const fields = readFields(parseSourceJson(text));
  const workers = readItems(fields.worker, maxWorkersRead);
  return {
    ...unknownMiner,
    ...readFigures(fields),
    acceptedShares: readNumber(fields.shares),
    workerList: workers && orderWorkers(workers.map((worker) => readWorker(name, readFields(worker)))),
  };
}

function readWorker(user: string, fields: Readonly<Record<string, unknown>>): SourceWorker {
  const { workers: _, ...figures } = readFigures(fields);
  return { name: readWorkerName(fields.workername, user), ...figures };
}

function readFigures(fields: Readonly<Record<string, unknown>>): Omit<SourceMiner, 'key' | 'address'> {
  return {
    hashrates: readHashrates(fields, userWindows),
    workers: readCount(fields.workers),
    bestShare: readNumber(fields.bestshare),
    lastShareAtMs: readUnixTime(fields.lastshare),
  };
}

function readHashrates(
  fields: Readonly<Record<string, unknown>>,
  windows: Readonly<Record<string, number>>,
): SourceHashrate[] {
  return Object.entries(windows).map(([name, windowSeconds]) => ({
    windowSeconds,
    milliHashesPerSecond: parseSuffixedHashrate(fields[name]),
  }));
}

/** @param statusAtMs - when ckpool wrote its status: files that are much older it does not write any more */
async function listUsers(
  folder: string,
  statusAtMs: number,
  signal: AbortSignal,
): Promise<{ miners: SourceMiner[] | undefined; isComplete: boolean }> {
  const entries = await opendir(folder).catch(() => undefined);
  if (entries === undefined) return { miners: undefined, isComplete: false };
  const miners: SourceMiner[] = [];
  let seen = 0;
  for await (const { name } of entries) {
    if (++seen > maxListedMiners || signal.aborted) return { miners: orderMiners(miners), isComplete: false };
    if (readAddress(name) === undefined) continue;
    // Gone since the folder was read, or no file that anybody should read.
    const file = await readBounded(join(folder, name), MAX_USER_BYTES).catch(() => undefined);
    if (file === undefined) continue;
    const miner = parseCkpoolUser(name, file.text);
    miners.push(isLeftBehind(statusAtMs, file.writtenAtMs) ? forgetPresent(miner) : miner);
  }
  return { miners: orderMiners(miners), isComplete: true };
}

/** Whether ckpool writes its status but no longer the file of a user. */
function isLeftBehind(statusAtMs: number, fileAtMs: number): boolean {
  return statusAtMs - fileAtMs > staleAfterMs;
}

/** A miner whose file ckpool left behind: what it did then is not what it does. */
function forgetPresent<M extends Pick<SourceMiner, 'hashrates' | 'workers'>>(miner: M): M {
  const hashrates = miner.hashrates.map((each) => ({ ...each, milliHashesPerSecond: undefined }));
  return { ...miner, hashrates, workers: undefined };
}

/** Reads a regular file up to a size; never a link, and never a pipe that would hold the reader. */
async function readBounded(file: string, maxBytes: number): Promise<{ text: string; writtenAtMs: number }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new Error('A status file is no regular file.');
    if (facts.size > maxBytes) throw new Error('A status file is too long.');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.size), 0, facts.size, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), writtenAtMs: Math.floor(facts.mtimeMs) };
  } finally {
    await handle.close();
  }
}
