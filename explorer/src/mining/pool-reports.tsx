import type { PoolReportJson } from '@coinfront/api/mining-reports.ts';
import { getPoolReport } from '@coinfront/sdk/mining/get-pool-report.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatDecimal } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { sayCode, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

type ReportedBlock = NonNullable<PoolReportJson['blocks']>[number];
type ReportedPayment = NonNullable<PoolReportJson['payments']>[number];

/** Blocks and payments that the software of a pool reports; `source` names a further pool. */
export function PoolReports({ source }: { source: string | undefined }) {
  const report = useRead(
    `report ${source ?? ''}`,
    (options) => getPoolReport(client, source === undefined ? {} : { source }, options),
    'time',
  );
  return (
    <Reading read={report} what="the report">
      {({ blocks, payments }) => (
        <>
          {blocks === null || blocks.length === 0 ? (
            <Empty>{t(blocks === null ? 'It lists no blocks.' : 'It has found no block yet.')}</Empty>
          ) : (
            <Blocks blocks={blocks} />
          )}
          {payments === null || payments.length === 0 ? (
            <Empty>{t(payments === null ? 'It lists no payments.' : 'It has paid nobody yet.')}</Empty>
          ) : (
            <Payments payments={payments} />
          )}
        </>
      )}
    </Reading>
  );
}

const tones = { pending: 'plain', confirmed: 'done', orphaned: 'warning' } as const;

function Blocks({ blocks }: { blocks: readonly ReportedBlock[] }) {
  return (
    <Table
      columns={[
        'Block',
        'Age',
        'State',
        { heading: 'Effort', class: 'number wide' },
        { heading: 'Miner', class: 'wide' },
        { heading: 'Reward', class: 'number' },
      ]}
    >
      {blocks.map((block, index) => (
        <tr key={`${block.hash} ${index}`}>
          <td>
            <ReportedHeight block={block} />
          </td>
          <td>{block.time === null ? t('unknown') : <When at={block.time} />}</td>
          <td>
            {block.state === null ? (
              t('unknown')
            ) : (
              <Mark tone={tones[block.state]}>{sayCode(block.state)}</Mark>
            )}
          </td>
          <td class="number wide">
            {block.effort === null ? t('unknown') : formatDecimal(block.effort.toFixed(2))}
          </td>
          <td class="wide">
            {block.finder === null ? t('unknown') : <bdi class="mono">{shortenMiddle(block.finder)}</bdi>}
          </td>
          <td class="number">
            {block.reward === null ? t('unknown') : <Amount value={block.reward} unit="" />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Only blocks of this chain have a page here. */
function ReportedHeight({ block: { height, confirmations } }: { block: ReportedBlock }) {
  if (height === null) return t('unknown');
  return confirmations === null ? formatCount(height) : <BlockLink height={height} />;
}

function Payments({ payments }: { payments: readonly ReportedPayment[] }) {
  return (
    <Table
      columns={[
        'Age',
        'Paid to',
        { heading: 'Transaction', class: 'wide' },
        { heading: 'Amount', class: 'number' },
      ]}
    >
      {payments.map(({ time, address, txid, amount }, index) => (
        <tr key={`${txid} ${index}`}>
          <td>{time === null ? t('unknown') : <When at={time} />}</td>
          <td>{address === null ? t('unknown') : <bdi class="mono">{shortenMiddle(address)}</bdi>}</td>
          <td class="wide">
            {txid === null ? t('unknown') : <Hash value={txid} ends={6} what="transaction id" />}
          </td>
          <td class="number">
            <Amount value={amount} unit="" />
          </td>
        </tr>
      ))}
    </Table>
  );
}
