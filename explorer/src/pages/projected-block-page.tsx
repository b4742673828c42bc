import type { ProjectedBlockJson, ProjectedTransactionJson } from '@coinfront/api/chain-mempool.ts';
import { getProjectedBlock } from '@coinfront/sdk/chain/get-projected-block.ts';
import { useMemo } from 'preact/hooks';
import { useBlockInterval } from '../data/block-interval.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDecimal, formatScaled } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { TxLink } from '../ui/links.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { TransactionMap } from './transaction-map.tsx';

/** Blocks that can be looked into. */
const MOST = 8;
const PAGE = 50;

/** What a block to come would hold, as the mempool is now. */
export function ProjectedBlockPage({ parameter }: { parameter: string }) {
  const block = useRead(
    `projected block ${parameter}`,
    (options) => getProjectedBlock(client, { number: Number(parameter) }, options),
    'tip and time',
  );
  if (block.data === undefined && isNotFound(block.error)) {
    return (
      <Missing kind="Projected block" value={parameter}>
        <p>
          {rich('The next {count} blocks can be looked into. {link}.', {
            count: MOST,
            link: <a href="/mempool">{t('The mempool')}</a>,
          })}
        </p>
      </Missing>
    );
  }
  return (
    <>
      <PageTitle
        kind="Mempool"
        title={t('Projected block {number}', { number: parameter })}
        lead={t(
          'What the next blocks would hold if they were mined now: the mempool, highest fee rate first. Miners may choose otherwise.',
        )}
      />
      <div class="chart-page">
        <Reading read={block} what="the block">
          {(data) => <BlockView block={data} />}
        </Reading>
      </div>
    </>
  );
}

function BlockView({ block }: { block: ProjectedBlockJson }) {
  const { number, block_count: count, transactions } = block;
  const { seconds: interval } = useBlockInterval();
  return (
    <>
      <nav class="tabs" aria-label={t('Neighbouring projected blocks')}>
        {number > 1 && <a href={`/mempool/${number - 1}`}>{t('← Block {number}', { number: number - 1 })}</a>}
        {number < Math.min(count, MOST) && (
          <a href={`/mempool/${number + 1}`}>{t('Block {number} →', { number: number + 1 })}</a>
        )}
        <a href="/mempool">{t('Mempool')}</a>
      </nav>
      <Figures>
        <Figure name="Transactions">{formatCount(block.tx_count)}</Figure>
        <Figure name="Size">{formatScaled(block.vsize, 'vB')}</Figure>
        <Figure name="Fees">
          <Amount value={block.fees} />
        </Figure>
        <Figure name="Fee rates" note={t('per virtual byte')}>
          {transactions.length === 0
            ? '–'
            : `${formatDecimal(transactions.at(-1)!.per_vb)} – ${formatDecimal(transactions[0]!.per_vb)}`}
        </Figure>
        <Figure name="Expected" note={t('of {blocks} waiting', { blocks: formatCountOf(count, 'block') })}>
          {t('in ~{duration}', { duration: formatDuration(number * interval) })}
        </Figure>
      </Figures>
      {transactions.length === 0 ? (
        <Empty>
          {count === 0
            ? t('The mempool is empty.')
            : count === number
              ? t('Only the end of a transaction of the block before lies here.')
              : t('The mempool fills {blocks} now.', { blocks: formatCountOf(count, 'block') })}
        </Empty>
      ) : (
        <Contents number={number} all={block.tx_count} transactions={transactions} />
      )}
    </>
  );
}

function Contents({
  number,
  all,
  transactions,
}: {
  number: number;
  all: number;
  transactions: readonly ProjectedTransactionJson[];
}) {
  const mapped = useMemo(
    () => transactions.map(({ per_vb: rate, ...tx }) => ({ ...tx, rate })),
    [transactions],
  );
  const from = readOffset(useCursor());
  const end = from + PAGE;
  return (
    <>
      <Section title="Transactions by size and fee rate">
        <TransactionMap
          label={t('Transactions of projected block {number}', { number })}
          transactions={mapped}
        />
      </Section>
      <Section title="Transactions" aside={t('highest fee rate first')}>
        <PagedTable
          page={{
            items: transactions.slice(from, end),
            next_cursor: end < transactions.length ? String(end) : null,
          }}
          what="transactions"
          empty="The block has become shorter."
          columns={[
            'Transaction',
            { heading: 'Rate', class: 'number' },
            { heading: 'Size', class: 'number' },
            { heading: 'Fee', class: 'number wide' },
          ]}
          row={(tx) => (
            <tr key={tx.txid}>
              <td>
                <TxLink txid={tx.txid} />
              </td>
              <td class="number">{formatDecimal(tx.per_vb)}</td>
              <td class="number">{formatCount(tx.vsize)} vB</td>
              <td class="number wide">
                <Amount value={tx.fee} unit="" />
              </td>
            </tr>
          )}
        >
          {all > transactions.length && (
            <p class="note">
              {t('{count} of {all} transactions are listed.', {
                count: formatCount(transactions.length),
                all: formatCount(all),
              })}
            </p>
          )}
        </PagedTable>
      </Section>
    </>
  );
}

/** Where the page of the table begins; what makes no sense is its beginning. */
function readOffset(cursor: string | undefined): number {
  return cursor !== undefined && /^[1-9]\d{0,4}$/.test(cursor) ? Number(cursor) : 0;
}
