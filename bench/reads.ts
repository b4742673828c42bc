import { createRandom } from './chain/random.ts';
import type { BenchChain } from './chain-maker.ts';
import { runLoad } from './load.ts';
import type { LoadResult } from './load-worker.ts';
import {
  type MeasuredProcess,
  type ServiceStorage,
  startEmptyServer,
  startService,
  waitForTip,
} from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, type Row } from './table.ts';

/** What a load found, and how much of a core the server had for it. */
export type Measured = LoadResult & { serverCpuShare: number };

/** Requests of one kind. */
export type ReadCase = { name: string; paths: string[] };
/** Which answers are measured, and what they are held to. */
export type ReadMode = { name: string; bound: string };

const CONNECTIONS = 64;
const LOAD_SECONDS = 4;
const WARM_UP_SECONDS = 1;
const SYNC_TIMEOUT_MS = 30 * 60_000;
const RANDOM_HEIGHTS = 1_000;
const BOUND = '>= 0.3, aim 0.5; p99 < 15 ms';

/**
 * Loads the service over the indexed chain, route by route, each between two loads of an empty Fastify server in the
 * same run, with the same load process, connections and time.
 */
export async function measureReads(chain: BenchChain, storages: StorageMaker): Promise<Row[]> {
  const storage = await storages.open();
  try {
    return [
      ...(await measureMode(chain, storage, {
        name: 'every answer made',
        settings: { COINFRONT_BODY_CACHE_MB: '0' },
      })),
      ...(await measureMode(chain, storage, { name: 'as it is', settings: {} })),
    ];
  } finally {
    await storage.drop();
  }
}

/** The service keeps answers between two blocks: once without, so that each is made, and once as operators run it. */
type Mode = { name: string; settings: Record<string, string> };

async function measureMode(chain: BenchChain, storage: ServiceStorage, mode: Mode): Promise<Row[]> {
  const service = await startService(chain.node.url, storage, mode.settings);
  const empty = await startEmptyServer();
  try {
    await waitForTip(service, chain.facts.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
    const { rows, ratioOf } = await compareReads(service, empty, listCases(chain), {
      name: mode.name,
      bound: BOUND,
    });
    return [...rows, describeHot(ratioOf, mode.name)];
  } finally {
    await service.stop();
    await empty.stop();
  }
}

/**
 * Loads a service that is at its tip, case by case, each between two loads of the empty server.
 *
 * @param warmUp is called before each case
 */
export async function compareReads(
  service: MeasuredProcess,
  empty: MeasuredProcess,
  cases: readonly ReadCase[],
  mode: ReadMode,
  warmUp: () => void = () => {},
): Promise<{ rows: Row[]; ratioOf: ReadonlyMap<string, number> }> {
  await loadServer(empty, ['/'], WARM_UP_SECONDS);
  const rows: Row[] = [];
  const ratioOf = new Map<string, number>();
  let before = await loadServer(empty, ['/'], LOAD_SECONDS);
  for (const { name, paths } of cases) {
    warmUp();
    await loadServer(service, paths, WARM_UP_SECONDS);
    const measured = await loadServer(service, paths, LOAD_SECONDS);
    const after = await loadServer(empty, ['/'], LOAD_SECONDS);
    const yardstick = averageOf(before, after);
    ratioOf.set(name, measured.requestsPerSecond / yardstick.requestsPerSecond);
    rows.push(describeRead({ ...mode, name: `${name}, ${mode.name}` }, measured, yardstick));
    before = after;
  }
  return { rows, ratioOf };
}

const HOT_CASE = 'ten entries of the longest history';
const TEN_CASE = 'ten entries of histories of ten';

function listCases({ facts }: BenchChain): ReadCase[] {
  const random = createRandom(facts.seed);
  // Each once: the samples are of outputs, among which busy addresses come again and again.
  const addresses = [...new Set(facts.sampleAddresses)];
  const heights = Array.from({ length: RANDOM_HEIGHTS }, () => random.below(facts.blocks + 1));
  return [
    { name: 'address, random', paths: addresses.map((address) => `/api/v1/address/${address}`) },
    { name: 'address with the longest history', paths: [`/api/v1/address/${facts.hotAddress}`] },
    { name: 'utxos, random', paths: addresses.map((address) => `/api/v1/utxos/${address}`) },
    { name: 'utxos of the longest history', paths: [`/api/v1/utxos/${facts.hotAddress}`] },
    {
      name: TEN_CASE,
      paths: facts.tenTxAddresses.map((address) => `/api/v1/address/${address}/txs?limit=10`),
    },
    { name: HOT_CASE, paths: [`/api/v1/address/${facts.hotAddress}/txs?limit=10`] },
    { name: 'tx, random', paths: facts.sampleTxids.map((txid) => `/api/v1/tx/${txid}`) },
    { name: 'block, random', paths: heights.map((height) => `/api/v1/block/${height}`) },
  ];
}

/** Loads a server for some seconds with the bench's 64 connections. */
export async function loadServer(
  server: MeasuredProcess,
  paths: string[],
  seconds: number,
): Promise<Measured> {
  server.checkAlive();
  const cpuBefore = server.readUse().cpuSeconds;
  const result = await runLoad({ origin: server.origin, paths, connections: CONNECTIONS, seconds });
  const cpu = server.readUse().cpuSeconds - cpuBefore;
  return { ...result, serverCpuShare: cpu / seconds };
}

type Yardstick = Pick<Measured, 'requestsPerSecond' | 'serverCpuShare' | 'p99Ms'>;

function averageOf(before: Measured, after: Measured): Yardstick {
  return {
    requestsPerSecond: (before.requestsPerSecond + after.requestsPerSecond) / 2,
    serverCpuShare: (before.serverCpuShare + after.serverCpuShare) / 2,
    p99Ms: (before.p99Ms + after.p99Ms) / 2,
  };
}

function describeRead({ name, bound }: ReadMode, measured: Measured, empty: Yardstick): Row {
  const paceByCpu = ({
    requestsPerSecond,
    serverCpuShare,
  }: Pick<Yardstick, 'requestsPerSecond' | 'serverCpuShare'>): number => requestsPerSecond / serverCpuShare;
  const failed = measured.failed > 0 ? `, ${measured.failed} FAILED` : '';
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  return {
    measure: `reads: ${name} / empty route`,
    ratio: brief(measured.requestsPerSecond / empty.requestsPerSecond),
    bound,
    figures: `${brief(measured.requestsPerSecond)} / ${brief(empty.requestsPerSecond)} req/s, p50 ${brief(measured.p50Ms)} ms, p99 ${brief(measured.p99Ms)} ms (empty route ${brief(empty.p99Ms)} ms)${failed}`,
    how: `${CONNECTIONS} connections, ${LOAD_SECONDS} s; per CPU second of the server ${brief(paceByCpu(measured) / paceByCpu(empty))}; CPU of service ${percent(measured.serverCpuShare)}, of empty server ${percent(empty.serverCpuShare)}, of the load ${percent(measured.loadCpuShare)}`,
  };
}

function describeHot(ratioOf: ReadonlyMap<string, number>, mode: string): Row {
  const hot = ratioOf.get(HOT_CASE)!;
  const ten = ratioOf.get(TEN_CASE)!;
  return {
    measure: `reads: ten entries of the longest history / of a history of ten, ${mode}`,
    ratio: brief(hot / ten),
    bound: 'about 1',
    figures: `${brief(hot)} / ${brief(ten)} of the empty route`,
    how: 'the two rows above, each against the empty route next to it',
  };
}
