import type { SeriesJson, SeriesRange } from '@coinfront/api/chain-series.ts';
import { getSeries } from '@coinfront/sdk/chain/get-series.ts';
import type { ComponentChildren } from 'preact';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { lacks } from '../data/lacks.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { rangeNames } from '../format/range-names.ts';
import { type SeriesChart, seriesCharts, writeSeriesCsv } from '../format/series-charts.ts';
import { t } from '../language/messages.ts';
import { goTo, place } from '../router.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { BlockLink } from '../ui/links.tsx';
import { PageTitle } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { useExact } from '../ui/when.tsx';
import { type PartChart, PartChartView, partCharts } from './part-chart.tsx';

/** In the order in which they are offered. */
const seriesRanges = Object.keys(rangeNames) as SeriesRange[];

/** What the address of the page asks for: a range by its name, or blocks. */
type Choice = { chart: SeriesChart; range: SeriesRange | undefined; from?: number; to?: number };

/** Figures of the chain over time, one chart at a time. */
export function ChartsPage() {
  const { query } = useStore(place);
  const choice = readChoice(query);
  const offered = partCharts.filter(({ id }) => !lacks(id));
  const part = offered.find(({ id }) => id === query.get('chart'));
  const { from, to } = choice;
  const { range } = choice;
  const chart = part ?? choice.chart;
  const asked = range === undefined ? { from_height: from, to_height: to } : { range };
  const series = useRead(
    part === undefined ? `series ${JSON.stringify(asked)}` : undefined,
    (options) => getSeries(client, asked, options),
    'tip',
  );
  return (
    <>
      <PageTitle
        title="Charts"
        lead={lacks('rich') ? undefined : <a href="/rich">{t('Rich list and distribution')}</a>}
      />
      <nav class="tabs" aria-label={t('Charts')}>
        {[...seriesCharts, ...offered].map((each) => (
          <a
            key={each.id}
            href={addressOf({ ...choice, chart: each })}
            aria-current={each === chart ? 'page' : undefined}
          >
            {t(each.name)}
          </a>
        ))}
      </nav>
      <nav class="tabs" aria-label={t('Time ranges')}>
        {seriesRanges.map((each) => (
          <a
            key={each}
            href={addressOf({ chart, range: each })}
            aria-current={each === range ? 'page' : undefined}
          >
            {t(rangeNames[each])}
          </a>
        ))}
      </nav>
      <section class="chart-page">
        <h2>
          {t(chart.name)} <small>{t(chart.says)}</small>
        </h2>
        {part === undefined ? (
          <Reading read={series} what="the chart">
            {(data) => <Drawn series={data} choice={choice} />}
          </Reading>
        ) : (
          <>
            <PartChartView
              chart={part}
              span={range === undefined ? { from: from!, to: to! } : { range }}
              onZoom={(first, last) => goTo(addressOf({ chart, range: undefined, from: first, to: last }))}
            />
            <ZoomHint chart={part} range={range} />
          </>
        )}
      </section>
    </>
  );
}

function Drawn({ series, choice }: { series: SeriesJson; choice: Choice }) {
  const exact = useExact();
  const { ticker = '', id = 'coin' } = useStore(coin) ?? {};
  const { chart } = choice;
  const { points } = series;
  const values = points.map(chart.pick);
  const format = (value: number): string => chart.format(value, ticker);
  const around = chart.around?.map((pick) => points.map(pick)) ?? [];
  const formatKnown = (value: number | null | undefined): string =>
    value === null || value === undefined ? t('unknown') : format(value);
  /** The figure of a point, and between which ones it lies. */
  const sayFigure = (index: number): string => {
    const [lowest, highest] = [around[0]?.[index] ?? null, around.at(-1)?.[index] ?? null];
    const figure = formatKnown(values[index]);
    return lowest === null || highest === null
      ? figure
      : `${figure} (${formatKnown(lowest)} – ${formatKnown(highest)})`;
  };
  const fileName = `${id}-${chart.id}-${series.from_height}-${series.to_height}`;
  return (
    <>
      <TimeChart
        label={t('{name}, blocks {from} to {to}', {
          name: t(chart.name),
          from: formatCount(series.from_height),
          to: formatCount(series.to_height),
        })}
        times={points.map(({ time }) => time)}
        values={values}
        around={around}
        format={format}
        say={(index) => {
          const { height, blocks, time } = points[index]!;
          const said = {
            height: formatCount(height),
            time: exact(time),
            value: sayFigure(index),
          };
          return blocks === 1
            ? t('Block {height}, {time}: {value}', said)
            : t('{blocks} up to {height}, {time}: {value}', {
                blocks: formatCountOf(blocks, 'block'),
                ...said,
              });
        }}
        onSelect={(first, last) =>
          goTo(
            addressOf({
              chart,
              range: undefined,
              from: points[first]!.height - points[first]!.blocks + 1,
              to: points[last]!.height,
            }),
          )
        }
        fileName={fileName}
      >
        <CsvButton fileName={fileName} write={() => writeSeriesCsv(points)} />
      </TimeChart>
      <ZoomHint chart={chart} range={choice.range}>
        {series.blocks_per_point === 1
          ? t('Each point is one block.')
          : t('Each point is {blocks}.', { blocks: formatCountOf(series.blocks_per_point, 'block') })}{' '}
      </ZoomHint>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[
            { heading: 'Up to block', class: 'number' },
            'Time',
            { heading: chart.name, class: 'number' },
          ]}
        >
          {points.map(({ height, time }, index) => (
            <tr key={height}>
              <td class="number">
                <BlockLink height={height} />
              </td>
              <td>{exact(time)}</td>
              <td class="number">{sayFigure(index)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

/** How a stretch is chosen, and the way back to all. */
function ZoomHint({
  chart,
  range,
  children,
}: Pick<Choice, 'range'> & { chart: SeriesChart | PartChart; children?: ComponentChildren }) {
  return (
    <div class="row">
      <span class="note">
        {children}
        {t('Drag across the chart to zoom in.')}
      </span>
      {range === undefined && <a href={addressOf({ chart, range: 'all' })}>{t('Show all')}</a>}
    </div>
  );
}

/** What is not known falls back to what the page begins with. */
function readChoice(query: URLSearchParams): Choice {
  const chart = seriesCharts.find(({ id }) => id === query.get('chart')) ?? seriesCharts[0]!;
  const [from, to] = ['from', 'to'].map((name) => readHeight(query.get(name)));
  if (from !== undefined && to !== undefined && from <= to) return { chart, range: undefined, from, to };
  return { chart, range: seriesRanges.find((each) => each === query.get('range')) ?? '1m' };
}

function readHeight(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function addressOf({
  chart,
  range,
  from,
  to,
}: Omit<Choice, 'chart'> & { chart: SeriesChart | PartChart }): string {
  const span = range === undefined ? `from=${from}&to=${to}` : `range=${range}`;
  return `/charts?chart=${chart.id}&${span}`;
}
