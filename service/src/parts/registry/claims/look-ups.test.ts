import { expect, test } from 'vitest';
import type { NamedClient } from '../../../clients/client-names.ts';
import { createLookUps } from './look-ups.ts';

/** A client in a network that has twice a client's share. */
function clientOf(name: string, network: string): NamedClient {
  return [
    { name, names: [name], share: 1 },
    { name: network, names: [network], share: 2 },
  ];
}

const never = (): Promise<void> => new Promise(() => {});

test('a client whose name servers do not answer leaves room for others, and its network does', async () => {
  const lookUp = createLookUps({ inAll: 10, ofClient: 2 });
  const [first, second, third] = ['a', 'b', 'c'].map((name) => clientOf(name, 'near'));
  for (const client of [first!, first!, second!]) void lookUp(client, never);
  await expect(lookUp(first!, never)).rejects.toMatchObject({ code: 'claims_exhausted' });
  void lookUp(second!, never);
  await expect(lookUp(third!, never)).rejects.toMatchObject({ code: 'claims_exhausted' });
  expect(await lookUp(clientOf('d', 'far'), async () => 'found')).toBe('found');
});

test('no network has more than half of all, however many clients it has', async () => {
  const lookUp = createLookUps({ inAll: 4, ofClient: 2 });
  const near = ['a', 'b', 'c'].map((name) => clientOf(name, 'near'));
  for (const client of near.slice(0, 2)) void lookUp(client, never);
  await expect(lookUp(near[2]!, never)).rejects.toMatchObject({ code: 'claims_exhausted' });
  expect(await lookUp(clientOf('d', 'far'), async () => 'found')).toBe('found');
});

test('there are never more in all than the bound, and one that ends, well or not, makes room', async () => {
  const lookUp = createLookUps({ inAll: 2, ofClient: 2 });
  const { promise, reject } = Promise.withResolvers<void>();
  const failing = lookUp(clientOf('a', 'x'), () => promise);
  void lookUp(clientOf('b', 'y'), never);
  await expect(lookUp(clientOf('c', 'z'), never)).rejects.toMatchObject({ code: 'claims_exhausted' });
  reject(new Error('no such name'));
  await expect(failing).rejects.toThrow('no such name');
  expect(await lookUp(clientOf('c', 'z'), async () => 'found')).toBe('found');
});
