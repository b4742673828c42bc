import { Worker } from 'node:worker_threads';
import { type ByteFetcher, poolFetcher } from './fetch-bytes.ts';
import { BEGUN, type FetchMessage, type FetchWorkerData, STRETCH_NUMBERS } from './fetch-protocol.ts';

/** Two were as fast as four, on two processors and a disk that answers after 100 µs. */
const THREADS = 2;
/** For fewer a second thread is not woken. */
const LEAST_AN_ORDER = 4;
/** Who asks for many at once, as a batch of busy addresses does, lets others in between. */
const MOST_AN_ORDER = 256;
/** Threads that end by themselves are not started for ever. */
const MOST_STARTS = 8;
const YOUNG_MB = 1;
/** What asking Node's pool takes is little beside it. */
const FAR_MS = 0.5;

/** A stretch of a file, and who waits for it. */
type Asked = { fd: number; at: number; length: number; resolve: (ms: number) => void };

type Thread = {
  /** Stretches that are under way; undefined until it takes orders. */
  load: number | undefined;
  order(asked: readonly Asked[]): void;
};

/**
 * Reads with threads of its own, which are started by the first who asks; until they are there, Node's pool reads. What is asked for within one
 * turn of the event loop is one message for each thread: a request to the pool for each stretch took a third of the asking thread's time.
 *
 * @param farMs see {@link FetchWorkerData}
 */
export function createFetchThreads(farMs: number = FAR_MS): ByteFetcher {
  const threads = new Set<Thread>();
  let starts = 0;
  let asked: Asked[] = [];

  const listReady = (): Thread[] => [...threads].filter(({ load }) => load !== undefined);
  const start = (): void => {
    while (threads.size < THREADS && starts < MOST_STARTS) {
      starts++;
      const thread = startThread({ farMs }, () => threads.delete(thread));
      threads.add(thread);
    }
  };
  const send = (): void => {
    const ready = listReady();
    const all = asked;
    asked = [];
    const share = Math.min(MOST_AN_ORDER, Math.max(LEAST_AN_ORDER, Math.ceil(all.length / ready.length)));
    for (let first = 0; first < all.length; first += share) {
      const part = all.slice(first, first + share);
      const [thread] = ready.sort((a, b) => a.load! - b.load!);
      if (thread) thread.order(part);
      else giveUp(part);
    }
  };

  return {
    get isTimed() {
      return listReady().length > 0;
    },
    fetch(fd, at, length) {
      start();
      if (listReady().length === 0) return poolFetcher.fetch(fd, at, length);
      return new Promise((resolve) => {
        if (asked.length === 0) setImmediate(send);
        asked.push({ fd, at, length, resolve });
      });
    },
  };
}

function startThread(workerData: FetchWorkerData, onEnd: () => void): Thread {
  const worker = new Worker(new URL('./fetch-worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const orders = new Map<number, readonly Asked[]>();
  let number = BEGUN;
  const thread: Thread = {
    load: undefined,
    order(asked) {
      // Nothing else may keep the process alive until the answer.
      if (!thread.load) worker.ref();
      thread.load = (thread.load ?? 0) + asked.length;
      orders.set(++number, asked);
      worker.postMessage(encodeOrder(number, asked));
    },
  };
  worker.unref();
  worker.on('message', ([answered, ...took]: FetchMessage) => {
    const asked = orders.get(answered!) ?? [];
    orders.delete(answered!);
    thread.load = (thread.load ?? 0) - asked.length;
    if (thread.load === 0) worker.unref();
    for (const [i, { resolve }] of asked.entries()) resolve(took[i]!);
  });
  worker.on('error', () => {});
  worker.on('exit', () => {
    onEnd();
    for (const asked of orders.values()) giveUp(asked);
  });
  return thread;
}

function encodeOrder(number: number, asked: readonly Asked[]): FetchMessage {
  const order = new Float64Array(1 + asked.length * STRETCH_NUMBERS);
  order[0] = number;
  for (const [i, { fd, at, length }] of asked.entries()) order.set([fd, at, length], 1 + i * STRETCH_NUMBERS);
  return order;
}

/** Who waits reads for himself then. */
function giveUp(asked: readonly Asked[]): void {
  for (const { resolve } of asked) resolve(Number.NaN);
}
