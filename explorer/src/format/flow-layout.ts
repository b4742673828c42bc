/** How the coins of a transaction flow from its inputs to its outputs and its fee, as bands of a picture. */

import { t } from '../language/messages.ts';
import { formatCount } from './number.ts';

/** One end of the flow. */
export type FlowSide = {
  /** What it is, for those who point at it. */
  name: string;
  /** Base units. */
  value: bigint;
  isFee?: boolean;
};

/** A band from a side to the middle: a curve, and how thick it is. */
export type FlowBand = FlowSide & { path: string; thickness: number };

export type Flow = { width: number; height: number; inputs: FlowBand[]; outputs: FlowBand[] };

/** Sides that are drawn one by one; the last one stands for the others where there are more. */
export const MOST_SIDES = 20;

const WIDTH = 640;
/** All coins together in the middle. */
const TRUNK = 96;
const THINNEST = 1;
const GAP = 10;
const MIDDLE = WIDTH / 2;

/**
 * Folds what is too much to be drawn into one side.
 *
 * @param sides those that are known one by one
 * @param others how many there are besides, and their value
 */
export function foldSides(
  sides: readonly FlowSide[],
  others: { count: number; value: bigint } = { count: 0, value: 0n },
): FlowSide[] {
  if (sides.length + Math.min(1, others.count) <= MOST_SIDES && others.count === 0) return [...sides];
  const shown = sides.slice(0, MOST_SIDES - 1);
  const folded = sides.slice(MOST_SIDES - 1);
  const count = folded.length + others.count;
  const value = folded.reduce((sum, side) => sum + side.value, others.value);
  return [...shown, { name: t('{count} more', { count: formatCount(count) }), value }];
}

/** Places the bands of both sides. What flows in and what flows out should be the same; the larger of the two fills the middle. */
export function layoutFlow(inputs: readonly FlowSide[], outputs: readonly FlowSide[]): Flow {
  const sum = (sides: readonly FlowSide[]) => sides.reduce((all, { value }) => all + value, 0n);
  const totals = [sum(inputs), sum(outputs), 1n];
  const total = totals.reduce((most, each) => (each > most ? each : most));
  const thick = (sides: readonly FlowSide[]) =>
    sides.map(({ value }) => Math.max(THINNEST, (Number((value * 1_000_000n) / total) / 1_000_000) * TRUNK));
  const [left, right] = [thick(inputs), thick(outputs)];
  const heightOf = (bands: readonly number[]) =>
    bands.reduce((all, each) => all + each, 0) + GAP * Math.max(0, bands.length - 1);
  const height = Math.ceil(Math.max(TRUNK, heightOf(left), heightOf(right)) + 2 * GAP);
  return {
    width: WIDTH,
    height,
    inputs: place(inputs, left, height, 0),
    outputs: place(outputs, right, height, WIDTH),
  };
}

function place(
  sides: readonly FlowSide[],
  thickness: readonly number[],
  height: number,
  x: number,
): FlowBand[] {
  const together = thickness.reduce((all, each) => all + each, 0);
  const gap = sides.length < 2 ? 0 : (height - 2 * GAP - together) / (sides.length - 1);
  let outer = sides.length < 2 ? (height - together) / 2 : GAP;
  let inner = (height - together) / 2;
  return sides.map((side, i) => {
    const band = thickness[i]!;
    const [from, to] = [outer + band / 2, inner + band / 2];
    outer += band + gap;
    inner += band;
    const bend = (x + MIDDLE) / 2;
    const path = `M${x} ${round(from)}C${bend} ${round(from)} ${bend} ${round(to)} ${MIDDLE} ${round(to)}`;
    return { ...side, path, thickness: round(band) };
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
