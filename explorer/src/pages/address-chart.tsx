import type { AddressBalancesJson } from '@coinfront/api/chain-addresses.ts';
import { listAddressBalances } from '@coinfront/sdk/chain/list-address-balances.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatAmountShort } from '../format/amount.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { goTo, place, withQuery } from '../router.tsx';
import { CsvButton } from '../ui/csv-button.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { TimeChart } from '../ui/time-chart.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { useExact } from '../ui/when.tsx';

/** The balance from the first transaction on, drawn when it is asked for. */
export function AddressChart({ address }: { address: string }) {
  return (
    <Section title="Balance over time">
      <Unfold summary="Show the chart">
        <Balances address={address} />
      </Unfold>
    </Section>
  );
}

function Balances({ address }: { address: string }) {
  const balances = useRead(
    `balances ${address}`,
    (options) => listAddressBalances(client, { address, points: 200 }, options),
    'tip',
  );
  return (
    <Reading read={balances} what="the balances">
      {(data) => <Drawn balances={data} />}
    </Reading>
  );
}

function Drawn({ balances }: { balances: AddressBalancesJson }) {
  const exact = useExact();
  const { ticker = '' } = useStore(coin) ?? {};
  const { address, points, from_height: from, to_height: to, blocks_per_point: blocks } = balances;
  if (from === null) return <Empty>{t('The chain never paid this address.')}</Empty>;
  const format = (value: number): string => `${formatCount(value)} ${ticker}`;
  const fileName = `balance-${address.slice(0, 16)}`;
  return (
    <TimeChart
      label={t('Balance, blocks {from} to {to}', { from: formatCount(from), to: formatCount(to) })}
      times={points.map(({ time }) => time)}
      values={points.map(({ balance }) => Number(balance))}
      format={format}
      say={(index) => {
        const { height, time, balance } = points[index]!;
        return t('Block {height}, {time}: {value}', {
          height: formatCount(height),
          time: exact(time),
          value: `${formatAmountShort(balance)} ${ticker}`,
        });
      }}
      onSelect={(first, last) =>
        goTo(
          withQuery(place.get(), {
            cursor: undefined,
            page: undefined,
            from_date: dayOf(points[first]!.time),
            to_date: dayOf(points[last]!.time),
          }),
        )
      }
      fileName={fileName}
      isStepped
    >
      <CsvButton fileName={fileName} write={() => writeCsv(points)} />
      <span class="note">
        {t('A point is {blocks}. Drag across the chart to list these days.', {
          blocks: formatCountOf(blocks, 'block'),
        })}
      </span>
    </TimeChart>
  );
}

/** As it is, for programs. */
function writeCsv(points: AddressBalancesJson['points']): string {
  const lines = points.map(({ height, time, balance }) => [height, time, balance].join());
  return `${['height,time,balance', ...lines].join('\r\n')}\r\n`;
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
