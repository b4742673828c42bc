import { expect, onTestFinished, test } from 'vitest';
import { DatabaseUnavailableError } from './database.ts';
import { watchPrimary } from './primary-watch.ts';

/** A primary that says these positions one after another, and the last one again and again. */
function open(words: (number | Error | 'silence')[], settleMs?: number) {
  let asked = 0;
  const watch = watchPrimary(async () => {
    const word = words[Math.min(asked++, words.length - 1)]!;
    if (word === 'silence') return await new Promise<never>(() => {});
    if (word instanceof Error) throw word;
    return word;
  }, settleMs);
  onTestFinished(() => watch.stop());
  return { watch, asked: () => asked };
}

test('a read has what the primary has, and what this process has shown', async () => {
  const { watch } = open([5, 7]);
  expect(await watch.findLeast()).toBe(5);
  watch.note(6);
  expect(await watch.findLeast()).toBe(7);
});

test('a promoted primary that lacks the last commits is waited for until it has them again', async () => {
  const { watch, asked } = open([9, 7, 7, 8, 10]);
  expect(await watch.findLeast()).toBe(9);
  expect(await watch.findLeast()).toBe(9);
  expect(asked()).toBe(5);
  expect(await watch.findLeast()).toBe(10);
});

test('what will never come again is given up', async () => {
  const { watch } = open([9, 7], 0);
  expect(await watch.findLeast()).toBe(9);
  expect(await watch.findLeast()).toBe(7);
});

test.each([
  ['refuses', new DatabaseUnavailableError('gone')],
  ['is silent', 'silence'],
] as const)('a primary that %s is not waited for again until it answers', async (_, fault) => {
  const { watch, asked } = open([4, fault, 6]);
  expect(await watch.findLeast()).toBe(4);
  expect(await watch.findLeast()).toBe(4);
  expect(watch.isThere()).toBe(false);
  const before = asked();
  expect(await watch.findLeast()).toBe(4);
  expect(asked()).toBe(before);
  await expect.poll(() => watch.isThere()).toBe(true);
  expect(await watch.findLeast()).toBe(6);
});
