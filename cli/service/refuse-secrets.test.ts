import type { Call, Client } from '@coinfront/sdk/client/client.ts';
import { expect, test } from 'vitest';
import { refuseSecrets } from './refuse-secrets.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';

function record(): { client: Client; sent: Call[] } {
  const sent: Call[] = [];
  const client: Client = {
    baseUrl: 'https://coin.example',
    request: async <T>(call: Call) => {
      sent.push(call);
      return undefined as T;
    },
  };
  return { client: refuseSecrets(client), sent };
}

test.each<Call>([
  { method: 'POST', path: '/api/treasury/profile', body: { nickname: WORDS.replaceAll(' ', '-') } },
  { method: 'POST', path: '/api/v1/payments', body: { description: 'x', webhook_url: `https://a/${WIF}` } },
  { method: 'GET', path: '/api/v1/search', params: { q: WORDS } },
  { method: 'POST', path: '/esplora/tx', body: WIF },
  { method: 'POST', path: '/api/v1/payments', body: {}, headers: { 'idempotency-key': WIF } },
])('a secret in $path is not sent', async (call) => {
  const { client, sent } = record();
  await expect(client.request(call)).rejects.toMatchObject({ code: 'private_key_refused', exitCode: 1 });
  await expect(client.request(call)).rejects.not.toThrow(/legal|KwDi/);
  expect(sent).toEqual([]);
});

test('everything else is sent as it was', async () => {
  const { client, sent } = record();
  const calls: Call[] = [
    { method: 'POST', path: '/api/v1/broadcast', body: { raw_tx: 'ab12'.repeat(1_000) } },
    { method: 'GET', path: '/api/v1/block/{id}', params: { id: 5 } },
  ];
  for (const call of calls) await client.request(call);
  expect(sent).toEqual(calls);
});
