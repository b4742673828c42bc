import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { pause, waitAtMost } from '../../pause.ts';
import type { ChildMessage, News, ParentMessage, ProcessMetrics } from './messages.ts';

/** Several processes that answer requests on one port. */
export type ApiProcesses = {
  /** Where they listen. */
  readonly address: string;
  /** What each has counted; one that does not answer soon is left out. */
  readMetrics(): Promise<ReadonlyMap<string, ProcessMetrics>>;
  /** Lets each finish what is under way. */
  stop(deadlineMs: number): Promise<void>;
};

export type ApiProcessEvents = {
  onSent(txid: string): void;
  onNews(what: News): void;
};

const RESTART_PAUSE_MS = 1_000;
const METRICS_DEADLINE_MS = 1_000;

/**
 * Forks this program as often as asked for; each copy answers requests and does nothing else. One that ends is replaced.
 *
 * @returns undefined when the first one ended before it listened: it has said why
 */
export async function startApiProcesses(
  count: number,
  logger: Logger,
  events: ApiProcessEvents,
): Promise<ApiProcesses | undefined> {
  const places = new Map<number, Worker>();
  const stopping = new AbortController();
  let lastNumber = 0;
  const asked = new Map<number, (worker: Worker, metrics: ProcessMetrics) => void>();

  const hear = (from: Worker, message: ChildMessage): void => {
    if ('listening' in message) return;
    if (message.kind === 'sent') events.onSent(message.txid);
    else if (message.kind === 'news') events.onNews(message.what);
    else if (message.kind === 'metrics') asked.get(message.number)?.(from, message.metrics);
    else for (const other of places.values()) if (other !== from) say(other, message);
  };

  /** Starts one, and waits until it listens. */
  const start = async (place: number): Promise<string | undefined> => {
    const worker = cluster.fork();
    places.set(place, worker);
    const listening = Promise.withResolvers<string | undefined>();
    worker.on('message', (message: ChildMessage) => {
      if ('listening' in message) listening.resolve(message.listening);
      hear(worker, message);
    });
    worker.on('error', () => {});
    worker.once('exit', (code, signal) => {
      places.delete(place);
      listening.resolve(undefined);
      if (place === 0 && !isStarted) return;
      void replace(place, code ?? signal);
    });
    return await listening.promise;
  };

  const replace = async (place: number, ended: unknown): Promise<void> => {
    if (stopping.signal.aborted) return;
    logger.error(
      { process: place + 1, ended },
      'A process that answers requests ended; it is started again.',
    );
    await pause(RESTART_PAUSE_MS, stopping.signal);
    if (!stopping.signal.aborted) await start(place);
  };

  let isStarted = false;
  // The first one finds out whether all is well: what is wrong is said once.
  const address = await start(0);
  if (address === undefined) return undefined;
  isStarted = true;
  await Promise.all(Array.from({ length: count - 1 }, (_, i) => start(i + 1)));

  return {
    address,
    async readMetrics() {
      const number = ++lastNumber;
      const found = new Map<Worker, ProcessMetrics>();
      const all = Promise.withResolvers<void>();
      asked.set(number, (worker, metrics) => {
        found.set(worker, metrics);
        if (found.size === places.size) all.resolve();
      });
      for (const worker of places.values()) say(worker, { kind: 'metrics', number });
      await waitAtMost(all.promise, METRICS_DEADLINE_MS);
      asked.delete(number);
      const entries = [...places].flatMap(([place, worker]): [string, ProcessMetrics][] => {
        const metrics = found.get(worker);
        return metrics ? [[String(place + 1), metrics]] : [];
      });
      return new Map(entries);
    },
    async stop(deadlineMs) {
      stopping.abort();
      const ending = [...places.values()].map((worker) => {
        worker.process.kill('SIGTERM');
        return once(worker, 'exit');
      });
      await waitAtMost(Promise.all(ending), deadlineMs);
      for (const worker of places.values()) worker.process.kill('SIGKILL');
    },
  };
}

function say(worker: Worker, message: ParentMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
