import { expect, test } from 'vitest';
import { commandTable, findCommands } from './command-table.ts';

test.each(commandTable)('the table has "%s" by its own name', async (name, load) => {
  expect((await load()).name).toBe(name);
});

test.each([
  [['balance', '--json'], 'balance'],
  [['--wallet', 'a.json', 'name', 'show', 'alice.coin'], 'name show'],
])('%j loads one command', async (argv, name) => {
  expect((await findCommands(argv)).map((each) => each.name)).toEqual([name]);
});

test.each([[[]], [['help', 'balance']], [['--help']], [['name']], [['nothing']]])(
  '%j loads all',
  async (argv) => {
    expect((await findCommands(argv)).length).toBeGreaterThan(commandTable.length);
  },
);
