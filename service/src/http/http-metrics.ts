/**
 * Counts and times requests by route.
 *
 * A histogram cell is a few additions in a typed array; the usual client library hashes its labels at each
 * observation, which is as much work as a cached read. Rendered in the Prometheus text format.
 */

const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Records one finished request of a route. */
export type ObserveRequest = (status: number, seconds: number) => void;

export type HttpMetrics = {
  /** The recorder of one route; `route` is the pattern, never the path of a request. */
  forRoute(method: string, route: string): ObserveRequest;
  /** What was counted, ready to be sent. */
  list(): HttpCell[];
};

/** Requests of one route and status class: how many took how long. */
export type HttpCell = {
  readonly labels: string;
  readonly buckets: readonly number[];
  readonly sum: number;
  readonly count: number;
};

type Cell = { labels: string; buckets: Float64Array; sum: number; count: number };

/** Creates an empty set of counters. */
export function createHttpMetrics(): HttpMetrics {
  const cells: Cell[] = [];
  return {
    forRoute(method, route) {
      const byClass = statusClasses.map((status): Cell => {
        const labels = `method="${method}",route="${route}",status="${status}"`;
        return { labels, buckets: new Float64Array(boundsSeconds.length), sum: 0, count: 0 };
      });
      cells.push(...byClass);
      return (status, seconds) => {
        const cell = byClass[Math.floor(status / 100) - 1];
        if (cell === undefined) return;
        cell.count += 1;
        cell.sum += seconds;
        for (let i = 0; i < boundsSeconds.length; i++) {
          if (seconds <= boundsSeconds[i]!) {
            cell.buckets[i]! += 1;
            break;
          }
        }
      };
    },
    list: () =>
      cells.flatMap((cell) => (cell.count === 0 ? [] : [{ ...cell, buckets: Array.from(cell.buckets) }])),
  };
}

/** The cells of one process or of several, in the Prometheus text format. */
export function renderHttpMetrics(cells: readonly HttpCell[]): string {
  const name = 'coinfront_http_request_seconds';
  const lines = [
    `# HELP ${name} Time from receipt of the headers to the response.`,
    `# TYPE ${name} histogram`,
  ];
  for (const [labels, same] of Map.groupBy(cells, (cell) => cell.labels)) {
    const add = (read: (cell: HttpCell) => number) => same.reduce((total, cell) => total + read(cell), 0);
    const buckets = boundsSeconds.map((_, i) => add((cell) => cell.buckets[i]!));
    const [sum, count] = [add((cell) => cell.sum), add((cell) => cell.count)];
    let below = 0;
    boundsSeconds.forEach((bound, i) => {
      below += buckets[i]!;
      lines.push(`${name}_bucket{${labels},le="${bound}"} ${below}`);
    });
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`);
    lines.push(`${name}_count{${labels}} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}
