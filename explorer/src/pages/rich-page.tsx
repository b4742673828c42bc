import type { BalanceDistributionJson } from '@coinfront/api/rich-list.ts';
import { getBalanceDistribution } from '@coinfront/sdk/chain/get-balance-distribution.ts';
import { getRichList } from '@coinfront/sdk/chain/get-rich-list.ts';
import { client } from '../data/client.ts';
import { useTicker } from '../data/coin.ts';
import { useListRead, useRead } from '../data/use-read.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { formatPpm } from '../format/verdict.ts';
import { rich, sayCode, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

const PPM = 1_000_000;

/** The richest addresses, and how many have how much: as of the block that it says. */
export function RichPage() {
  const cursor = useCursor();
  const distribution = useRead(
    'rich distribution',
    (options) => getBalanceDistribution(client, options),
    'tip',
  );
  const list = useListRead(
    'rich',
    cursor,
    (options) => getRichList(client, { limit: 50, cursor }, options),
    'tip',
  );
  return (
    <>
      <PageTitle
        title="Rich list"
        lead={t(
          'An address says nothing of who has it: exchanges keep the coins of many in one, and one person can have many. Confirmed balances only.',
        )}
      />
      <Section title="Distribution">
        <Reading read={distribution} what="the distribution">
          {(data) => <Distribution data={data} />}
        </Reading>
      </Section>
      <Section title="Richest addresses">
        <Reading read={list} what="richest addresses">
          {(page) => (
            <PagedTable
              page={page}
              what="richest addresses"
              empty="No address has a balance yet."
              columns={[
                { heading: 'Rank', class: 'number' },
                'Address',
                { heading: 'Share', class: 'wide' },
                { heading: 'Percent', class: 'number wide' },
                { heading: 'Unspent outputs', class: 'number wide' },
                { heading: 'Balance', class: 'number' },
              ]}
              row={({ rank, address, script_hash, script_type, share_ppm, utxo_count, balance }) => (
                <tr key={rank}>
                  <td class="number">{formatCount(rank)}</td>
                  <td>
                    {address === null ? (
                      <>
                        {sayCode(script_type)} <Hash value={script_hash} what="script hash" ends={5} />
                      </>
                    ) : (
                      <AddressLink address={address} />
                    )}
                  </td>
                  <td class="wide">
                    <Bar share={share_ppm / PPM} label={formatPpm(share_ppm)} />
                  </td>
                  <td class="number wide">{formatPpm(share_ppm)}</td>
                  <td class="number wide">{formatCount(utxo_count)}</td>
                  <td class="number">
                    <Amount value={balance} unit="" />
                  </td>
                </tr>
              )}
            />
          )}
        </Reading>
      </Section>
    </>
  );
}

function Distribution({ data }: { data: BalanceDistributionJson }) {
  const { as_of, made_at, stale, addresses, balance, bands, largest } = data;
  const ticker = useTicker();
  return (
    <>
      <p class="note">
        {rich('As of block {block}, made {when}.', {
          block: <BlockLink height={as_of.height} />,
          when: <When at={made_at} />,
        })}{' '}
        {stale && t('That block has left the best chain since; a new list is being made.')}
      </p>
      <Figures>
        <Figure name="Addresses with coins">{formatCount(addresses)}</Figure>
        {largest
          // A figure for more than there are says nothing new.
          .filter(({ size }, i) => i === 0 || largest[i - 1]!.size < addresses || size <= addresses)
          .map(({ size, addresses: summed, share_ppm }) => (
            <Figure key={size} name={t('Richest {count}', { count: formatCount(summed) })}>
              {formatPpm(share_ppm)}
            </Figure>
          ))}
      </Figures>
      <Table
        columns={[
          { heading: t('Balance in {unit}, from', { unit: ticker }), class: 'number' },
          { heading: 'Addresses', class: 'number' },
          { heading: 'Share of addresses', class: 'wide' },
          { heading: t('Sum in {unit}', { unit: ticker }), class: 'number wide' },
          'Share of coins',
        ]}
      >
        {bands.map((band) => {
          const ofAddresses = addresses === 0 ? 0 : band.addresses / addresses;
          // For a picture and two decimals floats are exact enough.
          const ofCoins = Number(balance) === 0 ? 0 : Number(band.balance) / Number(balance);
          return (
            <tr key={band.from}>
              <td class="number">
                <Amount value={band.from} unit="" />
              </td>
              <td class="number">{formatCount(band.addresses)}</td>
              <td class="wide">
                <Bar share={ofAddresses} label={formatShare(ofAddresses)} />
              </td>
              <td class="number wide">
                <Amount value={band.balance} unit="" />
              </td>
              <td>
                <Bar share={ofCoins} label={formatShare(ofCoins)} />
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}
