import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBodyTurns } from './body-turns.ts';

const MIB = 1_048_576;

test('a turn ends when enough is parsed, and those who wait go on in their order, each in a turn of its own', async () => {
  const turns = createBodyTurns();
  const gone: string[] = [];
  const parse = (name: string, pieces: number): void => {
    if (pieces === 0) return;
    if (turns.take(MIB)) {
      gone.push(name);
      parse(name, pieces - 1);
    } else {
      turns.wait(() => parse(name, pieces));
    }
  };
  parse('a', 2);
  parse('b', 2);
  parse('c', 1);
  const byTurn: string[][] = [];
  while (gone.length < 5) {
    byTurn.push([...gone]);
    await nextTurn();
  }
  byTurn.push([...gone]);
  expect(gone).toEqual(['a', 'a', 'b', 'c', 'b']);
  expect(byTurn.map((each) => each.length)).toEqual([1, 2, 3, 4, 5]);
});

test('what is small is parsed in one turn, however much of it there is', () => {
  const turns = createBodyTurns();
  for (let i = 0; i < 100; i++) expect(turns.take(1_000)).toBe(true);
});
