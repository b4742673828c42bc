import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args, () => 99);

test('without options it is ten minutes on SQLite with a seed of its own', () => {
  expect(read()).toEqual({
    ok: true,
    value: {
      minutes: 10,
      engine: 'sqlite',
      seed: 99,
      faults: Number.POSITIVE_INFINITY,
      from: 1,
      keep: false,
      without: new Set(),
    },
  });
  expect(
    read(
      '--engine',
      'postgresql',
      '--seed',
      '7',
      '--faults',
      '12',
      '--from',
      '3',
      '--keep',
      '--without',
      'disk-full',
    ),
  ).toMatchObject({
    value: { engine: 'postgres', seed: 7, faults: 12, from: 3, keep: true, without: new Set(['disk-full']) },
  });
});

test.each([
  ['--minutes', 'soon'],
  ['--minutes', '0'],
  ['--seed', '1.5'],
  ['--engine', 'mysql'],
  ['--fault', '3'],
])('%s %s is refused with a reason', (...args) => {
  expect(read(...args).ok).toBe(false);
});
