import { expect, test } from 'vitest';
import { createAnswerPlaces } from './answer-places.ts';

const onePlace = { ofClient: 1, inAll: 1, waitingOfClient: 9, waitingInAll: 9 };

test('who waits with many requests lets the others begin between each two of them', async () => {
  const places = createAnswerPlaces(onePlace);
  const begun: string[] = [];
  const present = places.enter([{ name: 'first', share: 1 }]);
  /** Each ends when it has begun, and lets the next one in. */
  const done = ['greedy', 'greedy', 'greedy', 'other', 'third'].map(async (name) => {
    const place = places.enter([{ name, share: 1 }]);
    await place.begun;
    begun.push(name);
    place.leave();
  });
  present.leave();
  await Promise.all(done);
  expect(begun).toEqual(['greedy', 'other', 'third', 'greedy', 'greedy']);
});

test('who is refused is told what there is none of', () => {
  const places = createAnswerPlaces({ ...onePlace, waitingOfClient: 1 }, 'large reads');
  const client = [{ name: 'a', share: 1 }];
  places.enter(client);
  places.enter(client);
  expect(() => places.enter(client)).toThrow(/^A client gets 1 large reads at a time/);
});
