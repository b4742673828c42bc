import { runLoad } from '../load.ts';
import type { LoadResult } from '../load-worker.ts';
import { startEmptyServer } from '../service-process.ts';
import { brief, type Row } from '../table.ts';
import type { PaymentRig } from './payment-rig.ts';

const CONNECTIONS = 64;
const LOAD_SECONDS = 4;
const WARM_UP_SECONDS = 1;
const MOST_PAYMENTS = 1_000;

/** Status reads per second, between two loads of an empty Fastify route in the same run. */
export async function measureStatusReads(rig: PaymentRig, ids: readonly string[]): Promise<Row> {
  const paths = ids.slice(0, MOST_PAYMENTS).map((id) => `/api/v1/payments/${id}`);
  const load = (origin: string, of: string[], seconds = LOAD_SECONDS): Promise<LoadResult> =>
    runLoad({ origin, paths: of, connections: CONNECTIONS, seconds });
  const empty = await startEmptyServer();
  try {
    await load(empty.origin, ['/'], WARM_UP_SECONDS);
    const before = await load(empty.origin, ['/']);
    await load(rig.service.origin, paths, WARM_UP_SECONDS);
    const measured = await load(rig.service.origin, paths);
    const after = await load(empty.origin, ['/']);
    const yardstick = (before.requestsPerSecond + after.requestsPerSecond) / 2;
    const failed = measured.failed > 0 ? `, ${measured.failed} FAILED` : '';
    return {
      measure: 'payments: status reads / empty route',
      ratio: brief(measured.requestsPerSecond / yardstick),
      bound: 'aim 10,000/s',
      figures: `${brief(measured.requestsPerSecond)} / ${brief(yardstick)} req/s, p50 ${brief(measured.p50Ms)} ms, p99 ${brief(measured.p99Ms)} ms${failed}`,
      how: `GET /payments/{id} of ${paths.length} payments, ${CONNECTIONS} connections, ${LOAD_SECONDS} s, without If-None-Match`,
    };
  } finally {
    await empty.stop();
  }
}
