/** Axes of time, by the clock that the reader has chosen. */

import type uPlot from 'uplot';
import type { Zone } from '../format/time.ts';
import { formatTick } from '../format/time-tick.ts';
import { type PlotInk, plotAxis } from './plot.tsx';

/** What a plot with a scale of time has besides: where days begin, and how its ticks are written. */
export function timeOptions(zone: Zone): Pick<uPlot.Options, 'tzDate'> {
  return zone === 'utc' ? { tzDate: toUtc } : {};
}

/** The axis itself. */
export function timeAxis(ink: PlotInk, zone: Zone): uPlot.Axis {
  return {
    ...plotAxis(ink),
    size: 40,
    values: (_, ticks, __, ___, step) => ticks.map((tick) => formatTick(tick, step, zone)),
  };
}

/** A date whose local fields are those of UTC. */
function toUtc(timestampS: number): Date {
  const date = new Date(timestampS * 1_000);
  return new Date(date.getTime() + date.getTimezoneOffset() * 60_000);
}
