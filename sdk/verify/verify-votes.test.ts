import { readFileSync } from 'node:fs';
import type { SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import { expect, test } from 'vitest';
import { createClient } from '../client/create-client.ts';
import { verifyVotes } from './verify-votes.ts';

const vectors: { looks: SignedLooks[]; voted_receipts: { receipt: Receipt }[] } = JSON.parse(
  readFileSync(new URL('../../docs/protocols/vectors/registry.json', import.meta.url), 'utf8'),
);
const [{ receipt: majority }] = vectors.voted_receipts as [{ receipt: Receipt }];

/** A service that answers what it is told to, by the hash of the statement. */
function clientOf(answer: (hash: string) => unknown) {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: 'https://coin.example',
    retries: 0,
    fetch: async (input) => {
      const hash = new URL(String(input)).pathname.split('/').at(-1)!;
      asked.push(hash);
      const body = answer(hash);
      const problem = {
        type: 'about:blank',
        title: 'No',
        status: 404,
        code: 'looks_not_found',
        detail: 'No.',
        request_id: 'r',
      };
      return new Response(JSON.stringify(body ?? problem), {
        status: body === undefined ? 404 : 200,
        headers: { 'content-type': body === undefined ? 'application/problem+json' : 'application/json' },
      });
    },
  });
  return { client, asked };
}

const signed = (hash: string) => vectors.looks.find((each) => each.hash === hash);

test('a verdict follows from the statements that the service hands out', async () => {
  const { client, asked } = clientOf(signed);
  expect(await verifyVotes(client, majority)).toEqual({ ok: true });
  expect(asked.length).toBeGreaterThan(1);
});

test('a statement that is not there is no vote', async () => {
  const { client } = clientOf(() => undefined);
  expect(await verifyVotes(client, majority)).toMatchObject({
    ok: false,
    fault: expect.stringContaining('its statement is not there'),
  });
});

test.each<[string, (looks: SignedLooks) => unknown]>([
  ['a list', () => []],
  ['no statement', ({ hash, signature }) => ({ hash, signature })],
  ['an empty statement', (looks) => ({ ...looks, statement: {} })],
  ['no slot', (looks) => ({ ...looks, statement: { ...looks.statement, slot: null } })],
  ['looks that are none', (looks) => ({ ...looks, statement: { ...looks.statement, looks: [null] } })],
  [
    'a look with a result that there is not',
    (looks) => ({
      ...looks,
      statement: { ...looks.statement, looks: [{ ...looks.statement.looks[0], result: 'toString' }] },
    }),
  ],
  [
    'more looks than a statement may have',
    (looks) => ({
      ...looks,
      statement: { ...looks.statement, looks: Array(11_001).fill(looks.statement.looks[0]) },
    }),
  ],
])('%s in its place is told as a fault, and throws nothing', async (_, bend) => {
  const { client } = clientOf((hash) => bend(signed(hash)!));
  expect(await verifyVotes(client, majority)).toMatchObject({
    ok: false,
    fault: expect.stringContaining('has another form'),
  });
});

test('votes that are none, or too many, are not followed', async () => {
  const vote = majority.votes![0]!;
  for (const votes of [
    'votes',
    [null],
    [{ ...vote, statements: Array(3).fill(vote.statements[0]) }],
    Array(18).fill(vote),
    [{ ...vote, proven: 1 }],
  ]) {
    const { client, asked } = clientOf(signed);
    const bent = { ...majority, votes } as unknown as Receipt;
    expect(await verifyVotes(client, bent)).toEqual({ ok: false, fault: 'its votes have another form' });
    expect(asked).toEqual([]);
  }
});
