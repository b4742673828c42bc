import type { RegistryStatusJson } from '@coinfront/api/registry.ts';
import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { formatPpm } from '../format/verdict.ts';
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
        <Empty>This service keeps no registry of nodes.</Empty>
      </>
    );
  }
  return (
    <>
      <PageTitle
        title="Nodes"
        lead="Nodes whose owners have proved that they are theirs. This service looks at each at times that nobody can foresee, and signs what it saw. No rule of the chain depends on it."
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
          note={status.nodes.lapsed > 0 ? `${formatCount(status.nodes.lapsed)} lapsed` : undefined}
        >
          {formatCount(status.nodes.active)}
        </Figure>
        <Figure name="Receipts">{formatCount(status.receipts)}</Figure>
        <Figure
          name="Epoch"
          note={
            status.epoch &&
            `blocks ${formatCount(status.epoch.from_height)} to ${formatCount(status.epoch.to_height)}`
          }
        >
          {status.epoch === null ? 'none yet' : formatCount(status.epoch.epoch)}
        </Figure>
        <Figure name="Prober" note={prober.last_run_at && <When at={prober.last_run_at} />}>
          <Mark tone={tone}>{text}</Mark>
        </Figure>
      </Figures>
      <Section title="Rules" aside={<a href="/developers/nodes">How to register a node</a>}>
        <Facts layout="two">
          <Fact name="Checked">once in {formatDuration(rules.slot_seconds)}</Fact>
          <Fact name="Allowed lag">{rules.max_height_lag} blocks</Fact>
          <Fact name="Eligible from">{formatPpm(rules.minimum_uptime_ppm)} uptime</Fact>
          <Fact name="Epoch">{formatCount(rules.epoch_blocks)} blocks</Fact>
          <Fact name="Dropped after">{formatDuration(rules.lapse_seconds)} unseen</Fact>
          <Fact name="Endpoint proof">{rules.endpoint_proof}</Fact>
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
