import { expect, test } from 'vitest';
import { limitLines } from './limit-lines.ts';

test('one line passes in its time, and the next tells how many were left out', () => {
  let now = 0;
  const said: string[] = [];
  const say = limitLines(
    (line) => said.push(line),
    60,
    () => now,
  );
  say('first');
  for (now = 1; now < 60; now += 20) say('again');
  expect(said).toEqual(['first']);
  now = 60;
  say('later');
  expect(said).toEqual(['first', 'later (3 more since the last such line.)']);
  now = 120;
  say('last');
  expect(said.at(-1)).toBe('last');
});
