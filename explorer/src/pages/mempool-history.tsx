import type { HistoryRange, MempoolHistoryJson } from '@coinfront/api/mempool-history.ts';
import { getMempoolHistory } from '@coinfront/sdk/chain/get-mempool-history.ts';
import { useMemo, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { findPoint, stackHistory, writeHistoryCsv } from '../format/mempool-history.ts';
import { formatCount, formatCountOf, formatScaled } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { asIs, type MessageKey, t } from '../language/messages.ts';
import { place, withQuery } from '../router.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { FeeLegend, nameBand } from '../ui/fee-legend.tsx';
import { Section } from '../ui/page.tsx';
import { StackedChart } from '../ui/stacked-chart.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { useExact } from '../ui/when.tsx';

const rangeNames: Readonly<Record<HistoryRange, MessageKey>> = {
  day: '1 day',
  week: '1 week',
  month: '1 month',
  year: '1 year',
};
/** Behind 'the last'. */
const lastRanges = { day: 'day', week: 'week', month: 'month', year: 'year' } as const;
const ranges = Object.keys(rangeNames) as HistoryRange[];
/** More rows say nothing more; all points are in the CSV. */
const MOST_ROWS = 100;

/** How much waited over time, by fee rate. */
export function MempoolHistory() {
  const here = useStore(place);
  const range = ranges.find((each) => each === here.query.get('range')) ?? 'day';
  const history = useRead(
    `mempool history ${range}`,
    (options) => getMempoolHistory(client, { range }, options),
    'time',
  );
  return (
    <Section title="Mempool over time" aside={t('virtual bytes by fee rate')}>
      <nav class="tabs" aria-label={t('Time ranges')}>
        {ranges.map((each) => (
          <a
            key={each}
            href={withQuery(here, { range: each === 'day' ? undefined : each })}
            aria-current={each === range ? 'page' : undefined}
          >
            {t(rangeNames[each])}
          </a>
        ))}
      </nav>
      <div class="history">
        <Reading read={history} what="the history">
          {(data) =>
            data.points.length === 0 ? (
              <Empty>{t('Nothing has been observed yet.')}</Empty>
            ) : (
              <HistoryView history={data} />
            )
          }
        </Reading>
      </div>
    </Section>
  );
}

function HistoryView({ history }: { history: MempoolHistoryJson }) {
  const exact = useExact();
  const { points, range, step_seconds: step, per_vb: bounds } = history;
  const [at, setAt] = useState<number | undefined>(undefined);
  const series = useMemo(() => stackHistory(history), [history]);
  const [from, to] = [history.from, history.to].map((time) => Date.parse(time) / 1_000);
  const sums = points.map(({ vsizes }) => sum(vsizes));
  return (
    <>
      <StackedChart
        label={t('Mempool of the last {range} by fee rate, from {from} to {to}', {
          range: t(lastRanges[range]),
          from: formatScaled(Math.min(...sums), 'vB'),
          to: formatScaled(Math.max(...sums), 'vB'),
        })}
        series={series}
        from={from!}
        to={to!}
        format={(value) => formatScaled(value, 'vB')}
        onPoint={setAt}
        says={sayMoment(history, at, exact)}
        keys={[...bounds.keys()].map((band) => ({ band, text: `${nameBand(band)} /vB` }))}
        fileName={`mempool-${range}`}
        legend={<FeeLegend bands={[...bounds.keys()]} />}
      >
        <CsvButton fileName={`mempool-${range}`} write={() => writeHistoryCsv(history)} />
      </StackedChart>
      <p class="note">
        {step < 21_600
          ? t('Observed every {duration}.', { duration: formatDuration(step) })
          : t('Mean of hourly observations every {duration}.', { duration: formatDuration(step) })}{' '}
        {t('Where the chart is empty, nothing was observed.')}
      </p>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[
            'Time',
            { heading: 'Transactions', class: 'number' },
            ...bounds.map((_, band) => ({
              heading: asIs(`${nameBand(band)} /vB`),
              class: 'number' as const,
            })),
          ]}
        >
          {thin(points, MOST_ROWS).map(({ time, tx_count: count, vsizes }) => (
            <tr key={time}>
              <td class="tight">{exact(time)}</td>
              <td class="number">{formatCount(count)}</td>
              {vsizes.map((vsize, band) => (
                <td key={bounds[band]} class="number">
                  {formatScaled(vsize, 'vB')}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

/** What was observed at a moment, or last. */
function sayMoment(
  history: MempoolHistoryJson,
  atS: number | undefined,
  exact: (iso: string) => string,
): string {
  const point = atS === undefined ? history.points.at(-1) : findPoint(history, atS);
  if (point === undefined)
    return t('{time}: not observed', {
      time: exact(new Date(Math.floor(atS! / 60) * 60_000).toISOString()),
    });
  const { time, tx_count: count, vsizes } = point;
  return `${exact(time)}: ${formatCountOf(count, 'transaction')}, ${formatScaled(sum(vsizes), 'vB')}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** So many of them at most, evenly, the last one included. */
function thin<T>(items: readonly T[], most: number): T[] {
  const every = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, i) => (items.length - 1 - i) % every === 0);
}
