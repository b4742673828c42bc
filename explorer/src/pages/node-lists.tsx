import { listEpochs } from '@coinfront/sdk/nodes/list-epochs.ts';
import { listNodes } from '@coinfront/sdk/nodes/list-nodes.ts';
import { listReceipts } from '@coinfront/sdk/nodes/list-receipts.ts';
import { previewRewards } from '@coinfront/sdk/nodes/preview-rewards.ts';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { formatPpm, verdictTones } from '../format/verdict.ts';
import { rich, sayCode, t } from '../language/messages.ts';
import { pathOf } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { Pager, useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { EpochAnchor } from './epoch-log.tsx';
import { NodeSystems } from './node-systems.tsx';
import { NodeVotes } from './node-votes.tsx';

const NodeKey = ({ value }: { value: string }) => (
  <Hash value={value} what="node key" href={pathOf('node', value)} ends={5} />
);

/** Nodes that are looked at. */
export function NodeTable() {
  const cursor = useCursor();
  const nodes = useListRead(
    'nodes',
    cursor,
    (options) => listNodes(client, { limit: 50, cursor }, options),
    'time',
  );
  return (
    <Section title="Nodes">
      <Reading read={nodes} what="nodes">
        {(page) => (
          <PagedTable
            page={page}
            what="nodes"
            empty="No node is registered yet."
            columns={[
              'Node',
              'Endpoint',
              'Last status',
              { heading: 'User agent', class: 'wide' },
              { heading: 'Blocks behind', class: 'number wide' },
              { heading: 'Uptime', class: 'number' },
            ]}
            row={(node) => (
              <tr key={node.node_key}>
                <td>
                  <NodeKey value={node.node_key} />
                </td>
                <td class="mono">{node.endpoint}</td>
                <td>
                  {node.last_verdict === null ? (
                    <span class="quiet">{t('not judged yet')}</span>
                  ) : (
                    <>
                      <Mark tone={verdictTones[node.last_verdict.verdict]}>
                        {sayCode(node.last_verdict.verdict)}
                      </Mark>{' '}
                      <span class="quiet">{sayCode(node.last_verdict.reason)}</span>
                    </>
                  )}
                </td>
                <td class="wide">
                  <bdi class="foreign-line">{node.user_agent ?? ''}</bdi>
                </td>
                <td class="number wide">{node.height_lag === null ? '–' : formatCount(node.height_lag)}</td>
                <td class="number">{formatPpm(node.total.uptime_ppm)}</td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

const eligibilities = {
  eligible: { tone: 'done', text: 'eligible' },
  uptime_below_minimum: { tone: 'warning', text: 'too little uptime' },
  too_few_slots: { tone: 'warning', text: 'too few slots judged' },
  not_judged: { tone: 'plain', text: 'not judged' },
  endpoint_not_proven: { tone: 'warning', text: 'endpoint not proven' },
} as const;

/** What the open epoch would pay. */
export function RewardTable() {
  const cursor = useCursor('reward_cursor');
  const preview = useListRead(
    'rewards',
    cursor,
    (options) => previewRewards(client, { limit: 25, cursor }, options),
    'time',
  );
  return (
    <Section title="Preview of rewards" aside={t('not a promise to pay')}>
      <Reading read={preview} what="the preview">
        {(data) => (
          <>
            <p class="note">
              {data.reason === 'no_pool'
                ? t('Nothing is set aside for this epoch, so nobody would be paid.')
                : data.reason === 'no_eligible_node'
                  ? t('No node is eligible in this epoch.')
                  : rich(
                      data.is_final
                        ? '{amount} is set aside for epoch {epoch}, which is closed.'
                        : '{amount} is set aside for epoch {epoch}, which is still open.',
                      {
                        amount: <Amount value={data.pool} />,
                        epoch: data.epoch,
                      },
                    )}
            </p>
            {data.items.length > 0 && (
              <Table
                columns={[
                  'Node',
                  'State',
                  { heading: 'Payout address', class: 'wide' },
                  { heading: 'Uptime', class: 'number wide' },
                  { heading: 'Amount', class: 'number' },
                ]}
              >
                {data.items.map((share) => (
                  <tr key={share.node_key}>
                    <td>
                      <NodeKey value={share.node_key} />
                    </td>
                    <td>
                      <Mark tone={eligibilities[share.eligibility].tone}>
                        {t(eligibilities[share.eligibility].text)}
                      </Mark>
                    </td>
                    <td class="wide">
                      <AddressLink address={share.payout_address} ends={6} />
                    </td>
                    <td class="number wide">{formatPpm(share.slots.uptime_ppm)}</td>
                    <td class="number">
                      <Amount value={share.amount} unit="" />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pager nextCursor={data.next_cursor} name="reward_cursor" what="rewards" />
            <NodeSystems systems={data.autonomous_systems} />
          </>
        )}
      </Reading>
    </Section>
  );
}

/** The signed log, newest first; of one node where a key is given. */
export function ReceiptTable({ nodeKey }: { nodeKey?: string }) {
  const cursor = useCursor('receipt_cursor');
  const receipts = useListRead(
    `receipts ${nodeKey}`,
    cursor,
    (options) => listReceipts(client, { limit: 25, cursor, node_key: nodeKey }, options),
    'time',
  );
  return (
    <Section title="Receipts" aside={t('signed and hash-chained')}>
      <Reading read={receipts} what="receipts">
        {(page) => (
          <PagedTable
            page={page}
            what="receipts"
            cursorName="receipt_cursor"
            empty="Nothing has been judged yet."
            columns={[
              { heading: 'No', class: 'number' },
              'Age',
              'Verdict',
              { heading: 'Node', class: 'wide' },
              { heading: 'Epoch', class: 'wide' },
              'Hash',
            ]}
            row={({ receipt, hash }) => (
              <tr key={hash}>
                <td class="number">
                  <a
                    href={`/api/nodeproof/receipts/${receipt.sequence}/proof`}
                    title={t('Inclusion proof (JSON)')}
                  >
                    {formatCount(receipt.sequence)}
                  </a>
                </td>
                <td>
                  <When at={receipt.issued_at} />
                </td>
                <td>
                  <Mark tone={verdictTones[receipt.verdict]}>{sayCode(receipt.verdict)}</Mark>{' '}
                  <span class="quiet">
                    {sayCode(receipt.reason)}
                    {receipt.slots.count > 1 && `, ${formatCountOf(receipt.slots.count, 'slot')}`}
                  </span>
                  {nodeKey !== undefined && receipt.votes !== undefined && (
                    <NodeVotes votes={receipt.votes} registryKey={receipt.registry_key} />
                  )}
                </td>
                <td class="wide">
                  {receipt.node_key === null ? (
                    <span class="quiet">{t('all')}</span>
                  ) : (
                    <NodeKey value={receipt.node_key} />
                  )}
                </td>
                <td class="wide">{formatCount(receipt.epoch)}</td>
                <td>
                  <Hash value={hash} what="hash of the receipt" ends={5} />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

/** Epochs, newest first. */
export function EpochTable() {
  const cursor = useCursor('epoch_cursor');
  const epochs = useListRead(
    'epochs',
    cursor,
    (options) => listEpochs(client, { limit: 10, cursor }, options),
    'time',
  );
  return (
    <Section title="Epochs" aside={t('closed epochs never change')}>
      <Reading read={epochs} what="epochs">
        {(page) => (
          <PagedTable
            page={page}
            what="epochs"
            cursorName="epoch_cursor"
            empty="There is no epoch with a receipt yet."
            columns={[
              'Epoch',
              'State',
              { heading: 'Blocks', class: 'wide' },
              { heading: 'Receipts', class: 'number' },
              'Merkle root',
              'Anchor',
            ]}
            row={(epoch) => (
              <tr key={epoch.epoch}>
                <td>{formatCount(epoch.epoch)}</td>
                <td>
                  <Mark tone={epoch.state === 'closed' ? 'done' : 'moving'}>{sayCode(epoch.state)}</Mark>
                </td>
                <td class="wide">
                  {t('{from} to {to}', {
                    from: formatCount(epoch.from_height),
                    to: formatCount(epoch.to_height),
                  })}
                </td>
                <td class="number">{formatCount(epoch.receipts)}</td>
                <td>
                  {epoch.summary === null ? (
                    <span class="quiet">{t('when it is closed')}</span>
                  ) : (
                    <Hash value={epoch.summary.merkle_root} what="merkle root" ends={5} />
                  )}
                </td>
                <td>
                  <EpochAnchor epoch={epoch} />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}
