import { expect, test } from 'vitest';
import { enterEntry, keepAnswer, recallAnswer } from './entries.ts';

test('what was shown in an entry is there when somebody comes back, and not in another', () => {
  enterEntry('a', false);
  keepAnswer('blocks', [1]);
  enterEntry('b', false);
  expect(recallAnswer('blocks')).toBe(undefined);
  enterEntry('a', false);
  expect(recallAnswer('blocks')).toEqual([1]);
});

test('the next page of a list begins with what the last one showed', () => {
  enterEntry('first page', false);
  keepAnswer('figures', 1);
  enterEntry('second page', true);
  expect(recallAnswer('figures')).toBe(1);
  keepAnswer('figures', 2);
  enterEntry('first page', false);
  expect(recallAnswer('figures')).toBe(1);
});

test('twenty entries are kept, and forty answers of each', () => {
  for (let entry = 0; entry <= 20; entry += 1) {
    enterEntry(`entry ${entry}`, false);
    for (let answer = 0; answer <= 40; answer += 1) keepAnswer(`answer ${answer}`, answer);
  }
  expect(recallAnswer('answer 0')).toBe(undefined);
  expect(recallAnswer('answer 1')).toBe(1);
  enterEntry('entry 1', false);
  expect(recallAnswer('answer 40')).toBe(40);
  enterEntry('entry 0', false);
  expect(recallAnswer('answer 40')).toBe(undefined);
});

test('large answers push out the oldest ones, and one that is too large for itself is not kept', () => {
  enterEntry('old', false);
  keepAnswer('small', 1);
  enterEntry('new', false);
  for (const key of ['1', '2', '3']) keepAnswer(key, 'x'.repeat(1_900_000));
  expect(['1', '2', '3'].map((key) => recallAnswer(key) !== undefined)).toEqual([false, true, true]);
  enterEntry('old', false);
  expect(recallAnswer('small')).toBe(undefined);
  keepAnswer('too large', 'x'.repeat(4_000_000));
  expect(recallAnswer('too large')).toBe(undefined);
  keepAnswer('small', 1);
  expect(recallAnswer('small')).toBe(1);
});
