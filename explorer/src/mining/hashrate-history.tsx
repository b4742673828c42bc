import type { SeriesRange } from '@coinfront/api/chain-series.ts';
import type { HashrateSeriesJson } from '@coinfront/api/mining-history.ts';
import { getPoolMinerSeries } from '@coinfront/sdk/mining/get-pool-miner-series.ts';
import { getPoolSeries } from '@coinfront/sdk/mining/get-pool-series.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatHashrate } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { place, withQuery } from '../router.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { useExact } from '../ui/when.tsx';
import { fillSteps, writeHashrateCsv } from './fill-steps.ts';

const rangeNames = { '1d': '1 day', '1w': '1 week', '1m': '1 month', '1y': '1 year', all: 'All' } as const;
type Range = keyof typeof rangeNames & SeriesRange;
const ranges = Object.keys(rangeNames) as Range[];

/** The hashrate of the pool, or of one of its miners, as the service observed it. */
export function HashrateHistory({ title, miner }: { title: MessageKey; miner?: string }) {
  const { query } = useStore(place);
  const range = ranges.find((each) => each === query.get('range')) ?? '1d';
  const series = useRead(
    `hashrates ${miner ?? ''} ${range}`,
    (options) =>
      miner === undefined
        ? getPoolSeries(client, { range }, options)
        : getPoolMinerSeries(client, { address: miner, range }, options),
    'time',
    `hashrates ${miner ?? ''}`,
  );
  return (
    <Section title={title} aside={t('as the pool said; gaps were not observed')}>
      <nav class="tabs" aria-label={t('Time ranges')}>
        {ranges.map((each) => (
          <a
            key={each}
            href={withQuery(place.get(), { range: each === '1d' ? undefined : each })}
            aria-current={each === range ? 'page' : undefined}
          >
            {t(rangeNames[each])}
          </a>
        ))}
      </nav>
      <Reading read={series} what="the chart">
        {(data) => <Drawn series={data} title={title} range={range} />}
      </Reading>
    </Section>
  );
}

function Drawn({ series, title, range }: { series: HashrateSeriesJson; title: MessageKey; range: Range }) {
  const exact = useExact();
  const { times, values } = fillSteps(series);
  if (values.length === 0) return <Empty>{t('Nothing was observed in this time.')}</Empty>;
  const fileName = `hashrate-${range}`;
  const say = (value: number | null | undefined) =>
    value === null || value === undefined ? t('unknown') : formatHashrate(value);
  return (
    <>
      <TimeChart
        label={`${t(title)}, ${t(rangeNames[range])}`}
        times={times}
        values={values}
        format={formatHashrate}
        say={(index) => `${exact(times[index]!)}: ${say(values[index])}`}
        fileName={fileName}
        hasDots
      >
        <CsvButton fileName={fileName} write={() => writeHashrateCsv(series)} />
        <span class="note">
          {t('A point is the mean of {duration}.', { duration: formatDuration(series.step_seconds) })}
        </span>
      </TimeChart>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table columns={['Time', { heading: 'Hashrate', class: 'number' }]}>
          {times.map((time, index) => (
            <tr key={time}>
              <td>{exact(time)}</td>
              <td class="number">{say(values[index])}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}
