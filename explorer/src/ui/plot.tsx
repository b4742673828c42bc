import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { t } from '../language/messages.ts';
import { useTheme } from './use-theme.ts';

/** Colours and type of the page, as a canvas needs them: its own words, not the style sheet's. */
export type PlotInk = {
  accent: string;
  quiet: string;
  line: string;
  card: string;
  text: string;
  font: string;
};

/**
 * Draws a plot into an element and keeps it as wide as that: again when the data, the colours or the options change. The library comes when
 * it is first needed.
 *
 * @param key what the plot shows; it is drawn anew with another
 * @param options by the page's colours, by what gives a colour of the style sheet, and by the library's ways to draw a line
 * @returns the element's ref, and the plot while there is one
 */
export function usePlot(
  key: string,
  data: uPlot.AlignedData,
  options: (
    ink: PlotInk,
    readColour: (name: string) => string,
    paths: typeof uPlot.paths,
  ) => Omit<uPlot.Options, 'width'>,
): { box: RefObject<HTMLDivElement | null>; plot: { readonly current: uPlot | undefined } } {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const theme = useTheme();

  useEffect(() => {
    const element = box.current;
    // One point is no line.
    if (element === null || data[0].length < 2) return undefined;
    let isGone = false;
    const readColour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: plot.current.height }),
    );
    void import('uplot').then(({ default: Plot }) => {
      if (isGone) return;
      const described = options(readInk(element), readColour, Plot.paths);
      plot.current = new Plot({ ...described, width: element.clientWidth }, data, element);
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [key, theme]);

  return { box, plot };
}

/** The colours of an element's page. */
export function readInk(element: HTMLElement): PlotInk {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    accent: read('--accent'),
    quiet: read('--quiet'),
    line: read('--line'),
    card: read('--card'),
    text: read('--text'),
    font: read('--text-font'),
  };
}

/** An axis in the page's colours. */
export function plotAxis({ quiet, line, font }: PlotInk): uPlot.Axis {
  return {
    stroke: quiet,
    font: `11px ${font}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  };
}

/** A scale that has some room above its greatest value and begins near its least. */
export function roomyRange(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  return low === high ? [low * 0.5, high * 1.5 || 1] : [Math.min(low, low * 0.9), high * 1.05];
}

/** The same from zero, for areas: how high they are is what counts. */
export function roomyTop(_: uPlot, __: number | null, high: number | null): [number, number] {
  return [0, (high ?? 0) * 1.05 || 1];
}

/** The least and the greatest of values in words, for those who do not see the line. */
export function summarise(values: readonly (number | null)[], format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return t('no values yet');
  return t('from {from} to {to}', {
    from: format(Math.min(...known)),
    to: format(Math.max(...known)),
  });
}
