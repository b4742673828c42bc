import type { NameEventJson } from '@coinfront/api/name-timeline.ts';
import { describe, expect, test } from 'vitest';
import { layoutLife } from './name-life.ts';

const event = (
  kind: NameEventJson['kind'],
  height: number,
  txid: string | null = null,
  expiry: number | null = null,
): NameEventJson => ({
  kind,
  at: { height, time: '2026-01-01T00:00:00.000Z', estimated: false },
  txid,
  sender: null,
  owner: null,
  periods: null,
  paid: null,
  expiry,
});
const life = [
  event('registered', 100, 'a', 120),
  event('transferred', 110, 'b', 120),
  event('expired', 120),
  event('renewed', 125, 'c', 140),
  event('expired', 140),
  event('released', 150),
  event('lapsed', 200),
];

describe('the picture of a life', () => {
  test('has a stretch for each state, in proportion, and marks where something was done', () => {
    const { stretches, marks, now } = layoutLife(life.toReversed(), 145)!;
    expect(stretches).toEqual([
      { state: 'registered', from: 0, to: 100, isAhead: false },
      { state: 'registered', from: 100, to: 200, isAhead: false },
      { state: 'grace', from: 200, to: 250, isAhead: false },
      { state: 'registered', from: 250, to: 400, isAhead: false },
      { state: 'grace', from: 400, to: 450, isAhead: false },
      { state: 'grace', from: 450, to: 500, isAhead: true },
      { state: 'premium', from: 500, to: 1_000, isAhead: true },
    ]);
    expect(marks.map(({ event: { txid }, at }) => [txid, at])).toEqual([
      ['a', 0],
      ['b', 100],
      ['c', 250],
    ]);
    expect(now).toBe(450);
  });

  test('goes on to the tip when the name is free', () => {
    const { stretches, now } = layoutLife(life.toReversed(), 300)!;
    expect(stretches.at(-1)).toEqual({ state: 'free', from: 500, to: 1_000, isAhead: false });
    expect(now).toBe(1_000);
  });

  test('shows a renewal that leaves the name expired as grace', () => {
    const events = [
      event('registered', 100, 'a', 120),
      event('expired', 120),
      event('renewed', 130, 'b', 125),
    ];
    expect(layoutLife(events.toReversed(), 130)!.stretches.map(({ state }) => state)).toEqual([
      'registered',
      'grace',
    ]);
  });

  test('of an older page ends where that ends, and nothing has none', () => {
    const { now, stretches } = layoutLife(life.slice(0, 3).toReversed(), 900)!;
    expect(now).toBeUndefined();
    expect(stretches.at(-1)).toMatchObject({ to: 1_000 });
    expect(layoutLife([], 5)).toBeUndefined();
  });
});
