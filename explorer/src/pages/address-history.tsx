import { listAddressTransactions } from '@coinfront/sdk/chain/list-address-transactions.ts';
import { client } from '../data/client.ts';
import { useStore } from '../data/store.ts';
import { useListRead } from '../data/use-read.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { goTo, type Place, place, withQuery } from '../router.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { type HistoryFilter, readHistoryFilter } from './history-filter.ts';
import { HistoryRow } from './history-row.tsx';

const directions = { received: 'Received', sent: 'Sent' } as const;

/** What changed the balance, newest first, and the balance behind each change; all of it or some. */
export function AddressHistory({ address }: { address: string }) {
  const here = useStore(place);
  const filter = readHistoryFilter(here.query);
  const cursor = useCursor();
  const params = { address, limit: 25, balances: 'true', cursor, ...filter } as const;
  const history = useListRead(
    `history ${address} ${JSON.stringify(filter)}`,
    cursor,
    (options) => listAddressTransactions(client, params, options),
    'content',
  );
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Section
      title="History"
      aside={
        <a href={`/api/v1/address/${encodeURIComponent(address)}/transactions.csv${writeQuery(filter)}`}>
          CSV
        </a>
      }
    >
      <FilterBar here={here} filter={filter} />
      <Reading read={history} what="the history">
        {(page) => (
          <PagedTable
            page={page}
            what="the history"
            empty={
              page.next_cursor !== null
                ? 'None among the transactions that were searched; the next page searches on.'
                : isFiltered
                  ? 'No transaction is of this kind and of these days.'
                  : 'No transaction has touched this address yet.'
            }
            columns={[
              'Age',
              'Transaction',
              { heading: 'Block', class: 'wide' },
              { heading: 'Change', class: 'number' },
              { heading: 'Balance', class: 'number wide' },
            ]}
            row={(tx) => <HistoryRow key={tx.txid} tx={tx} hasBalance />}
          />
        )}
      </Reading>
    </Section>
  );
}

/** No chain is older. While a year is typed, the field has those of its first digits, `0002` and `0020`. */
const FIRST_DAY = '2009-01-01';

/** Direction and days; they stand in the page's own address. */
function FilterBar({ here, filter }: { here: Place; filter: HistoryFilter }) {
  const change = (changed: Readonly<Record<string, string | undefined>>): string =>
    withQuery(here, { cursor: undefined, page: undefined, ...changed });
  const tab = (name: MessageKey, direction: HistoryFilter['direction']) => (
    <a href={change({ direction })} aria-current={filter.direction === direction ? 'true' : undefined}>
      {t(name)}
    </a>
  );
  const pickDay = (name: 'from_date' | 'to_date', label: MessageKey) => (
    <label>
      {t(label)}{' '}
      <input
        type="date"
        value={filter[name] ?? ''}
        onChange={({ currentTarget: { value } }) => {
          if (value === '' || value >= FIRST_DAY) goTo(change({ [name]: value || undefined }));
        }}
      />
    </label>
  );
  return (
    <div class="filters">
      <nav class="tabs" aria-label={t('Direction')}>
        {tab('All', undefined)}
        {tab(directions.received, 'received')}
        {tab(directions.sent, 'sent')}
      </nav>
      <div class="row">
        {pickDay('from_date', 'From')}
        {pickDay('to_date', 'to')}
        {(filter.from_date ?? filter.to_date) !== undefined && (
          <a href={change({ from_date: undefined, to_date: undefined })}>{t('All days')}</a>
        )}
        <span class="quiet">UTC</span>
      </div>
    </div>
  );
}

function writeQuery(filter: HistoryFilter): string {
  const query = new URLSearchParams(filter).toString();
  return query === '' ? '' : `?${query}`;
}
