import type { Client } from '../client/client.ts';
import { isCoinfrontError } from '../client/error.ts';
import { BATCH_READS, type OneRead, readInBatch } from './read-in-batch.ts';
import { waitForBudget } from './wait-for-budget.ts';

type Options = { signal?: AbortSignal | undefined };

/** Requests that are under way at once where each read is one. */
const PARALLEL_READS = 8;

/**
 * Makes many reads of the chain API in few requests: a hundred in each, or one by one where the service cannot do that. What
 * is answered in different requests may be from different states of the chain.
 *
 * @returns the answers, in the order of the reads
 * @throws CoinfrontError of the first read that was refused
 * @example
 * const txs = await readTogether(client, txids.map((txid) => (each) => getTransaction(each, { txid })));
 */
export async function readTogether<T>(
  client: Client,
  reads: readonly OneRead<T>[],
  options: Options = {},
): Promise<T[]> {
  const answers: T[] = [];
  for (let i = 0; i < reads.length; i += BATCH_READS) {
    const chunk = reads.slice(i, i + BATCH_READS);
    // One alone costs the same as a plain read, which proxies and caches know.
    const settled = chunk.length > 1 ? await readInBatch(client, chunk, options) : undefined;
    if (settled === undefined) {
      answers.push(...(await readOneByOne(client, chunk, options)));
      continue;
    }
    for (const [index, result] of settled.entries()) {
      if (result.status === 'fulfilled') answers.push(result.value);
      else if (isCoinfrontError(result.reason, 'read_too_large', 'rate_limited'))
        answers.push(...(await readOneByOne(client, [chunk[index]!], options)));
      else throw result.reason;
    }
  }
  return answers;
}

/** Makes reads by a request each, a few at a time; they wait where the service limits one client. */
export async function readOneByOne<T>(
  client: Client,
  reads: readonly OneRead<T>[],
  { signal }: Options = {},
): Promise<T[]> {
  const answers: T[] = [];
  const stoppable: Client = {
    baseUrl: client.baseUrl,
    request: (call, options) => client.request(call, signal === undefined ? options : { ...options, signal }),
  };
  for (let i = 0; i < reads.length; i += PARALLEL_READS) {
    signal?.throwIfAborted();
    const chunk = reads.slice(i, i + PARALLEL_READS);
    answers.push(...(await Promise.all(chunk.map((read) => waitForBudget(() => read(stoppable), signal)))));
  }
  return answers;
}
