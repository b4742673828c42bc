import type { RegistryStatusJson } from '@coinfront/api/registry.ts';
import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { formatPpm } from '../format/verdict.ts';
import { sayCode, t } from '../language/messages.ts';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { Mark } from '../ui/mark.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { LogSection } from './epoch-log.tsx';
import { EpochTable, NodeTable, ReceiptTable, RewardTable } from './node-lists.tsx';

/** The node registry: who is there, how it was judged, and what it would be paid. */
export function NodesPage() {
  const status = useRead('registry', (options) => getRegistryStatus(client, options), 'time');
  if (status.data === undefined && isNotFound(status.error)) {
    return (
      <>
        <PageTitle title="Nodes" />
        <Empty>{t('This service keeps no registry of nodes.')}</Empty>
      </>
    );
  }
  return (
    <>
      <PageTitle
        title="Nodes"
        lead={t(
          'Nodes whose owners have proved that they are theirs. This service looks at each at times that nobody can foresee, and signs what it saw. No rule of the chain depends on it.',
        )}
      />
      <Reading read={status} what="the registry">
        {(data) => <RegistryView status={data} />}
      </Reading>
      <NodeTable />
      <RewardTable />
      <ReceiptTable />
      <EpochTable />
      <LogSection />
    </>
  );
}

const proberStates = {
  running: { tone: 'done', text: 'running' },
  stopped: { tone: 'warning', text: 'stopped' },
  never_ran: { tone: 'plain', text: 'never ran' },
} as const;

function RegistryView({ status }: { status: RegistryStatusJson }) {
  const { rules, prober } = status;
  const { tone, text } = proberStates[prober.state];
  return (
    <>
      <Figures>
        <Figure
          name="Nodes"
          note={
            status.nodes.lapsed > 0
              ? t('{count} lapsed', { count: formatCount(status.nodes.lapsed) })
              : undefined
          }
        >
          {formatCount(status.nodes.active)}
        </Figure>
        <Figure name="Receipts">{formatCount(status.receipts)}</Figure>
        <Figure
          name="Epoch"
          note={
            status.epoch &&
            t('blocks {from} to {to}', {
              from: formatCount(status.epoch.from_height),
              to: formatCount(status.epoch.to_height),
            })
          }
        >
          {status.epoch === null ? t('none yet') : formatCount(status.epoch.epoch)}
        </Figure>
        <Figure name="Prober" note={prober.last_run_at && <When at={prober.last_run_at} />}>
          <Mark tone={tone}>{t(text)}</Mark>
        </Figure>
      </Figures>
      <Section title="Rules" aside={<a href="/developers/nodes">{t('How to register a node')}</a>}>
        <Facts layout="two">
          <Fact name="Checked">
            {t('once in {duration}', { duration: formatDuration(rules.slot_seconds) })}
          </Fact>
          <Fact name="Allowed lag">{formatCountOf(rules.max_height_lag, 'block')}</Fact>
          <Fact name="Eligible from">
            {t('{share} uptime', { share: formatPpm(rules.minimum_uptime_ppm) })}
          </Fact>
          <Fact name="Epoch">{formatCountOf(rules.epoch_blocks, 'block')}</Fact>
          <Fact name="Dropped after">
            {t('{duration} unseen', { duration: formatDuration(rules.lapse_seconds) })}
          </Fact>
          <Fact name="Endpoint proof">{sayCode(rules.endpoint_proof)}</Fact>
          {status.registry_key !== null && (
            <Fact name="Signing key">
              <Hash value={status.registry_key} what="key of the registry" />
            </Fact>
          )}
          {status.last_receipt !== null && (
            <Fact name="Log head">
              <Hash value={status.last_receipt.hash} what="hash of the last receipt" />
            </Fact>
          )}
        </Facts>
      </Section>
    </>
  );
}
