import { Worker } from 'node:worker_threads';
import { type ByteFetcher, poolFetcher } from './fetch-bytes.ts';
import { BEGUN, type FetchMessage, type FetchWorkerData, STRETCH_NUMBERS } from './fetch-protocol.ts';

/** Two were as fast as four, on two processors and a disk that answers after 100 µs. */
const THREADS = 2;
/** For fewer a second thread is not woken. */
const LEAST_AN_ORDER = 4;
/** Who asks for many at once, as a batch of busy addresses does, lets others in between. */
const MOST_AN_ORDER = 256;
/** A thread has the next order before it has done one. What is asked for meanwhile waits, and becomes one order: each wakes a thread, which costs 20 µs. */
const MOST_ORDERS = 2;
/** Threads that end by themselves are not started for ever. */
const MOST_STARTS = 8;
const YOUNG_MB = 1;
/** What asking Node's pool takes is little beside it. */
const FAR_MS = 0.5;

/** A stretch of a file, and who waits for it. */
type Asked = { fd: number; at: number; length: number; resolve: (ms: number) => void };

type Thread = {
  /** Orders that are under way; undefined until it takes some. */
  readonly orders: number | undefined;
  order(asked: readonly Asked[]): void;
};

/**
 * Reads with threads of its own, which are started by the first who asks; until they are there, Node's pool reads. Each is given many stretches at
 * once: a request to the pool for each of them took a third of the asking thread's time.
 *
 * @param farMs see {@link FetchWorkerData}
 */
export function createFetchThreads(farMs: number = FAR_MS): ByteFetcher {
  const threads = new Set<Thread>();
  let starts = 0;
  const asked: Asked[] = [];

  /** It is asked for each page. */
  const hasReady = (): boolean => threads.values().some(({ orders }) => orders !== undefined);
  const start = (): void => {
    while (threads.size < THREADS && starts < MOST_STARTS) {
      starts++;
      const thread = startThread({ farMs, onAnswer: send, onEnd: () => threads.delete(thread) });
      threads.add(thread);
    }
  };
  const send = (): void => {
    if (!hasReady()) giveUp(asked.splice(0));
    const free = [...threads]
      .filter(({ orders }) => orders !== undefined && orders < MOST_ORDERS)
      .sort((a, b) => a.orders! - b.orders!);
    for (const [i, thread] of free.entries()) {
      if (asked.length === 0) return;
      const share = Math.max(LEAST_AN_ORDER, Math.ceil(asked.length / (free.length - i)));
      thread.order(asked.splice(0, Math.min(share, MOST_AN_ORDER)));
    }
  };

  return {
    get isTimed() {
      return hasReady();
    },
    fetch(fd, at, length) {
      start();
      if (!hasReady()) return poolFetcher.fetch(fd, at, length);
      return new Promise((resolve) => {
        if (asked.length === 0) setImmediate(send);
        asked.push({ fd, at, length, resolve });
      });
    },
  };
}

function startThread({
  farMs,
  onAnswer,
  onEnd,
}: FetchWorkerData & { onAnswer: () => void; onEnd: () => void }): Thread {
  const worker = new Worker(new URL('./fetch-worker.ts', import.meta.url), {
    workerData: { farMs } satisfies FetchWorkerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const orders = new Map<number, readonly Asked[]>();
  let number = BEGUN;
  let isReady = false;
  worker.unref();
  worker.on('message', ([answered, ...took]: FetchMessage) => {
    isReady = true;
    const asked = orders.get(answered!) ?? [];
    orders.delete(answered!);
    if (orders.size === 0) worker.unref();
    onAnswer();
    for (const [i, { resolve }] of asked.entries()) resolve(took[i]!);
  });
  worker.on('error', () => {});
  worker.on('exit', () => {
    onEnd();
    for (const asked of orders.values()) giveUp(asked);
    onAnswer();
  });
  return {
    get orders() {
      return isReady ? orders.size : undefined;
    },
    order(asked) {
      // Nothing else may keep the process alive until the answer.
      if (orders.size === 0) worker.ref();
      orders.set(++number, asked);
      worker.postMessage(encodeOrder(number, asked));
    },
  };
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
