import { looksBounds } from '@coinfront/protocol/registry/looks.ts';
import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';
import { STATEMENT_BOUNDS } from './vantage-bounds.ts';

const read = (answer: unknown) =>
  readAnswer({ fetchText: async () => JSON.stringify(answer) }, 'https://a.example', STATEMENT_BOUNDS);
const lookOf = (tokens: string[]) => ({
  ...{ endpoint: '[2001:db8::1]:29666', at: null, result: 'pass', reason: null, lag: 0, tokens },
});

test('a statement of as many looks and tokens as there can be is read', async () => {
  const looks = Array(looksBounds.looks).fill(lookOf(Array(looksBounds.tokens).fill('nodeproof-')));
  expect(await read({ statement: { looks } })).toEqual({ statement: { looks } });
});

test('one of more parts is not, whatever they are', async () => {
  await expect(read({ statement: { looks: Array(200_000).fill([]) } })).rejects.toThrow('too many parts');
});
