import type { BlockDetailJson, BlockTransactionJson } from '@coinfront/api/chain-blocks.ts';
import { listBlockTransactions } from '@coinfront/sdk/chain/list-block-transactions.ts';
import { client } from '../data/client.ts';
import { useTicker } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDecimal } from '../format/number.ts';
import { type MessageKey, t } from '../language/messages.ts';
import { goTo, type Place, place, withQuery } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import type { Column } from '../ui/table.tsx';
import { type BlockTxQuery, readBlockTxQuery } from './block-tx-query.ts';

const AT_ONCE = 50;

/** Whether the page's own address asks for another list than that of all transactions in the block's order. */
export function isSorted(query: URLSearchParams): boolean {
  return Object.keys(readBlockTxQuery(query)).length > 0;
}

/** The transactions of a block: those that came with it, or those that its page's own address asks for. */
export function BlockTransactions({ block }: { block: BlockDetailJson }) {
  const here = useStore(place);
  const query = readBlockTxQuery(here.query);
  return (
    <Section title="Transactions" aside={formatCountOf(block.tx_count, 'transaction')}>
      {block.tx_count > 2 && <Choices here={here} query={query} />}
      {isSorted(here.query) ? (
        <Sorted hash={block.hash} query={query} />
      ) : (
        <Listed page={block.transactions} hasRates={false} />
      )}
    </Section>
  );
}

function Sorted({ hash, query }: { hash: string; query: BlockTxQuery }) {
  const cursor = useCursor();
  const list = useListRead(
    `block ${hash} ${JSON.stringify(query)}`,
    cursor,
    (options) => listBlockTransactions(client, { id: hash, limit: AT_ONCE, cursor, ...query }, options),
    'nothing',
  );
  return (
    <Reading read={list} what="transactions">
      {(page) => (
        <>
          {page.matches < page.tx_count && (
            <p class="note" role="status">
              {t('{count} of {transactions}', {
                count: formatCount(page.matches),
                transactions: formatCountOf(page.tx_count, 'transaction'),
              })}
            </p>
          )}
          <Listed page={page} hasRates />
        </>
      )}
    </Reading>
  );
}

const rateColumn: Column = { heading: 'Fee rate', class: 'number' };

type Row = BlockTransactionJson & { fee_rate?: string | null };

function Listed({
  page,
  hasRates,
}: {
  page: { items: readonly Row[]; next_cursor: string | null };
  hasRates: boolean;
}) {
  return (
    <PagedTable
      page={page}
      what="transactions"
      empty="No transaction of this block is like that."
      columns={[
        'Index',
        'Transaction',
        { heading: 'Total output', class: 'number' },
        { heading: 'Fee', class: 'number wide' },
        ...(hasRates ? [rateColumn] : []),
        { heading: 'Size', class: 'number wide' },
      ]}
      row={(tx) => (
        <tr key={tx.txid}>
          <td>{formatCount(tx.position)}</td>
          <td>
            <TxLink txid={tx.txid} />
          </td>
          <td class="number">
            <Amount value={tx.output_value} unit="" />
          </td>
          <td class="number wide">
            {tx.fee === null ? <Mark>{t('coinbase')}</Mark> : <Amount value={tx.fee} unit="" />}
          </td>
          {hasRates && (
            <td class="number">{tx.fee_rate == null ? '–' : `${formatDecimal(tx.fee_rate)} /vB`}</td>
          )}
          <td class="number wide">{formatCount(tx.vsize)} vB</td>
        </tr>
      )}
    />
  );
}

const orders: readonly [name: MessageKey, sort: BlockTxQuery['sort']][] = [
  ['Index', undefined],
  ['Fee rate', 'fee_rate'],
  ['Fee', 'fee'],
  ['Total output', 'output_value'],
  ['Size', 'vsize'],
];

/** Order and bounds; they stand in the page's own address. */
function Choices({ here, query }: { here: Place; query: BlockTxQuery }) {
  const ticker = useTicker();
  const change = (changed: Readonly<Record<string, string | undefined>>): string =>
    withQuery(here, { cursor: undefined, page: undefined, ...changed });
  const usual = query.sort === undefined ? 'asc' : 'desc';
  const order = query.order ?? usual;
  const other = order === 'asc' ? 'desc' : 'asc';
  const bound = (
    name: 'min_fee_rate' | 'min_output_value',
    label: MessageKey,
    unit: string,
    step: string,
  ) => (
    <label>
      {t(label)}{' '}
      <input
        type="number"
        min="0"
        step={step}
        inputMode="decimal"
        value={query[name] ?? ''}
        onChange={({ currentTarget: { value, validity } }) => {
          if (validity.valid) goTo(change({ [name]: value === '' ? undefined : value }));
        }}
      />{' '}
      <span class="quiet">{unit}</span>
    </label>
  );
  return (
    <div class="filters">
      <nav class="tabs" aria-label={t('Sort by')}>
        {orders.map(([name, sort]) => (
          <a
            key={name}
            href={change({ sort, order: undefined })}
            aria-current={query.sort === sort ? 'true' : undefined}
          >
            {t(name)}
          </a>
        ))}
        <a href={change({ order: other === usual ? undefined : other })}>
          {order === 'asc' ? t('Ascending ↑') : t('Descending ↓')}
        </a>
      </nav>
      <div class="row">
        {bound('min_fee_rate', 'Fee rate from', '/vB', '0.001')}
        {bound('min_output_value', 'Total output from', ticker, 'any')}
      </div>
    </div>
  );
}
