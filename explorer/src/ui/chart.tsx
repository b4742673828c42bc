import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';

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
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [theme, setTheme] = useState(0);

  useEffect(() => {
    const redraw = () => setTheme((count) => count + 1);
    const system = matchMedia('(prefers-color-scheme: dark)');
    addEventListener('theme', redraw);
    system.addEventListener('change', redraw);
    return () => {
      removeEventListener('theme', redraw);
      system.removeEventListener('change', redraw);
    };
  }, []);

  useEffect(() => {
    const element = box.current;
    if (element === null || values.length < 2) return undefined;
    let chart: uPlot | undefined;
    let isGone = false;
    const observer = new ResizeObserver(() =>
      chart?.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    void import('uplot').then(({ default: Plot }) => {
      if (isGone) return;
      chart = new Plot(
        chartOptions(element, format, (index) => setAt(index ?? undefined)),
        [[...heights], [...values]],
        element,
      );
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      chart?.destroy();
    };
  }, [heights.join(), values.join(), theme]);

  const last = values.length - 1;
  const shown = at !== undefined && at <= last ? at : last;
  return (
    <figure>
      <div class="chart" ref={box} role="img" aria-label={`${label}, ${summarise(values, format)}`} />
      <figcaption class="chart-says">
        {values.length < 2
          ? 'Too few blocks for a line yet.'
          : `Block ${heights[shown]?.toLocaleString('en-US')}: ${format(values[shown] ?? 0)}`}
      </figcaption>
    </figure>
  );
}

function summarise(values: readonly number[], format: (value: number) => string): string {
  if (values.length === 0) return 'no values yet';
  return `from ${format(Math.min(...values))} to ${format(Math.max(...values))}`;
}

function chartOptions(
  element: HTMLElement,
  format: (value: number) => string,
  onPoint: (index: number | null | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const [accent, quiet, line] = [colour('--accent'), colour('--quiet'), colour('--line')];
  const axis = {
    stroke: quiet,
    font: `11px ${colour('--text-font')}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false },
      y: {
        range: (_, low, high) =>
          low === high ? [low * 0.5, high * 1.5 || 1] : [Math.min(low, low * 0.9), high * 1.05],
      },
    },
    axes: [
      { ...axis, size: 24, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en-US')) },
      { ...axis, size: 76, space: 36, values: (_, ticks) => ticks.map(format) },
    ],
    series: [{}, { stroke: accent, width: 1.5, points: { show: false } }],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx)] },
  };
}
