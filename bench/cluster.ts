import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  startPostgres,
  startStandby,
  type TestPostgres,
  type TestStandby,
} from '../test/harness/postgres.ts';
import { payoutDescriptor, resumeTraffic } from './chain/mine.ts';
import type { BenchChain } from './chain-maker.ts';
import { startCachingProxy } from './cluster/caching-proxy.ts';
import { readTreeCpu } from './cluster/tree-cpu.ts';
import { runLoad } from './load.ts';
import { type MeasuredProcess, startService, waitForTip } from './service-process.ts';
import { brief, type Row } from './table.ts';

const CONNECTIONS = 64;
const LOAD_SECONDS = 4;
const WARM_UP_SECONDS = 1;
const SYNC_TIMEOUT_MS = 10 * 60_000;
const BLOCKS = 6;
const BLOCK_TXS = 2_000;
const HOT_PATHS = ['/api/v1/blocks', '/api/v1/stats', '/api/v1/supply', '/api/v1/fee'];

/** What runs beside the loaded processes. */
type Cluster = {
  chain: BenchChain;
  primary: TestPostgres;
  standby: TestStandby;
  databaseUrl: string;
  dataDir: string;
  indexer: MeasuredProcess;
};

/**
 * Loads 1, 2 and 4 API processes on one PostgreSQL, and on a primary with a replica; then what a cache in front, a revalidation
 * and a block cost. On a machine of few cores it tells what each request costs where, not how far it goes. The chain must be a copy.
 *
 * @param only `layouts`, `caches` or `blocks`; all unless given
 */
export async function measureCluster(chain: BenchChain, only = ''): Promise<Row[]> {
  const cluster = await openCluster(chain);
  try {
    const { facts } = chain;
    const addresses = [...new Set(facts.sampleAddresses)].map((address) => `/api/v1/address/${address}`);
    const txs = facts.sampleTxids.map((txid) => `/api/v1/tx/${txid}`);
    const rows: Row[] = [];
    const layouts = 'layouts'.includes(only) ? [false, true] : [];
    for (const withReplica of layouts) {
      for (const processes of [1, 2, 4]) {
        const name = `${processes} API on ${withReplica ? 'a primary and a replica' : 'one PostgreSQL'}`;
        const settings = { ...describeLayout(cluster, processes, withReplica), COINFRONT_BODY_CACHE_MB: '0' };
        rows.push(
          ...(await withApi(cluster, settings, async (api) => [
            await measure(cluster, api, `${name}: address, random, made anew`, addresses),
            await measure(cluster, api, `${name}: transaction, random, made anew`, txs),
          ])),
        );
      }
    }
    if ('caches'.includes(only)) {
      const one = describeLayout(cluster, 1, false);
      rows.push(...(await withApi(cluster, one, (api) => measureCaches(cluster, api))));
    }
    if ('blocks'.includes(only)) rows.push(...(await measureBlocks(cluster)));
    return rows;
  } finally {
    await cluster.indexer.stop();
    await Promise.all([cluster.primary.stop(), cluster.standby.stop()]);
    await rm(cluster.dataDir, { recursive: true, force: true });
  }
}

