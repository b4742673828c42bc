import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { getFees } from '@coinfront/sdk/chain/get-fees.ts';
import { useBlockInterval } from '../data/block-interval.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDecimal, formatScaled } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { Figure, Figures } from '../ui/facts.tsx';
import { FeeChoices } from '../ui/fee-choices.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { MempoolHistory } from './mempool-history.tsx';
import { RecentTransactions } from './recent-transactions.tsx';

/** What waits for a block, and what a place in one costs. */
export function MempoolPage() {
  const fees = useRead('fees', (options) => getFees(client, options), 'content');
  return (
    <>
      <PageTitle title="Mempool" lead={t('Unconfirmed transactions known to this node.')} />
      <Reading read={fees} what="the mempool">
        {(report) => <MempoolView report={report} />}
      </Reading>
      <MempoolHistory />
      <RecentTransactions />
    </>
  );
}

function MempoolView({ report }: { report: FeeReportJson }) {
  const { mempool } = report;
  const interval = useBlockInterval();
  const most = Math.max(1, ...mempool.histogram.map(({ vsize }) => vsize));
  return (
    <>
      <Figures>
        <Figure name="Transactions">{formatCount(mempool.tx_count)}</Figure>
        <Figure name="Size">{formatScaled(mempool.vsize, 'vB')}</Figure>
        <Figure name="Fees">
          <Amount value={mempool.fees} />
        </Figure>
        <Figure name="Minimum relay fee" note={t('per virtual byte')}>
          {formatDecimal(report.minimum.per_vb)}
        </Figure>
      </Figures>
      <div class="columns">
        <Section title="Fee estimates" aside={t('base units per vB')}>
          <FeeChoices report={report} />
          <details>
            <summary>{t('All estimates')}</summary>
            <Table columns={['Target', 'Time', 'Source', { heading: 'Rate', class: 'number' }]}>
              {report.estimates.map((estimate) => (
                <tr key={estimate.target_blocks}>
                  <td>
                    {estimate.target_blocks === 1
                      ? t('the next block')
                      : formatCountOf(estimate.target_blocks, 'block')}
                  </td>
                  <td>{formatDuration(estimate.target_blocks * interval.seconds)}</td>
                  <td>{t(sources[estimate.source])}</td>
                  <td class="number">{formatDecimal(estimate.per_vb)}</td>
                </tr>
              ))}
            </Table>
            <p class="note">
              {interval.blocks === undefined
                ? t('Times by what the coin aims at: a block every {duration}.', {
                    duration: formatDuration(interval.seconds),
                  })
                : t('Times by the latest {blocks}: one every {duration}.', {
                    blocks: formatCountOf(interval.blocks, 'block'),
                    duration: formatDuration(interval.seconds),
                  })}
            </p>
          </details>
        </Section>
        <Section title="Mempool by fee rate" aside={t('highest first')}>
          {mempool.histogram.length === 0 ? (
            <Empty>{t('The mempool is empty.')}</Empty>
          ) : (
            <Table
              columns={[
                { heading: 'From', class: 'number' },
                'Size',
                { heading: 'Transactions', class: 'number' },
              ]}
            >
              {mempool.histogram.map((step) => (
                <tr key={step.per_vb}>
                  <td class="number">{formatDecimal(step.per_vb)}</td>
                  <td>
                    <Bar broad share={step.vsize / most} label={formatScaled(step.vsize, 'vB')} />
                  </td>
                  <td class="number">{formatCount(step.tx_count)}</td>
                </tr>
              ))}
            </Table>
          )}
        </Section>
      </div>
    </>
  );
}

const sources = { node: 'node estimate', mempool: 'mempool', minimum: 'minimum relay fee' } as const;
