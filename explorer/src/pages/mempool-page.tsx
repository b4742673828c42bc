import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { getFees } from '@coinfront/sdk/chain/get-fees.ts';
import { useBlockInterval } from '../data/block-interval.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatScaled } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
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
      <PageTitle title="Mempool" lead="Unconfirmed transactions known to this node." />
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
        <Figure name="Minimum relay fee" note="per virtual byte">
          {report.minimum.per_vb}
        </Figure>
      </Figures>
      <div class="columns">
        <Section title="Fee estimates" aside="base units per vB">
          <FeeChoices report={report} />
          <details>
            <summary>All estimates</summary>
            <Table columns={['Target', 'Time', 'Source', { heading: 'Rate', class: 'number' }]}>
              {report.estimates.map((estimate) => (
                <tr key={estimate.target_blocks}>
                  <td>
                    {estimate.target_blocks === 1 ? 'the next block' : `${estimate.target_blocks} blocks`}
                  </td>
                  <td>{formatDuration(estimate.target_blocks * interval.seconds)}</td>
                  <td>{sources[estimate.source]}</td>
                  <td class="number">{estimate.per_vb}</td>
                </tr>
              ))}
            </Table>
            <p class="note">
              {interval.blocks === undefined
                ? `Times by what the coin aims at: a block every ${formatDuration(interval.seconds)}.`
                : `Times by the latest ${formatCount(interval.blocks)} blocks: one every ${formatDuration(interval.seconds)}.`}
            </p>
          </details>
        </Section>
        <Section title="Mempool by fee rate" aside="highest first">
          {mempool.histogram.length === 0 ? (
            <Empty>The mempool is empty.</Empty>
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
                  <td class="number">{step.per_vb}</td>
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
