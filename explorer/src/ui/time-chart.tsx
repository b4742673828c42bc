import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { useStore } from '../data/store.ts';
import { times as timesChosen } from '../data/times.ts';
import { t } from '../language/messages.ts';
import { plotAxis, roomyRange, summarise, usePlot } from './plot.tsx';
import { PngButton } from './png-button.tsx';
import { StretchPicker } from './stretch-picker.tsx';
import { timeAxis, timeOptions } from './time-axis.ts';

const HEIGHT_PX = 320;

/** A line over time. What the pointer is at, or the last point, is said below it; a stretch that is drawn over is asked for. */
export function TimeChart({
  label,
  times,
  values,
  around = [],
  format,
  say,
  onSelect,
  fileName,
  hasDots = false,
  isStepped = false,
  children,
}: {
  label: string;
  /** ISO 8601, ascending. */
  times: readonly string[];
  values: readonly (number | null)[];
  /** Further lines, which stand back. */
  around?: readonly (readonly (number | null)[])[];
  format: (value: number) => string;
  /** What is said of the point of this index. */
  say: (index: number) => string;
  /** Called with the first and the last index of a stretch; without it none can be chosen. */
  onSelect?: (first: number, last: number) => void;
  /** Of the picture, without its ending. */
  fileName: string;
  /** Whether points are drawn as such: where there are gaps, one may stand alone. */
  hasDots?: boolean;
  /** Whether a value holds until the next one: what nobody knows of the time between is not drawn as a slope. */
  isStepped?: boolean;
  /** More that can be done with it. */
  children: ComponentChildren;
}) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const { zone } = useStore(timesChosen);
  const select = useRef(onSelect);
  select.current = onSelect;
  const seconds = times.map((time) => Date.parse(time) / 1_000);
  const { box, plot } = usePlot(
    `${label} ${zone} ${times.join()} ${values.join()}`,
    [seconds, [...values], ...around.map((line) => [...line])],
    (ink, _, paths) => ({
      height: HEIGHT_PX,
      padding: [8, 18, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: onSelect !== undefined, y: false, setScale: false, dist: 8 }, y: false },
      ...timeOptions(zone),
      scales: { y: { range: roomyRange } },
      axes: [
        timeAxis(ink, zone),
        { ...plotAxis(ink), size: 84, space: 36, values: (_, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        {
          ...{ stroke: ink.accent, width: 1.5, points: hasDots ? { size: 4 } : { show: false } },
          ...{ spanGaps: false, paths: isStepped ? paths.stepped!({ align: 1 }) : paths.linear!() },
        },
        ...around.map(() => ({ stroke: ink.quiet, width: 0.75, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        setCursor: [({ cursor }) => setAt(cursor.idx ?? undefined)],
        setSelect: [
          (drawn) => {
            const { left, width } = drawn.select;
            if (width === 0) return;
            select.current?.(drawn.posToIdx(left), drawn.posToIdx(left + width));
            drawn.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
          },
        ],
      },
    }),
  );
  const last = values.length - 1;
  const shown = at !== undefined && at <= last ? at : last;
  return (
    <figure>
      <div class="chart large" ref={box} role="img" aria-label={`${label}, ${summarise(values, format)}`} />
      <figcaption class="chart-says row">
        <span>{values.length < 2 ? t('Not enough points to draw a line.') : say(shown)}</span>
        {values.length >= 2 && <PngButton plot={plot} title={label} fileName={fileName} />}
        {children}
      </figcaption>
      {onSelect !== undefined && values.length >= 2 && (
        <StretchPicker
          key={times.join()}
          last={last}
          say={say}
          onChange={(from, to) => markStretch(plot.current, seconds[from]!, seconds[to]!)}
          onSelect={onSelect}
        />
      )}
    </figure>
  );
}

function markStretch(plot: uPlot | undefined, from: number, to: number): void {
  if (plot === undefined) return;
  const left = plot.valToPos(from, 'x');
  const width = plot.valToPos(to, 'x') - left;
  plot.setSelect({ left, width, top: 0, height: plot.over.clientHeight }, false);
}
