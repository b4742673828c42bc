/** The life of a name as a picture: stretches of one state each, and where something happened. */

import type { NameEventJson } from '@coinfront/api/name-timeline.ts';

/** What a name is between two events. */
export type LifeState = 'registered' | 'grace' | 'premium' | 'free';

/** From 0 to `width`, the beginning left. `isAhead` where it has not come yet. */
export type LifeStretch = { state: LifeState; from: number; to: number; isAhead: boolean };

export type Life = {
  width: number;
  stretches: LifeStretch[];
  /** Where operations happened. */
  marks: { event: NameEventJson; at: number }[];
  /** The tip; undefined where the picture ends before it. */
  now: number | undefined;
};

export const LIFE_WIDTH = 1_000;

/**
 * Lays out events that are given newest first. Heights are on a scale of their own kind: in proportion, from the first event to the last
 * one or to the tip.
 */
export function layoutLife(events: readonly NameEventJson[], tipHeight: number): Life | undefined {
  const ordered = [...events].reverse();
  const first = ordered[0]?.at.height;
  const newest = ordered.at(-1);
  if (first === undefined || newest === undefined) return undefined;
  const isNewest = newest.kind === 'lapsed';
  const last = isNewest ? Math.max(newest.at.height, tipHeight) : newest.at.height;
  const scale = (height: number) => ((height - first) / Math.max(1, last - first)) * LIFE_WIDTH;
  const stretches = ordered.flatMap((event, i): LifeStretch[] => {
    const state = stateAfter(event);
    const [start, end] = [event.at.height, ordered[i + 1]?.at.height ?? last];
    // What is under way has a part that is over and one that is not.
    const cuts = start < tipHeight && tipHeight < end ? [start, tipHeight, end] : [start, end];
    return cuts.slice(1).flatMap((to, j) => {
      const from = cuts[j]!;
      return to === from ? [] : [{ state, from: scale(from), to: scale(to), isAhead: from >= tipHeight }];
    });
  });
  return {
    width: LIFE_WIDTH,
    stretches,
    marks: ordered
      .filter(({ txid }) => txid !== null)
      .map((event) => ({ event, at: scale(event.at.height) })),
    now: tipHeight >= first && tipHeight <= last ? scale(tipHeight) : undefined,
  };
}

function stateAfter({ kind, at, expiry }: NameEventJson): LifeState {
  if (kind === 'expired') return 'grace';
  if (kind === 'released') return 'premium';
  if (kind === 'lapsed') return 'free';
  // A renewal late in a long grace can leave the name expired.
  return expiry !== null && expiry <= at.height ? 'grace' : 'registered';
}
