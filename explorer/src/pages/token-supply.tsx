import type { TokenSupplySeriesJson } from '@coinfront/api/part-series.ts';
import { getTokenSupplySeries } from '@coinfront/sdk/tokens/get-token-supply-series.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatDecimal, formatScaled } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { useExact } from '../ui/when.tsx';

/** Supply and number of holders since the creation, drawn when they are asked for. */
export function TokenSupply({ tokenId }: { tokenId: string }) {
  return (
    <Section title="Supply over time">
      <Unfold summary="Show the chart">
        <Supplies tokenId={tokenId} />
      </Unfold>
    </Section>
  );
}

function Supplies({ tokenId }: { tokenId: string }) {
  const series = useRead(
    `supply ${tokenId}`,
    (options) => getTokenSupplySeries(client, { token_id: tokenId, points: 200 }, options),
    'tip and time',
  );
  return (
    <Reading read={series} what="the chart">
      {(data) => <Drawn series={data} />}
    </Reading>
  );
}

function Drawn({ series: { token_id, points } }: { series: TokenSupplySeriesJson }) {
  const exact = useExact();
  const name = token_id.slice(0, 16);
  const times = points.map(({ time }) => time);
  const sayAt = (index: number, value: string): string => {
    const { height, time } = points[index]!;
    return t('Block {height}, {time}: {value}', {
      height: formatCount(height),
      time: exact(time),
      value,
    });
  };
  const lines = points.map(({ height, time, circulating, minted, burned, holders }) =>
    [height, time, circulating, minted, burned, holders].join(),
  );
  const csv = `${['height,time,circulating,minted,burned,holders', ...lines].join('\r\n')}\r\n`;
  return (
    <>
      <TimeChart
        label={t('Circulating')}
        times={times}
        values={points.map(({ circulating }) => Number(circulating))}
        format={(value) => formatScaled(value, '')}
        say={(index) => sayAt(index, formatDecimal(points[index]!.circulating))}
        fileName={`supply-${name}`}
        isStepped
      >
        <CsvButton fileName={`supply-${name}`} write={() => csv} />
      </TimeChart>
      <TimeChart
        label={t('Holders')}
        times={times}
        values={points.map(({ holders }) => holders)}
        format={(value) => formatCount(Math.round(value))}
        say={(index) => sayAt(index, formatCount(points[index]!.holders))}
        fileName={`holders-${name}`}
        isStepped
      >
        {null}
      </TimeChart>
      <details>
        <summary>{t('Data as a table')}</summary>
        <Table
          columns={[
            { heading: 'Block', class: 'number' },
            'Time',
            { heading: 'Circulating', class: 'number' },
            { heading: 'Minted', class: 'number wide' },
            { heading: 'Burned', class: 'number wide' },
            { heading: 'Holders', class: 'number' },
          ]}
        >
          {points.map(({ height, time, circulating, minted, burned, holders }) => (
            <tr key={height}>
              <td class="number">
                <BlockLink height={height} />
              </td>
              <td>{exact(time)}</td>
              <td class="number">
                <Amount value={circulating} unit="" />
              </td>
              <td class="number wide">
                <Amount value={minted} unit="" />
              </td>
              <td class="number wide">
                <Amount value={burned} unit="" />
              </td>
              <td class="number">{formatCount(holders)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}
