import type { BenchChain } from './chain-maker.ts';
import { type DownloadResult, fetchBlockHashes, measureDownload } from './download.ts';
import { type ProcessUse, startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, type Row } from './table.ts';

/** Indexing one chain from nothing: seconds from the start of the process to the tip served. */
export type SyncResult = ProcessUse & { seconds: number; transactions: number; download: DownloadResult };

const SYNC_TIMEOUT_MS = 30 * 60_000;
const POLL_MS = 50;

/**
 * Measures the download of all raw blocks alone, then the service indexing the same chain alone, `rounds` times each,
 * and keeps the fastest of each side.
 */
export async function measureSync(
  chain: BenchChain,
  storages: StorageMaker,
  rounds: number,
): Promise<SyncResult> {
  const hashes = await fetchBlockHashes(chain.node, chain.facts.blocks);
  const download = await measureDownload(chain.node, hashes, rounds);
  let best: (ProcessUse & { seconds: number }) | undefined;
  for (let round = 0; round < rounds; round++) {
    const pass = await indexOnce(chain, storages);
    if (!best || pass.seconds < best.seconds) best = pass;
  }
  return { ...best!, transactions: chain.facts.transactions, download };
}

async function indexOnce(chain: BenchChain, storages: StorageMaker) {
  const storage = await storages.open();
  const service = await startService(chain.node.url, storage);
  try {
    const atTipMs = await waitForTip(service, chain.facts.tipHash, {
      pollMs: POLL_MS,
      timeoutMs: SYNC_TIMEOUT_MS,
    });
    return { ...service.readUse(), seconds: (atTipMs - service.startedAtMs) / 1_000 };
  } finally {
    await service.stop();
    await storage.drop();
  }
}

/** The rows of one sync. */
export function describeSync(result: SyncResult): Row[] {
  const { seconds, transactions, download } = result;
  const tried = Object.entries(download.tried).map(([window, taken]) => `${window}: ${brief(taken)} s`);
  return [
    {
      measure: 'sync: index / download alone',
      ratio: brief(seconds / download.seconds),
      bound: '<= 8, aim 4',
      figures: `${brief(seconds)} s / ${brief(download.seconds)} s, ${brief(transactions / seconds)} tx/s`,
      how: `process start to tip served; download of ${brief(download.bytes / 1e6)} MB over REST by requests in flight: ${tried.join(', ')}`,
    },
    {
      measure: 'sync: peak memory',
      ratio: '-',
      bound: '< 700 MB',
      figures: `${brief(result.peakRssBytes / 1e6)} MB, ${brief(result.cpuSeconds)} s of CPU`,
      how: 'VmHWM and CPU time of the service process (without the node, without a database server)',
    },
  ];
}

/** The row that compares the pace on a small chain with the pace on a large one. */
export function describeScale(small: SyncResult, large: SyncResult): Row {
  const pace = ({ transactions, seconds }: SyncResult): number => transactions / seconds;
  return {
    measure: 'sync: time per transaction, large chain / small chain',
    ratio: brief(pace(small) / pace(large)),
    bound: '<= 1',
    figures: `${brief(pace(small))} tx/s at ${brief(small.transactions)}, ${brief(pace(large))} tx/s at ${brief(large.transactions)}`,
    how: 'as sync, both in this run',
  };
}
