import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import { coin } from '../data/coin.ts';
import { type PartId, type PartPoint, readPartPoints } from '../data/part-points.ts';
import { useStore } from '../data/store.ts';
import { type Read, useRead } from '../data/use-read.ts';
import { formatAmountShort, isZeroAmount } from '../format/amount.ts';
import { formatCount, formatDecimal, formatScaled } from '../format/number.ts';
import { rangeNames } from '../format/range-names.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { useExact } from '../ui/when.tsx';

/** A chart of a part of the service; coins that lack the part have no such figures. */
export type PartChart = {
  /** As it stands in the address of the page. */
  id: PartId;
  name: MessageKey;
  /** What a value is, in a sentence. */
  says: MessageKey;
};

/** All charts of parts, in the order in which they are offered. */
export const partCharts: readonly PartChart[] = [
  { id: 'names', name: 'Names', says: 'Number of names that are registered.' },
  { id: 'tokens', name: 'Tokens', says: 'Number of tokens created so far.' },
  {
    id: 'treasury',
    name: 'Treasury',
    says: 'Balance of the treasury by its ledger, and what came in and went out.',
  },
];

/** Which blocks: a range by its name, or from height to height. */
export type PartSpan = { range: SeriesRange } | { from: number; to: number };

/**
 * A chart with its figures.
 *
 * @param onZoom is called with the heights of a stretch that was chosen; without it none can be
 */
export function PartChartView({
  chart,
  span,
  onZoom,
}: {
  chart: PartChart;
  span: PartSpan;
  onZoom?: (from: number, to: number) => void;
}) {
  const asked = 'range' in span ? span : { from_height: span.from, to_height: span.to };
  const points: Read<PartPoint[]> = useRead(
    `${chart.id} series ${JSON.stringify(asked)}`,
    (options) => readPartPoints(chart.id, asked, options),
    'tip and time',
  );
  if (points.data === undefined && isNotFound(points.error))
    return <Empty>{t('This service keeps no such figures.')}</Empty>;
  return (
    <Reading read={points} what="the chart">
      {(data) => <Drawn points={data} chart={chart} span={span} onZoom={onZoom} />}
    </Reading>
  );
}

function Drawn({
  points,
  chart,
  span,
  onZoom,
}: {
  points: readonly PartPoint[];
  chart: PartChart;
  span: PartSpan;
  onZoom: ((from: number, to: number) => void) | undefined;
}) {
  const exact = useExact();
  const { ticker = '', id: coinId = 'coin' } = useStore(coin) ?? {};
  const isAmount = chart.id === 'treasury';
  const format = (value: number): string =>
    isAmount ? formatScaled(value, ticker) : formatCount(Math.round(value));
  const fileName = `${coinId}-${chart.id}-${'range' in span ? span.range : `${span.from}-${span.to}`}`;
  return (
    <>
      <TimeChart
        label={describeChart(chart, span)}
        times={points.map(({ time }) => time)}
        values={points.map(({ text }) => Number(text))}
        format={format}
        say={(index) =>
          sayPoint(points[index]!, exact, (text) =>
            isAmount ? `${formatDecimal(text)} ${ticker}` : formatCount(Number(text)),
          )
        }
        {...(onZoom && {
          onSelect: (first: number, last: number) => onZoom(points[first]!.height, points[last]!.height),
        })}
        fileName={fileName}
        isStepped
      >
        <CsvButton fileName={fileName} write={() => writeCsv(points)} />
      </TimeChart>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[
            { heading: 'Block', class: 'number' },
            'Time',
            { heading: chart.name, class: 'number' },
            ...(isAmount ? flowColumns : []),
          ]}
        >
          {points.map(({ height, time, text, flow }) => (
            <tr key={height}>
              <td class="number">
                <BlockLink height={height} />
              </td>
              <td>{exact(time)}</td>
              <td class="number">{isAmount ? <Amount value={text} unit="" /> : formatCount(Number(text))}</td>
              {isAmount &&
                [flow?.received, flow?.spent].map((amount, i) => (
                  <td key={i} class="number">
                    {amount === undefined ? '' : <Amount value={amount} unit="" />}
                  </td>
                ))}
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

/** What moved behind the point before. */
const flowColumns = [
  { heading: 'Received', class: 'number' },
  { heading: 'Spent', class: 'number' },
] as const;

function describeChart({ name }: PartChart, span: PartSpan): string {
  if ('range' in span) return `${t(name)}, ${t(rangeNames[span.range])}`;
  return t('{name}, blocks {from} to {to}', {
    name: t(name),
    from: formatCount(span.from),
    to: formatCount(span.to),
  });
}

function sayPoint(
  { height, time, text, flow }: PartPoint,
  exact: (iso: string) => string,
  sayValue: (text: string) => string,
): string {
  const said = { height: formatCount(height), time: exact(time), value: sayValue(text) };
  if (flow === undefined || (isZeroAmount(flow.received) && isZeroAmount(flow.spent)))
    return t('Block {height}, {time}: {value}', said);
  return t('Block {height}, {time}: {value}; {received} received, {spent} spent', {
    ...said,
    received: formatAmountShort(flow.received),
    spent: formatAmountShort(flow.spent),
  });
}

/** As it is, for programs: what moved is empty where nothing is known before. */
function writeCsv(points: readonly PartPoint[]): string {
  const hasFlow = points.some(({ flow }) => flow !== undefined);
  const heading = hasFlow ? 'height,time,value,received,spent' : 'height,time,value';
  const lines = points.map(({ height, time, text, flow }) =>
    [height, time, text, ...(hasFlow ? [flow?.received ?? '', flow?.spent ?? ''] : [])].join(),
  );
  return `${[heading, ...lines].join('\r\n')}\r\n`;
}
