import { createClient } from '@coinfront/sdk/client/create-client.ts';
import { describe, expect, test } from 'vitest';
import { beginContribution, findAmountFault } from './begin-contribution.ts';

const secret = '7f'.repeat(32);
const join = { nickname: 'Ada', isPublic: true };

/** A service that answers these one after the other, and remembers what it was asked. */
function serve(...answers: { status: number; body: object }[]) {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    async fetch(url, init) {
      asked.push({ path: new URL(String(url)).pathname, body: JSON.parse(String(init?.body)) });
      const { status, body } = answers[asked.length - 1]!;
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });
  return { client, asked, paths: () => asked.map(({ path }) => path.replace('/api/treasury/', '')) };
}
const refused = (status: number, code: string) => ({
  status,
  body: { type: 'about:blank', title: code, status, code, detail: code },
});
const joined = { status: 201, body: { id: 'VC-4J8ZQ0T6M1RW' } };
const intent = { status: 201, body: { id: 'VI-7Q2M9K4T0XV8B3ND' } };

describe('a contribution', () => {
  test('of somebody new tells of the secret as soon as it is registered, though the contribution fails', async () => {
    const { client, paths } = serve(joined, refused(400, 'amount_invalid'));
    const told: string[] = [];
    await expect(
      beginContribution(client, { secret, join }, '0', () => told.push(...paths())),
    ).rejects.toMatchObject({ code: 'amount_invalid' });
    expect(told).toEqual(['contributors']);
  });

  test('that is tried again by who has joined asks only for what to pay, with the same secret', async () => {
    const { client, asked, paths } = serve(intent);
    await beginContribution(client, { secret, join: undefined }, '1', () => expect.unreachable());
    expect(paths()).toEqual(['intents']);
    expect(asked[0]!.body).toEqual({ contributor_secret: secret, amount: '1' });
  });

  test('that is tried again by whom the answer to joining never reached goes on', async () => {
    const { client, paths } = serve(refused(409, 'contributor_exists'), intent);
    let tells = 0;
    const made = await beginContribution(client, { secret, join }, '1', () => tells++);
    expect([made.id, tells, paths()]).toEqual([intent.body.id, 1, ['contributors', 'intents']]);
  });

  test('of somebody whose nickname is refused tells of no secret', async () => {
    const { client } = serve(refused(409, 'nickname_taken'));
    const begun = beginContribution(client, { secret, join }, '1', () => expect.unreachable());
    await expect(begun).rejects.toMatchObject({ code: 'nickname_taken' });
  });
});

test.each([
  ['1', undefined],
  ['0.00005460', undefined],
  ['0.00005459', 'at least 0.0000546'],
  ['0', 'at least 0.0000546'],
  ['0.000000001', expect.stringContaining('decimals')],
  ['much', expect.stringContaining('digits')],
])('the amount %s is looked at before anybody is registered', (amount, fault) => {
  expect(findAmountFault(amount, { minimum: '0.00005460', decimals: 8 })).toEqual(fault);
});
