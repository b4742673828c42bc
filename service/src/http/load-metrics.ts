import type { LabelledSource } from './metrics-server.ts';

/** Work of one kind: what runs, and what waits for a place. */
export type QueueLoad = { readonly running: number; readonly waiting: number };

/** What a cache was asked since the start, and the characters that it holds. */
export type CacheLoad = { readonly hits: number; readonly misses: number; readonly length: number };

/** What a server tells of its queues and caches, read at each scrape. */
export type ServerLoad = {
  queues: () => Readonly<Record<string, QueueLoad>>;
  caches: () => Readonly<Record<string, CacheLoad>>;
  /** Bytes of answers that nobody has read yet. */
  unsentBytes: () => number;
};

/** The metrics of a server's queues, caches and memory. */
export function listLoadMetrics({ queues, caches, unsentBytes }: ServerLoad): LabelledSource[] {
  const each = <T>(values: Readonly<Record<string, T>>, pick: (value: T) => number): Map<string, number> =>
    new Map(Object.entries(values).map(([name, value]) => [name, pick(value)]));
  return [
    {
      kind: 'summed gauge',
      name: 'coinfront_queue_running',
      help: 'Work that is under way, by kind.',
      label: 'queue',
      list: () => each(queues(), ({ running }) => running),
    },
    {
      kind: 'summed gauge',
      name: 'coinfront_queue_waiting',
      help: 'Work that waits for a place, by kind.',
      label: 'queue',
      list: () => each(queues(), ({ waiting }) => waiting),
    },
    {
      kind: 'counter',
      name: 'coinfront_cache_hits_total',
      help: 'Answers that were found in a cache, by cache.',
      label: 'cache',
      list: () => each(caches(), ({ hits }) => hits),
    },
    {
      kind: 'counter',
      name: 'coinfront_cache_misses_total',
      help: 'Answers that were not, by cache.',
      label: 'cache',
      list: () => each(caches(), ({ misses }) => misses),
    },
    {
      kind: 'summed gauge',
      name: 'coinfront_held_bytes',
      help: 'What is held in memory for clients, by what for; of caches in characters.',
      label: 'of',
      list: () => each(caches(), ({ length }) => length).set('unsent', unsentBytes()),
    },
  ];
}
