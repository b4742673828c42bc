import { compareReads, loadServer, type Measured, type ReadCase } from '../reads.ts';
import { type MeasuredProcess, type ServiceStorage, startEmptyServer } from '../service-process.ts';
import { brief, type Row } from '../table.ts';
import { dropPageCache, warmPageCache } from './page-cache.ts';
import type { Samples } from './samples.ts';

/** Answers are not kept between two requests, so that each is made. */
export const MADE_ANEW = { COINFRONT_BODY_CACHE_MB: '0' };

const COLD_SECONDS = 4;
const WARM_BOUND = '>= 0.2, aim 0.35';
const COLD_BOUND = 'p99 <= 60 ms, aim 25 ms';

/** Loads the service route by route with random samples of the chain, each between two loads of an empty route. */
export async function measureLongReads(
  service: MeasuredProcess,
  samples: Samples,
  { dataDir, databaseUrl }: ServiceStorage,
): Promise<Row[]> {
  const empty = await startEmptyServer();
  const warmUp = (): void => {
    if (databaseUrl === undefined) warmPageCache(dataDir);
  };
  try {
    const mode = { name: 'every answer made', bound: WARM_BOUND };
    return (await compareReads(service, empty, listCases(samples), mode, warmUp)).rows;
  } finally {
    await empty.stop();
  }
}

/**
 * Loads route after route of a service of whose disk nothing is in memory: first one that was just started, and then the same one, which has the code for its answers by then,
 * with other samples.
 *
 * @param open starts the service and waits until it is at its tip; it is stopped after each route
 */
export async function measureColdReads(
  open: () => Promise<MeasuredProcess>,
  samples: Samples,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, paths } of listCases(samples)) {
    const service = await open();
    try {
      for (const [turn, of] of ['a service just started', 'a service that has answered'].entries()) {
        if (!dropPageCache()) return [describeRefusal()];
        const some = paths.filter((_, i) => i % 2 === turn);
        rows.push(describeCold(name, of, await loadServer(service, some, COLD_SECONDS)));
      }
    } finally {
      await service.stop();
    }
  }
  return rows;
}

function describeCold(
  name: string,
  of: string,
  { requestsPerSecond, p50Ms, p99Ms, maxMs, failed }: Measured,
): Row {
  const failures = failed > 0 ? `, ${failed} FAILED` : '';
  return {
    measure: `cold reads: ${name}`,
    ratio: '-',
    bound: COLD_BOUND,
    figures: `p50 ${brief(p50Ms)} ms, p99 ${brief(p99Ms)} ms, worst ${brief(maxMs)} ms, ${brief(requestsPerSecond)} req/s${failures}`,
    how: `64 connections, ${COLD_SECONDS} s, of ${of}, page cache dropped before`,
  };
}

function listCases({ addresses, txids, heights }: Samples): ReadCase[] {
  return [
    { name: 'address summary', paths: addresses.map((address) => `/api/v1/address/${address}`) },
    { name: 'history page', paths: addresses.map((address) => `/api/v1/address/${address}/txs`) },
    { name: 'outputs page', paths: addresses.map((address) => `/api/v1/utxos/${address}`) },
    { name: 'transaction', paths: txids.map((txid) => `/api/v1/tx/${txid}`) },
    { name: 'block', paths: heights.map((height) => `/api/v1/block/${height}`) },
  ];
}

function describeRefusal(): Row {
  return {
    measure: 'cold reads',
    ratio: '-',
    bound: COLD_BOUND,
    figures: 'not measured',
    how: 'this user may not drop the page cache (/proc/sys/vm/drop_caches)',
  };
}
