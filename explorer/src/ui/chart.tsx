import { useState } from 'preact/hooks';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { plotAxis, roomyRange, summarise, usePlot } from './plot.tsx';

const HEIGHT_PX = 176;

/** A line over block heights. What the pointer is at, or the last point, is said in words below it. */
export function Chart({
  label,
  heights,
  values,
  format,
}: {
  label: string;
  heights: readonly number[];
  values: readonly number[];
  format: (value: number) => string;
}) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const { box } = usePlot(`${heights.join()} ${values.join()}`, [[...heights], [...values]], (ink) => ({
    height: HEIGHT_PX,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: { x: { time: false }, y: { range: roomyRange } },
    axes: [
      { ...plotAxis(ink), size: 24, values: (_, ticks) => ticks.map(formatCount) },
      { ...plotAxis(ink), size: 76, space: 36, values: (_, ticks) => ticks.map(format) },
    ],
    series: [{}, { stroke: ink.accent, width: 1.5, points: { show: false } }],
    hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? undefined)] },
  }));
  const last = values.length - 1;
  const shown = at !== undefined && at <= last ? at : last;
  return (
    <figure>
      <div class="chart" ref={box} role="img" aria-label={`${label}, ${summarise(values, format)}`} />
      <figcaption class="chart-says">
        {values.length < 2
          ? t('Not enough blocks to draw a line yet.')
          : t('Block {height}: {value}', {
              height: formatCount(heights[shown] ?? 0),
              value: format(values[shown] ?? 0),
            })}
      </figcaption>
    </figure>
  );
}
