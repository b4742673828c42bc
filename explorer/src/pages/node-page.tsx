import type { NodeJson } from '@coinfront/api/registry.ts';
import { getNode } from '@coinfront/sdk/nodes/get-node.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { formatPpm, formatReason, verdictTones } from '../format/verdict.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { ReceiptTable } from './node-lists.tsx';

/** One node of the registry. */
export function NodePage({ parameter: key }: { parameter: string }) {
  const node = useRead(`node ${key}`, (options) => getNode(client, { node_key: key }, options), 'time');
  if (node.data === undefined && isNotFound(node.error)) {
    return (
      <Missing kind="Node" value={key}>
        <p>
          A node is known by its key, 64 hex digits. <a href="/nodes">All nodes</a>.
        </p>
      </Missing>
    );
  }
  return (
    <Reading read={node} what="the node">
      {(data) => <NodeView node={data} />}
    </Reading>
  );
}

function NodeView({ node }: { node: NodeJson }) {
  return (
    <>
      <PageTitle
        kind="Node"
        title={`Node ${shortenMiddle(node.node_key)}`}
        heading={<Hash value={node.node_key} what="node key" ends={12} />}
      />
      <Facts layout="two">
        <Fact name="State">
          <Mark tone={node.state === 'active' ? 'done' : 'warning'}>{node.state}</Mark>
        </Fact>
        <Fact name="Endpoint">
          <bdi class="foreign-text mono">{node.endpoint}</bdi>
        </Fact>
        <Fact name="Last status">
          {node.last_verdict === null ? (
            'not judged yet'
          ) : (
            <>
              <Mark tone={verdictTones[node.last_verdict.verdict]}>{node.last_verdict.verdict}</Mark>{' '}
              {formatReason(node.last_verdict.reason)}
            </>
          )}
        </Fact>
        <Fact name="Endpoint proven">
          {node.endpoint_proven === null ? 'unknown' : node.endpoint_proven ? 'yes' : 'no'}
        </Fact>
        <Fact name="Uptime">{formatPpm(node.total.uptime_ppm)}</Fact>
        <Fact name="In this epoch">{formatPpm(node.epoch.uptime_ppm)}</Fact>
        <Fact name="Slots">
          {formatCount(node.total.passed)} passed, {formatCount(node.total.failed)} failed,{' '}
          {formatCount(node.total.void)} void
        </Fact>
        <Fact name="Blocks behind">
          {node.height_lag === null ? 'unknown' : `${formatCount(node.height_lag)} blocks`}
        </Fact>
        <Fact name="User agent">
          <bdi class="foreign-line">{node.user_agent ?? 'unknown'}</bdi>
        </Fact>
        <Fact name="Network">
          <bdi class="foreign-text mono">{node.network}</bdi>
        </Fact>
        <Fact name="Payout address">
          <AddressLink address={node.payout_address} />
        </Fact>
        <Fact name="Registered">
          <When at={node.registered_at} />
        </Fact>
        <Fact name="Last passed">{node.last_seen === null ? 'never' : <When at={node.last_seen} />}</Fact>
      </Facts>
      <ReceiptTable nodeKey={node.node_key} />
    </>
  );
}
