import { batchLimits } from '@coinfront/api/chain-batch.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { beforeAll, expect, test } from 'vitest';
import { makeTx } from '../../testing/fixture-chain.ts';
import {
  addressOf,
  createFixtureServer,
  makeFixtureChain,
  miner,
  payee,
  scriptOf,
} from '../../testing/fixture-server.ts';

const { app, chain, log } = createFixtureServer();
const pending = chain.txs.find(({ height }) => height === undefined)!;
const tip = chain.blocks.at(-1)!;
beforeAll(() => app.ready());

type Item = { status: number; body: Record<string, unknown> };
async function batch(reads: unknown, server = app) {
  const response = await server.inject({ method: 'POST', url: '/api/v1/batch', payload: { reads } });
  const json = response.json();
  return {
    status: response.statusCode,
    headers: response.headers,
    json,
    answers: (json.answers ?? []) as Item[],
  };
}
const get = async (path: string): Promise<unknown> => (await app.inject({ url: `/api/v1${path}` })).json();

test('each answer is what the read gets by itself, in the order asked', async () => {
  const txid = toDisplayHash(pending.txid);
  const reads = [
    `/address/${addressOf(payee)}`,
    `/utxos/${addressOf(payee)}?limit=3`,
    `/address/${addressOf(miner)}/txs?limit=2`,
    `/tx/${txid}`,
    '/block/110',
    '/blocks?limit=2',
    '/status',
    '/supply',
    '/fee',
  ];
  const { status, answers, json, headers } = await batch(reads);
  expect(status).toBe(200);
  expect(answers.map((answer) => answer.status)).toEqual(reads.map(() => 200));
  expect(answers.map(({ body }) => body)).toEqual(await Promise.all(reads.map(get)));
  expect(json.as_of).toEqual({ height: 120, hash: toDisplayHash(tip.hash) });
  expect([headers['x-chain-height'], headers['x-chain-tip']]).toEqual(['120', toDisplayHash(tip.hash)]);
  expect(headers['cache-control']).toBe('no-store');
});

test('what a read would be refused with is its answer, and the others are answered', async () => {
  const { answers } = await batch([
    '/address/nonsense',
    `/tx/${'ab'.repeat(32)}`,
    '/block/1?colour=red',
    '/nowhere',
    '/tx/%zz',
    '/supply/total',
    '/health',
    '/block/0',
  ]);
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'address_invalid'],
    [404, 'transaction_not_found'],
    [400, 'invalid_parameter'],
    [404, 'route_not_found'],
    [404, 'route_not_found'],
    // A text, and a state of the service: none of them is JSON read from the chain.
    [404, 'route_not_found'],
    [404, 'route_not_found'],
    [200, undefined],
  ]);
});

test('no path leads out of the chain API', async () => {
  const { answers } = await batch([
    '/../../esplora/mempool',
    '//block/0',
    'block/0',
    '/batch',
    '?q=1',
    '/api/v1/batch',
    '/api/../esplora/mempool',
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
});

test.each([
  ['none', []],
  ['more than a hundred', Array.from({ length: batchLimits.reads + 1 }, () => '/block/0')],
  ['what is no text', [5]],
  ['a path without end', [`/search?q=${'a'.repeat(batchLimits.pathLength)}`]],
])('%s is no batch', async (_, reads) => {
  const { status, json } = await batch(reads);
  expect([status, json.code]).toEqual([400, 'invalid_body']);
});

test('a private key is refused in whatever form, and is nowhere in the log', async () => {
  const key = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
  const hidden = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  for (const text of [key, hidden]) {
    const { status, json } = await batch(['/block/0', `/search?q=${text}`]);
    expect([status, json.code]).toEqual([400, 'private_key_refused']);
  }
  expect(log.join('')).not.toContain(key);
});

test('answers end at a bound, and what is left over says so', async () => {
  const full = makeFixtureChain();
  const script = new Uint8Array(50_000).fill(0x6a);
  const large = makeTx([{ txid: full.txs[2]!.txid, vout: 0 }], [{ value: 1n, script }]);
  full.addBlock(scriptOf(miner), [large]);
  const { app: server } = createFixtureServer({ chain: full });
  const path = `/tx/${toDisplayHash(txidOf(large))}/raw`;
  const { answers } = await batch([...Array.from({ length: 60 }, () => path), '/block/0'], server);
  const fitting = Math.floor(batchLimits.answersLength / JSON.stringify(answers[0]).length);
  expect(fitting).toBeLessThan(60);
  expect(answers.slice(0, fitting).every(({ status }) => status === 200)).toBe(true);
  for (const { status, body } of answers.slice(fitting))
    expect([status, body.code]).toEqual([413, 'read_too_large']);
});

test('reads cost half of what they cost by themselves, and none is made that is not paid for', async () => {
  const { app: limited } = createFixtureServer({
    server: { rateLimitPerMinute: 60 },
    context: { rateLimitPerMinute: 60 },
  });
  const left = async (reads: string[]): Promise<number> =>
    Number((await batch(reads, limited)).headers['ratelimit-remaining']);
  expect(await left(['/api/v1/block/0'])).toBe(59);
  expect(await left(Array.from({ length: 40 }, () => '/block/0'))).toBe(39);
  // Of a proof five units have to be there; it takes one.
  expect(await left(Array.from({ length: 10 }, () => `/tx/${toDisplayHash(chain.txs[1]!.txid)}/proof`))).toBe(
    34,
  );
  const refused = await batch(
    Array.from({ length: 80 }, () => '/block/0'),
    limited,
  );
  expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited']);
});

test('what one client can never pay for is told apart from what it has to wait for', async () => {
  const { app: limited } = createFixtureServer({
    server: { rateLimitPerMinute: 60 },
    context: { rateLimitPerMinute: 60 },
  });
  const { status, json } = await batch(
    Array.from({ length: 100 }, () => `/tx/${'ab'.repeat(32)}/proof`),
    limited,
  );
  expect([status, json.code]).toEqual([400, 'invalid_body']);
  expect(json.detail).toMatch(/cost up to 250 request units; a client has 60 a minute/);
});
