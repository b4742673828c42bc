import type { Client } from '@coinfront/sdk/client/client.ts';
import { CoinfrontError } from '@coinfront/sdk/client/error.ts';
import { expect, test } from 'vitest';
import { findEarlierProof } from './find-earlier-proof.ts';

const at = (height: number, position = 1) => ({ height, position, vout: 0 });

/** What a service answers to the two look-ups; an error is thrown. */
const find = async (own: unknown, leaf: unknown) => {
  const client = {
    request: async ({ path }: { path: string }) => {
      const answer = path.includes('/leaf/') ? leaf : own;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as Client;
  return (await findEarlierProof(client, '00'.repeat(32))) as unknown;
};

test('of a transaction of its own and the calendar the earlier one is taken', async () => {
  const own = { name: 'own', primary: at(10) };
  const none = { name: 'none', state: 'unknown', primary: null };
  expect(await find(own, none)).toBe(own);
  for (const later of [at(11), at(10, 2)]) {
    const leaf = { name: 'leaf', primary: later };
    expect(await find(own, leaf)).toBe(own);
  }
  for (const earlier of [at(9), at(10, 0)]) {
    const leaf = { name: 'leaf', primary: earlier };
    expect(await find(own, leaf)).toBe(leaf);
    expect(await find(none, leaf)).toBe(leaf);
  }
  expect(await find({ name: 'own', primary: null }, none)).toBe(none);
});

test('a service without a calendar has the proofs that it has, and no other failure is passed over', async () => {
  const own = { name: 'own', primary: at(10) };
  const failure = (status: number) =>
    new CoinfrontError('route_not_found', 'no such route', { status } as never);
  expect(await find(own, failure(404))).toBe(own);
  await expect(find(own, failure(500))).rejects.toThrow();
  await expect(find({ primary: null }, failure(404))).rejects.toThrow();
});
