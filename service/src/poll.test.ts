import { expect, test } from 'vitest';
import { startPoller } from './poll.ts';

test('the last good value stays while reading fails, with why and since when', async () => {
  const outcomes: (number | Error)[] = [1, 2, new Error('gone'), new Error('gone'), 3];
  const poller = startPoller({
    read: async () => {
      const next = outcomes.shift()!;
      if (next instanceof Error) throw next;
      return next;
    },
    intervalMs: 1_000_000,
    describeError: (error) => (error as Error).message,
  });
  await poller.refresh();
  const first = poller.current();
  expect(first).toMatchObject({ value: 1, error: undefined });
  await poller.refresh();
  expect(poller.current()).toMatchObject({ value: 2, sinceMs: first.sinceMs });
  await poller.refresh();
  const failed = poller.current();
  expect(failed).toMatchObject({ value: 2, error: 'gone' });
  await poller.refresh();
  expect(poller.current()).toEqual(failed);
  await poller.refresh();
  expect(poller.current()).toMatchObject({ value: 3, error: undefined });
  await poller.stop();
});

test('stopping aborts a read that is under way, and does not call it a failure', async () => {
  const poller = startPoller({
    read: (signal) =>
      new Promise<number>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    intervalMs: 1,
    describeError: String,
  });
  await poller.stop();
  expect(poller.current().error).toBeUndefined();
});
