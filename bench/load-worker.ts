import autocannon from 'autocannon';
import { createRandom } from './chain/random.ts';

/** One bounded load: every connection walks the paths from its own random place. */
export type LoadOrder = {
  origin: string;
  paths: string[];
  connections: number;
  seconds: number;
  headers?: Record<string, string>;
};

/** What a load found. Latencies are in milliseconds, as the load process saw them. */
export type LoadResult = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  failed: number;
  loadCpuShare: number;
};

// Every connection gets as many requests, so that a load of one path costs the load process what many paths cost.
const PATHS_PER_CONNECTION = 100;

// Runs as its own process (see load.ts): takes one order, answers with one result, ends.
process.once('message', async (order: LoadOrder) => {
  const random = createRandom(order.connections);
  const cpuBefore = process.cpuUsage();
  const result = await autocannon({
    url: order.origin,
    connections: order.connections,
    duration: order.seconds,
    ...(order.headers && { headers: order.headers }),
    setupClient(client) {
      const first = random.below(order.paths.length);
      const turn = (index: number): string => order.paths[(first + index) % order.paths.length]!;
      const requests = Array.from({ length: PATHS_PER_CONNECTION }, (_, index) => ({ path: turn(index) }));
      client.setRequests(requests);
    },
  });
  const cpu = process.cpuUsage(cpuBefore);
  const answer: LoadResult = {
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    maxMs: result.latency.max,
    // Whoever asks with an ETag is told that nothing is new.
    failed: result.errors + result.timeouts + result.non2xx - (order.headers ? (result['3xx'] ?? 0) : 0),
    loadCpuShare: (cpu.user + cpu.system) / 1e6 / result.duration,
  };
  process.send!(answer, () => process.disconnect?.());
});
