import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../client/create-client.ts';
import { clientReads } from './client-reads.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service that refuses so many calls for their frequency, each for 50 seconds, which no call waits for by itself. */
function createReads(refusals: number) {
  const asked: number[] = [];
  const fetch = async () => {
    asked.push(Date.now());
    if (asked.length <= refusals) {
      const problem = { code: 'rate_limited', detail: 'Too much.', status: 429 };
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '50' };
      return new Response(JSON.stringify(problem), { status: 429, headers });
    }
    return Response.json({ txid: 'aa' });
  };
  return { asked, reads: clientReads(createClient({ baseUrl: 'https://coin.example', fetch })) };
}

test('a wallet waits for as long as a service asks, also to broadcast', async () => {
  const { asked, reads } = createReads(2);
  const sent = reads.broadcast('00');
  await vi.advanceTimersByTimeAsync(100_000);
  await expect(sent).resolves.toEqual({ txid: 'aa' });
  expect(asked.map((at) => at - asked[0]!)).toEqual([0, 50_000, 100_000]);
});

test('it does not wait for ever', async () => {
  const { asked, reads } = createReads(99);
  const read = reads.getFees();
  const refused = expect(read).rejects.toMatchObject({ code: 'rate_limited' });
  await vi.advanceTimersByTimeAsync(500_000);
  await refused;
  expect(asked).toHaveLength(4);
});

test('it stops waiting when it is told to', async () => {
  const { reads } = createReads(99);
  const abort = new AbortController();
  const read = reads.getAddress('somewhere', { signal: abort.signal });
  const stopped = expect(read).rejects.toMatchObject({ name: 'AbortError' });
  await vi.advanceTimersByTimeAsync(1_000);
  abort.abort();
  await stopped;
});