async function openCluster(chain: BenchChain): Promise<Cluster> {
  const primary = await startPostgres({ settings: {} });
  const databaseUrl = await primary.createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-bench-cluster-'));
  const storage = { dataDir, databaseUrl };
  // The first sync is no part of it: a replica would only slow it down.
  const first = await startService(chain.node.url, storage);
  await waitForTip(first, chain.facts.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
  await first.stop();
  const standby = await startStandby(primary, { settings: {} });
  const indexer = await startService(chain.node.url, storage, { COINFRONT_ROLES: 'indexer,worker' });
  return { chain, primary, standby, databaseUrl, dataDir, indexer };
}

function describeLayout(
  { databaseUrl, standby }: Cluster,
  processes: number,
  withReplica: boolean,
): Record<string, string> {
  return {
    COINFRONT_ROLES: 'api',
    COINFRONT_API_PROCESSES: String(processes),
    ...(withReplica && { COINFRONT_DATABASE_READ_URL: standby.urlOf(databaseUrl) }),
  };
}

async function withApi<T>(
  { chain, databaseUrl, dataDir }: Cluster,
  settings: Record<string, string>,
  use: (api: MeasuredProcess) => Promise<T>,
): Promise<T> {
  const api = await startService(chain.node.url, { dataDir, databaseUrl }, settings);
  try {
    await waitForTip(api, chain.facts.tipHash, { pollMs: 50, timeoutMs: SYNC_TIMEOUT_MS });
    return await use(api);
  } finally {
    await api.stop();
  }
}

type LoadOptions = { origin?: string; headers?: Record<string, string>; proxyPid?: number };

async function measure(
  { primary, standby }: Cluster,
  api: MeasuredProcess,
  name: string,
  paths: string[],
  { origin = api.origin, headers, proxyPid }: LoadOptions = {},
): Promise<Row> {
  const order = { origin, paths, connections: CONNECTIONS, ...(headers && { headers }) };
  await runLoad({ ...order, seconds: WARM_UP_SECONDS });
  const pids = { API: api.pid, primary: primary.pid(), replica: standby.pid(), proxy: proxyPid };
  const look = () => Object.values(pids).map((pid) => (pid === undefined ? 0 : readTreeCpu(pid)));
  const before = look();
  const result = await runLoad({ ...order, seconds: LOAD_SECONDS });
  const used = look().map((cpu, i) => cpu - before[i]!);
  const requests = result.requestsPerSecond * LOAD_SECONDS;
  const parts = Object.keys(pids).map((part, i) => ({
    part,
    share: used[i]! / LOAD_SECONDS,
    each: used[i]! / requests,
  }));
  const busy = parts.filter(({ share }) => share >= 0.02);
  const most = busy.toSorted((a, b) => b.share - a.share)[0];
  const failed = result.failed > 0 ? `, ${result.failed} FAILED` : '';
  return {
    measure: name,
    ratio: '-',
    bound: '-',
    figures: `${brief(result.requestsPerSecond)} req/s, p50 ${brief(result.p50Ms)} ms, p99 ${brief(result.p99Ms)} ms${failed}; ms of CPU a request: ${busy.map(({ part, each }) => `${part} ${brief(each * 1_000)}`).join(', ')}`,
    how: `cores used: ${busy.map(({ part, share }) => `${part} ${share.toFixed(2)}`).join(', ')}, load ${result.loadCpuShare.toFixed(2)}; most by ${most?.part ?? 'the load'}`,
  };
}

/** The cache in front, and what a client pays for that asks whether something is new. */
async function measureCaches(cluster: Cluster, api: MeasuredProcess): Promise<Row[]> {
  const { facts } = cluster.chain;
  const address = `/api/v1/address/${facts.hotAddress}`;
  const etag = (await fetch(api.origin + address)).headers.get('etag') ?? '';
  const proxy = await startCachingProxy(api.origin);
  const through = { origin: proxy.origin, proxyPid: proxy.pid };
  try {
    return [
      await measure(cluster, api, 'front page of an explorer, no cache in front', HOT_PATHS),
      await measure(cluster, api, 'the same through nginx, which keeps what may be kept', HOT_PATHS, through),
      await measure(cluster, api, 'an address through nginx, which may not keep it', [address], through),
      await measure(cluster, api, 'an address, asked for with its ETag: 304', [address], {
        headers: { 'if-none-match': etag },
      }),
    ];
  } finally {
    await proxy.stop();
  }
}

/** What a block costs that nobody asks for. */
async function measureBlocks({ chain, primary, standby, indexer }: Cluster): Promise<Row[]> {
  const { node, facts } = chain;
  const traffic = await resumeTraffic(node, { seed: facts.seed, transactions: facts.requested });
  const look = () => [indexer.pid, primary.pid()!, standby.pid()!].map(readTreeCpu);
  const run = async (name: string, count: number): Promise<Row> => {
    const before = look();
    const startedMs = performance.now();
    for (let block = 0; block < BLOCKS; block++) {
      const raws = Array.from({ length: count }, () => traffic.next().hex);
      await node.rpc('generateblock', payoutDescriptor(), raws);
      await delay(300);
    }
    await delay(1_000);
    const seconds = (performance.now() - startedMs) / 1_000;
    const used = look().map((cpu, i) => ((cpu - before[i]!) / BLOCKS) * 1_000);
    const [ofIndexer, ofPrimary, ofReplica] = used.map((ms) => brief(ms));
    return {
      measure: name,
      ratio: '-',
      bound: '-',
      figures: `ms of CPU a block: indexer and worker ${ofIndexer}, primary ${ofPrimary}, replica ${ofReplica}`,
      how: `${BLOCKS} blocks in ${brief(seconds)} s, polls of that time included`,
    };
  };
  return [
    await run('blocks without transactions', 0),
    await run(`blocks of ${BLOCK_TXS} transactions`, BLOCK_TXS),
  ];
}
