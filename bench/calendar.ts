import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { maxBatchDigests } from '@coinfront/api/proof-calendar.ts';
import { startNode, type TestNode } from '../test/harness/litecoind.ts';
import { runLoad } from './load.ts';
import {
  type MeasuredProcess,
  readMemory,
  readWrittenBytes,
  type ServiceStorage,
  startService,
  waitForTip,
} from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

const BLOCKS = 150;
const SENDERS = 4;
const INTERVAL_S = 20;
const STATUS_PAUSE_MS = 50;
const READ_SECONDS = 10;
const CONNECTIONS = 64;
const PATHS = 5_000;
const TIMEOUT_MS = 120_000;

/**
 * What a calendar takes in a day, as fast as it comes: digests in batches from some senders, a tree every 20 seconds, and proofs of
 * random ones of them then. Somebody else asks for `/status` meanwhile.
 */
export async function measureCalendar(storages: StorageMaker, digests: number): Promise<Row[]> {
  const node = await startNode();
  const storage = await storages.open();
  let service: MeasuredProcess | undefined;
  try {
    const hashes = await node.mine(BLOCKS);
    service = await startService(node.url, storage, {
      COINFRONT_ANCHOR_WALLET: 'main',
      COINFRONT_CALENDAR_INTERVAL: String(INTERVAL_S),
      COINFRONT_CALENDAR_DAILY: String(4 * digests),
      COINFRONT_CALENDAR_DAILY_PER_CLIENT: String(digests),
      COINFRONT_BODY_CACHE_MB: '0',
    });
    await waitForTip(service, hashes.at(-1)!, { pollMs: 100, timeoutMs: TIMEOUT_MS });
    return [await measureTaking(service, node, storage, digests), await measureProofs(service, digests)];
  } finally {
    await service?.stop();
    await storage.drop();
    await node.stop();
  }
}

async function measureTaking(
  service: MeasuredProcess,
  node: TestNode,
  storage: ServiceStorage,
  digests: number,
): Promise<Row> {
  const watch = watchStatus(service);
  const before = service.readUse();
  const startedAtMs = performance.now();
  const answersMs = await sendAll(service, digests);
  const takenAtMs = performance.now();
  await waitUntilSent(service, digests);
  const sentAtMs = performance.now();
  const { waitsMs, peak } = await watch.stop();
  const seconds = (takenAtMs - startedAtMs) / 1_000;
  const { cpuSeconds } = service.readUse();
  const transactions = (await node.rpc<string[]>('getrawmempool')).length;
  return {
    measure: `calendar: ${brief(digests)} digests as fast as they come`,
    ratio: brief(digests / seconds / (1_000_000 / 86_400)),
    bound: 'of the pace of a million a day',
    figures: [
      `${brief(digests / seconds)} a second`,
      `a batch of ${maxBatchDigests} ${describeWaits(answersMs)}`,
      `all in ${transactions} transactions ${brief((sentAtMs - takenAtMs) / 1_000)} s behind the last`,
      `/status ${describeWaits(waitsMs)}`,
      `most ${brief(peak / 2 ** 20)} MiB`,
      `${brief(((cpuSeconds - before.cpuSeconds) / digests) * 1e6)} µs of CPU a digest`,
      ...describeFiles(service, storage, digests),
    ].join('; '),
    how: `${SENDERS} senders, one batch at a time each; a tree every ${INTERVAL_S} s`,
  };
}

async function sendAll(service: MeasuredProcess, digests: number): Promise<number[]> {
  const answersMs: number[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    while (next < digests) {
      const first = next;
      next += maxBatchDigests;
      const sha256 = Array.from({ length: Math.min(maxBatchDigests, digests - first) }, (_, i) =>
        digestOf(first + i),
      );
      const beganMs = performance.now();
      const response = await fetch(`${service.origin}/api/v1/proof/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sha256 }),
      });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      answersMs.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return answersMs;
}

/** Waits until none waits for a tree, and the newest tree's transaction is with the node. */
async function waitUntilSent(service: MeasuredProcess, digests: number): Promise<void> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  const last = digestOf(digests - 1);
  for (;;) {
    const status = await getJson<{ calendar: { waiting: number } }>(service, '/api/v1/proof/status');
    const leaf = await getJson<{ leaf: { root: string } | null; pending: unknown[] }>(
      service,
      `/api/v1/proof/leaf/${last}`,
    );
    if (status.calendar.waiting === 0 && leaf.leaf !== null && leaf.pending.length > 0) return;
    if (performance.now() > deadlineMs)
      throw new Error(`Not all were sent: ${JSON.stringify([status, leaf])}.`);
    service.checkAlive();
    await delay(100);
  }
}

async function measureProofs(service: MeasuredProcess, digests: number): Promise<Row> {
  const paths = Array.from(
    { length: PATHS },
    (_, i) => `/api/v1/proof/leaf/${digestOf((i * 7_919) % digests)}`,
  );
  const { requestsPerSecond, p50Ms, p99Ms, failed } = await runLoad({
    origin: service.origin,
    paths,
    connections: CONNECTIONS,
    seconds: READ_SECONDS,
  });
  return {
    measure: 'calendar: proofs of random digests',
    ratio: '-',
    bound: '-',
    figures: `${brief(requestsPerSecond)} a second, p50 ${brief(p50Ms)} ms, p99 ${brief(p99Ms)} ms, ${failed} failed`,
    how: `${CONNECTIONS} connections, ${READ_SECONDS} s, every answer made anew`,
  };
}

function watchStatus(service: MeasuredProcess): { stop(): Promise<{ waitsMs: number[]; peak: number }> } {
  const waitsMs: number[] = [];
  let peak = 0;
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const beganMs = performance.now();
      await getJson(service, '/api/v1/status');
      waitsMs.push(performance.now() - beganMs);
      peak = Math.max(peak, readMemory(service.pid).resident);
      await delay(STATUS_PAUSE_MS);
    }
  };
  const watching = watch();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { waitsMs, peak };
    },
  };
}

async function getJson<T>(service: MeasuredProcess, path: string): Promise<T> {
  const response = await fetch(`${service.origin}${path}`);
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

function digestOf(number: number): string {
  return createHash('sha256').update(`digest ${number}`).digest('hex');
}

function describeWaits(waitsMs: readonly number[]): string {
  return `p50 ${brief(quantile(waitsMs, 0.5))} ms, p99 ${brief(quantile(waitsMs, 0.99))} ms`;
}

/** What SQLite made of a digest; of a server's files nothing is known here. */
function describeFiles(
  service: MeasuredProcess,
  { dataDir, databaseUrl }: ServiceStorage,
  digests: number,
): string[] {
  if (databaseUrl !== undefined) return [];
  const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('front.db'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const written = readWrittenBytes(service.pid);
  return [`${brief(written / digests)} bytes written a digest, ${brief(kept / digests)} kept`];
}
