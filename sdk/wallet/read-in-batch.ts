import { readBatch } from '../chain/read-batch.ts';
import { buildUrl } from '../client/build-url.ts';
import type { Call, Client } from '../client/client.ts';
import { clientError, isCoinfrontError } from '../client/error.ts';
import { readProblem } from '../client/read-problem.ts';
import { waitForBudget } from './wait-for-budget.ts';

/** Reads that one request takes. */
export const BATCH_READS = 100;

/** A read of the chain, or of names and tokens on it, by the function of the SDK that makes it: `(client) => getAddress(client, { address })`. */
export type OneRead<T> = (client: Client) => Promise<T>;

const CHAIN_PREFIX = '/api/v1/';
const API_PREFIX = '/api/';
const JSON_HEADERS = new Headers({ 'content-type': 'application/json' });
/** Services that were found to have no `/batch`. */
const withoutBatch = new WeakSet<Client>();

/**
 * Makes up to 100 reads in one request, all answered from one state of chain and mempool.
 *
 * @returns what became of each; undefined where the service does not answer many at once, or not these for this client
 * @throws CoinfrontError of the request
 */
export async function readInBatch<T>(
  client: Client,
  reads: readonly OneRead<T>[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<PromiseSettledResult<T>[] | undefined> {
  if (withoutBatch.has(client)) return undefined;
  const asked: Asked[] = [];
  const settled = Promise.allSettled(reads.map((read) => read(collectReads(client, asked))));
  const paths = asked.map(({ path }) => path);
  try {
    const { answers } = await waitForBudget(() => readBatch(client, { reads: paths }, { signal }), signal);
    if (!Array.isArray(answers) || answers.length !== asked.length) {
      throw clientError('invalid_answer', 'The service did not answer as many reads as were asked for.');
    }
    for (const [index, { settle }] of asked.entries()) settle(answers[index]);
  } catch (error) {
    for (const { fail } of asked) fail(error);
    if (hasNoBatch(error)) withoutBatch.add(client);
    // Other than a missing route: the reads cost more together than the client has in a minute.
    else if (!isCoinfrontError(error, 'invalid_body')) throw error;
    return undefined;
  }
  return await settled;
}

/** A read that waits for its part of the answer. */
type Asked = { path: string; settle(item: unknown): void; fail(error: unknown): void };

/** A client that sends nothing, and notes what it was to send. */
function collectReads({ baseUrl }: Client, asked: Asked[]): Client {
  return {
    baseUrl,
    request: <T>(call: Call) =>
      new Promise<T>((resolve, reject) => {
        const url = buildUrl('', call);
        if (call.method !== 'GET' || !url.startsWith(API_PREFIX)) {
          throw clientError('invalid_argument', `${call.method} ${call.path} is no read of a batch.`);
        }
        asked.push({
          path: url.startsWith(CHAIN_PREFIX) ? url.slice(CHAIN_PREFIX.length - 1) : url,
          settle(item) {
            const { status, body } = (item ?? {}) as { status?: unknown; body?: unknown };
            if (status === 200 && typeof body === 'object' && body !== null) resolve(body as T);
            else if (typeof status === 'number' && status >= 400)
              reject(readProblem(status, JSON_HEADERS, JSON.stringify(body) ?? ''));
            else
              reject(clientError('invalid_answer', 'A read of a batch has neither an answer nor an error.'));
          },
          fail: reject,
        });
      }),
  };
}

function hasNoBatch(error: unknown): boolean {
  return isCoinfrontError(error) && [404, 405, 501].includes(error.status ?? 0);
}
