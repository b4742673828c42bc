import type { PoolLuckJson } from '@coinfront/api/mining-luck.ts';
import { getPoolLuck } from '@coinfront/sdk/mining/get-pool-luck.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatDecimal, formatShare } from '../format/number.ts';
import { sayCode, t } from '../language/messages.ts';
import { CsvButton } from '../ui/csv-button.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { useExact } from '../ui/when.tsx';

type Point = PoolLuckJson['points'][number];

/** How lucky the pool was, as far as it is known what its blocks took. */
export function PoolLuckSection() {
  const luck = useRead('luck', (options) => getPoolLuck(client, {}, options), 'tip and time');
  return (
    <Section title="Luck" aside={t('1 / effort; above 100 % is lucky')}>
      <Reading read={luck} what="the luck">
        {({ points, windows }) =>
          points.every(({ effort }) => effort === null) ? (
            <Empty>{t('Unknown: of no block is it known how many shares it took.')}</Empty>
          ) : (
            <>
              <Table
                columns={[
                  { heading: 'Latest blocks', class: 'number' },
                  { heading: 'Effort known', class: 'number' },
                  { heading: 'Mean effort', class: 'number' },
                  { heading: 'Luck', class: 'number' },
                ]}
              >
                {windows
                  .filter(({ blocks }, i) => blocks !== windows[i - 1]?.blocks)
                  .map(({ blocks, known, effort, luck: all }) => (
                    <tr key={blocks}>
                      <td class="number">{formatCount(blocks)}</td>
                      <td class="number">{formatCount(known)}</td>
                      <td class="number">{sayEffort(effort)}</td>
                      <td class="number">{sayLuck(all)}</td>
                    </tr>
                  ))}
              </Table>
              <Drawn points={points} />
            </>
          )
        }
      </Reading>
    </Section>
  );
}

function Drawn({ points }: { points: readonly Point[] }) {
  const exact = useExact();
  return (
    <>
      <TimeChart
        label={t('Luck over ten blocks')}
        times={ascendingTimes(points)}
        values={points.map(({ mean_luck: luck }) => luck)}
        format={formatShare}
        say={(index) => {
          const { height, effort, mean_luck: luck } = points[index]!;
          return t('Block {height}: effort {effort}, luck over ten blocks {luck}', {
            height: formatCount(height),
            effort: sayEffort(effort),
            luck: sayLuck(luck),
          });
        }}
        fileName="luck"
        hasDots
      >
        <CsvButton fileName="luck" write={() => writeCsv(points)} />
      </TimeChart>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[
            { heading: 'Block', class: 'number' },
            { heading: 'Time', class: 'wide' },
            { heading: 'Effort', class: 'number' },
            { heading: 'Known from', class: 'wide' },
            { heading: 'Luck', class: 'number' },
          ]}
        >
          {points.map(({ height, hash, time, effort, effort_source: source, luck }) => (
            <tr key={hash}>
              <td class="number">
                <BlockLink height={height} />
              </td>
              <td class="wide">{exact(time)}</td>
              <td class="number">{sayEffort(effort)}</td>
              <td class="wide">{source === null ? '–' : sayCode(source)}</td>
              <td class="number">{sayLuck(luck)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

/** Miners write times as they like: what is before the block below it stands at the time of that one. */
function ascendingTimes(points: readonly Point[]): string[] {
  let latest = '';
  return points.map(({ time }) => {
    latest = time > latest ? time : latest;
    return latest;
  });
}

function sayEffort(effort: number | null): string {
  return effort === null ? t('unknown') : formatDecimal(effort.toFixed(2));
}

function sayLuck(luck: number | null): string {
  return luck === null ? t('unknown') : formatShare(luck);
}

function writeCsv(points: readonly Point[]): string {
  const columns = ['height', 'hash', 'time', 'effort', 'effort_source', 'luck', 'mean_luck'] as const;
  const lines = points.map((point) => columns.map((column) => point[column] ?? '').join());
  return `${[columns.join(), ...lines].join('\r\n')}\r\n`;
}
