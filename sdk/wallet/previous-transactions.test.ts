import { expect, test } from 'vitest';
import { createClient } from '../client/create-client.ts';
import { clientReads } from './client-reads.ts';
import { fetchTransactions } from './previous-transactions.ts';
import { createFakeWallet, STRANGER } from './testing/fake-wallet.ts';

const { chain } = createFakeWallet({});
const txids = Array.from({ length: 120 }, (_, i) => chain.pay(STRANGER, 100_000_000n + BigInt(i)));

/** A service that has `/batch`, and gives of each transaction what `raw` says. */
function startService(raw: (txid: string) => unknown) {
  const requests: string[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    requests.push(new URL(url).pathname);
    const { reads } = JSON.parse(String(init.body)) as { reads: string[] };
    const bodies = await Promise.all(reads.map((read) => raw(read.split('/')[2]!)));
    const answers = bodies.map((raw_tx) => ({ status: 200, body: { raw_tx } }));
    return Response.json({ as_of: { height: 100, hash: '0'.repeat(64) }, answers });
  };
  const client = createClient({ baseUrl: 'https://coin.example', fetch, retries: 0 });
  return { requests, reads: clientReads(client) };
}

test('transactions are fetched a hundred in a request, each once, and are those that were asked for', async () => {
  const { requests, reads } = startService(chain.reads.getRawTransaction);
  const found = await fetchTransactions([...txids, ...txids], reads);
  expect([...found.keys()]).toEqual(txids);
  for (const [txid, { tx }] of found) expect(tx).toEqual(chain.findTransaction(txid));
  expect(requests).toEqual(['/api/v1/batch', '/api/v1/batch']);
});

test.each<[string, (txid: string) => unknown]>([
  ['another one', () => chain.reads.getRawTransaction(txids[1]!)],
  ['what is none', () => '00'],
  ['nothing', () => undefined],
  ['a number', () => 7],
])('%s in place of one of many is found out', async (_, lie) => {
  const { reads } = startService((txid) =>
    txid === txids[60] ? lie(txid) : chain.reads.getRawTransaction(txid),
  );
  await expect(fetchTransactions(txids, reads)).rejects.toMatchObject({
    code: 'previous_transaction_invalid',
  });
});
