import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useStore } from '../data/store.ts';
import { times as timesChosen } from '../data/times.ts';
import type { StackedSeries } from '../format/mempool-history.ts';
import { plotAxis, roomyTop, usePlot } from './plot.tsx';
import { PngButton } from './png-button.tsx';
import { timeAxis, timeOptions } from './time-axis.ts';

const HEIGHT_PX = 320;

/** Areas on each other over time, in the colours of fee bands; gaps stay empty. */
export function StackedChart({
  label,
  series,
  from,
  to,
  format,
  onPoint,
  says,
  keys,
  fileName,
  legend,
  children,
}: {
  label: string;
  series: StackedSeries;
  /** What the axis of time shows, Unix seconds, whatever is known of it. */
  from: number;
  to: number;
  format: (value: number) => string;
  /** Called with the moment that the pointer is at, Unix seconds; undefined where it is nowhere. */
  onPoint: (atS: number | undefined) => void;
  /** What is said of that moment. */
  says: string;
  /** The bands that are shown, with what each is called. */
  keys: readonly { band: number; text: string }[];
  /** Of the picture, without its ending. */
  fileName: string;
  /** Between the chart and what is said. */
  legend: ComponentChildren;
  /** More that can be done with it. */
  children: ComponentChildren;
}) {
  const { times, tops } = series;
  const { zone } = useStore(timesChosen);
  const point = useRef(onPoint);
  point.current = onPoint;
  const { box, plot } = usePlot(
    `${label} ${zone} ${from} ${to} ${times.join()} ${tops.at(-1)?.join()}`,
    // The highest is drawn first: each one below it covers what is not its own.
    [times, ...[...tops].reverse()],
    (ink, readColour) => ({
      height: HEIGHT_PX,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      ...timeOptions(zone),
      scales: { x: { range: () => [from, to] }, y: { range: roomyTop } },
      axes: [
        timeAxis(ink, zone),
        { ...plotAxis(ink), size: 84, space: 36, values: (_, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        ...tops.map((_, i) => {
          const colour = readColour(`--fee-${tops.length - 1 - i}`);
          return { stroke: colour, fill: colour, width: 1, points: { show: false }, spanGaps: false };
        }),
      ],
      hooks: {
        setCursor: [
          (plot) => {
            const { left } = plot.cursor;
            point.current(left === undefined || left < 0 ? undefined : plot.posToVal(left, 'x'));
          },
        ],
      },
    }),
  );
  const readKeys = () => {
    const style = getComputedStyle(box.current!);
    return keys.map(({ band, text }) => ({ colour: style.getPropertyValue(`--fee-${band}`).trim(), text }));
  };
  return (
    <figure>
      <div class="chart large" ref={box} role="img" aria-label={label} />
      {legend}
      <figcaption class="chart-says row">
        <span>{says}</span>
        <PngButton plot={plot} title={label} fileName={fileName} readKeys={readKeys} />
        {children}
      </figcaption>
    </figure>
  );
}
