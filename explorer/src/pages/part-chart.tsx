import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import { getNameSeries } from '@coinfront/sdk/names/get-name-series.ts';
import { getTokenSeries } from '@coinfront/sdk/tokens/get-token-series.ts';
import { getTreasurySeries } from '@coinfront/sdk/treasury/get-treasury-series.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { type Read, useRead } from '../data/use-read.ts';
import { formatCount, formatDecimal, formatScaled } from '../format/number.ts';
import { rangeNames } from '../format/range-names.ts';
import { formatUtc } from '../format/time.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockLink } from '../ui/links.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';

/** A figure that a part keeps, after a block. `text` is as the service gave it. */
type PartPoint = { height: number; time: string; text: string };

/** A chart of a part of the service; coins that lack the part have no such figures. */
export type PartChart = {
  /** As it stands in the address of the page. */
  id: 'names' | 'tokens' | 'treasury';
  name: MessageKey;
  /** What a value is, in a sentence. */
  says: MessageKey;
};

/** All charts of parts, in the order in which they are offered. */
export const partCharts: readonly PartChart[] = [
  { id: 'names', name: 'Names', says: 'Number of names that are registered.' },
  { id: 'tokens', name: 'Tokens', says: 'Number of tokens created so far.' },
  { id: 'treasury', name: 'Treasury', says: 'Balance of the treasury by its ledger.' },
];

/** A chart with its figures over a range. */
export function PartChartView({ chart, range }: { chart: PartChart; range: SeriesRange }) {
  const points: Read<PartPoint[]> = useRead(
    `${chart.id} series ${range}`,
    async (options) => {
      if (chart.id === 'tokens')
        return (await getTokenSeries(client, { range }, options)).points.map(({ tokens, ...at }) => ({
          ...at,
          text: String(tokens),
        }));
      if (chart.id === 'names')
        return (await getNameSeries(client, { range }, options)).points.map(
          ({ registered, height, time }) => ({ height, time, text: String(registered) }),
        );
      const { points } = await getTreasurySeries(client, { range }, options);
      return points.map(({ balance, ...at }) => ({ ...at, text: balance }));
    },
    'tip and time',
  );
  if (points.data === undefined && isNotFound(points.error))
    return <Empty>{t('This service keeps no such figures.')}</Empty>;
  return (
    <Reading read={points} what="the chart">
      {(data) => <Drawn points={data} chart={chart} range={range} />}
    </Reading>
  );
}

function Drawn({
  points,
  chart,
  range,
}: {
  points: readonly PartPoint[];
  chart: PartChart;
  range: SeriesRange;
}) {
  const { ticker = '', id: coinId = 'coin' } = useStore(coin) ?? {};
  const isAmount = chart.id === 'treasury';
  const format = (value: number): string =>
    isAmount ? formatScaled(value, ticker) : formatCount(Math.round(value));
  const fileName = `${coinId}-${chart.id}-${range}`;
  const lines = points.map(({ height, time, text }) => `${height},${time},${text}`);
  const csv = `${['height,time,value', ...lines].join('\r\n')}\r\n`;
  return (
    <>
      <TimeChart
        label={`${t(chart.name)}, ${t(rangeNames[range])}`}
        times={points.map(({ time }) => time)}
        values={points.map(({ text }) => Number(text))}
        format={format}
        say={(index) => {
          const { height, time, text } = points[index]!;
          return t('Block {height}, {time}: {value}', {
            height: formatCount(height),
            time: formatUtc(time),
            value: isAmount ? `${formatDecimal(text)} ${ticker}` : formatCount(Number(text)),
          });
        }}
        fileName={fileName}
      >
        <button
          type="button"
          class="act second"
          onClick={() => saveFile(new Blob([csv], { type: 'text/csv' }), `${fileName}.csv`)}
        >
          CSV
        </button>
      </TimeChart>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[{ heading: 'Block', class: 'number' }, 'Time', { heading: chart.name, class: 'number' }]}
        >
          {points.map(({ height, time, text }) => (
            <tr key={height}>
              <td class="number">
                <BlockLink height={height} />
              </td>
              <td>{formatUtc(time)}</td>
              <td class="number">{isAmount ? <Amount value={text} unit="" /> : formatCount(Number(text))}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}
