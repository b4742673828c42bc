import type { TxDetailJson } from '@coinfront/api/chain-transactions.ts';
import { listAddressTransactions } from '@coinfront/sdk/chain/list-address-transactions.ts';
import { readBatch } from '@coinfront/sdk/chain/read-batch.ts';
import type { CallOptions } from '@coinfront/sdk/client/client.ts';
import { useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { type Counterparties, type Counterparty, sumCounterparties } from '../format/sum-counterparties.ts';
import { t, type Words } from '../language/messages.ts';
import { place } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { AddressLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { type HistoryFilter, readHistoryFilter } from './history-filter.ts';

/** Transactions that are read: one request for their ids, and one for all of them. */
const MOST_READ = 100;

type Found = Counterparties & { isAll: boolean; unread: number };

/** Who paid the address and whom it paid, in the latest transactions that the filters above choose; computed here when it is asked for. */
export function AddressCounterparties({ address }: { address: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const filter = readHistoryFilter(useStore(place).query);
  const found = useRead(
    isOpen ? `counterparties ${address} ${JSON.stringify(filter)}` : undefined,
    (options) => readCounterparties(address, filter, options),
    'nothing',
  );
  return (
    <Section title="Counterparties">
      {!isOpen ? (
        <p class="row">
          <button type="button" class="act second" onClick={() => setIsOpen(true)}>
            {t('Compute from the latest {count} transactions', { count: formatCount(MOST_READ) })}
          </button>
        </p>
      ) : (
        <Reading read={found} what="the counterparties">
          {(data) => <CounterpartiesView found={data} />}
        </Reading>
      )}
    </Section>
  );
}

async function readCounterparties(
  address: string,
  filter: HistoryFilter,
  options: CallOptions,
): Promise<Found> {
  const { items, next_cursor } = await listAddressTransactions(
    client,
    { address, limit: MOST_READ, ...filter },
    options,
  );
  const reads = items.map(({ txid }) => `/tx/${txid}`);
  const { answers } = reads.length === 0 ? { answers: [] } : await readBatch(client, { reads }, options);
  const txs = answers.flatMap(({ status, body }) => (status === 200 ? [body as TxDetailJson] : []));
  return {
    ...sumCounterparties(address, txs, coin.get()?.decimals ?? 8),
    isAll: next_cursor === null,
    unread: answers.length - txs.length,
  };
}

function CounterpartiesView({ found }: { found: Found }) {
  const { payers, payees, txCount, partialCount, isAll, unread } = found;
  const count = formatCountOf(txCount, 'transaction');
  return (
    <>
      <p class="quiet">
        {isAll
          ? t('Computed in this browser over {count}: all that the filters choose.', { count })
          : t('Computed in this browser over {count}: the latest that the filters choose. There are more.', {
              count,
            })}{' '}
        {unread > 0 &&
          t('{count} could not be read and are left out.', {
            count: formatCountOf(unread, 'transaction'),
          })}{' '}
        {partialCount > 0 &&
          t('Of {count} only the first 500 inputs and outputs are counted.', {
            count: formatCountOf(partialCount, 'transaction'),
          })}{' '}
        {t(
          'An address is no person: change to another address of the same wallet counts as paid, and of several senders each counts with the whole amount.',
        )}
      </p>
      <div class="columns">
        <Sides name="Paid this address most" sides={payers} none="Nobody paid it in these transactions." />
        <Sides name="Was paid most by it" sides={payees} none="It paid nobody in these transactions." />
      </div>
    </>
  );
}

function Sides({ name, sides, none }: { name: Words; sides: readonly Counterparty[]; none: Words }) {
  return (
    <div>
      <h3>{t(name)}</h3>
      {sides.length === 0 ? (
        <Empty>{t(none)}</Empty>
      ) : (
        <Table
          columns={[
            'Address',
            { heading: 'Transactions', class: 'number wide' },
            { heading: 'Amount', class: 'number' },
          ]}
        >
          {sides.map(({ who, txCount, amount }) => (
            <tr key={who}>
              <td>{nameSide(who)}</td>
              <td class="number wide">{formatCount(txCount)}</td>
              <td class="number">
                <Amount value={amount} unit="" />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

function nameSide(who: Counterparty['who']) {
  if (who === 'coinbase') return t('Coinbase (subsidy and fees)');
  return who === 'scripts' ? t('Scripts without an address') : <AddressLink address={who} />;
}
