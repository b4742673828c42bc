import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createEndOfTurn } from './end-of-turn.ts';

test('answers of one turn are written at its end, in their order', async () => {
  const atEndOfTurn = createEndOfTurn();
  const written: number[] = [];
  for (const answer of [1, 2, 3]) atEndOfTurn(() => written.push(answer));
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual([1, 2, 3]);
});

test('the sixteenth answer waits for no more, and those after it wait for the end again', async () => {
  const atEndOfTurn = createEndOfTurn();
  const written: number[] = [];
  for (let answer = 1; answer <= 17; answer++) atEndOfTurn(() => written.push(answer));
  expect(written).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  await nextTurn();
  expect(written.at(-1)).toBe(17);
});

test('an answer that cannot be written is told why and holds up no other', async () => {
  const atEndOfTurn = createEndOfTurn();
  const fault = new Error('a header with a line break');
  const told: unknown[] = [];
  atEndOfTurn((error) => {
    told.push(error);
    if (error === undefined) throw fault;
  });
  atEndOfTurn((error) => told.push(error));
  await nextTurn();
  expect(told).toEqual([undefined, fault, undefined]);
});
