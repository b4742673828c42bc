import { expect, test } from 'vitest';
import type { Reader } from '../../db/database.ts';
import { openTipReads } from './tip-reads.ts';

const SCRIPT = new Uint8Array(22).fill(1);
const TOKEN = new Uint8Array(32).fill(2);
/** The script has something of so many tokens, which are numbered from 0. */
const HELD = 70;

/** A snapshot in which the script has a number and balances, and that counts what it is asked. */
function openCounted(): { reader: Reader; counts: { get: number; all: number } } {
  const counts = { get: 0, all: 0 };
  const reader = {
    async get() {
      counts.get++;
      return { script_id: 5 };
    },
    async all(_statement: unknown, [scriptId, after, limit]: [number, number, number]) {
      counts.all++;
      const numbers = Array.from({ length: HELD }, (_, number) => number).filter((number) => number > after);
      return numbers
        .slice(0, limit)
        .map((number) => ({ script_id: BigInt(scriptId), token_number: BigInt(number), amount: 1n }));
    },
  };
  return { reader: reader as unknown as Reader, counts };
}

test('tokens that a script has are read once, however often more of them are asked for', async () => {
  const { reader, counts } = openCounted();
  const tip = openTipReads(reader);
  const first = Array.from({ length: HELD }, (_, number) => number);
  for (const count of [33, 33, 65, 65, 97, 129, 10])
    expect(await tip.listHeld(SCRIPT, count)).toEqual(first.slice(0, count));
  expect(counts).toEqual({ get: 1, all: 3 });
});

test('a token and a balance that are asked for again are not read again', async () => {
  const { reader, counts } = openCounted();
  const tip = openTipReads(reader);
  // Nothing there can be read as a token: what is remembered is the question.
  const asked = [
    tip.findToken(TOKEN),
    tip.findToken(TOKEN),
    tip.findNumberedToken(1),
    tip.findNumberedToken(1),
  ];
  await Promise.allSettled(asked);
  await tip.findBalance(SCRIPT, 1);
  await tip.findBalance(SCRIPT, 1);
  expect(counts.get).toBe(4);
});
