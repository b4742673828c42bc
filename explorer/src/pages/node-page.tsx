import type { NodeJson } from '@coinfront/api/registry.ts';
import { getNode } from '@coinfront/sdk/nodes/get-node.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { formatPpm, verdictTones } from '../format/verdict.ts';
import { rich, sayCode, t } from '../language/messages.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle } from '../ui/page.tsx';
import { isNotFound, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { ReceiptTable } from './node-lists.tsx';
import { NodeUptime } from './node-uptime.tsx';

/** One node of the registry. */
export function NodePage({ parameter: key }: { parameter: string }) {
  const node = useRead(`node ${key}`, (options) => getNode(client, { node_key: key }, options), 'time');
  if (node.data === undefined && isNotFound(node.error)) {
    return (
      <Missing kind="Node" value={key}>
        <p>
          {rich('A node is known by its key, 64 hex digits. {link}.', {
            link: <a href="/nodes">{t('All nodes')}</a>,
          })}
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
        title={t('Node {key}', { key: shortenMiddle(node.node_key) })}
        heading={<Hash value={node.node_key} what="node key" ends={12} />}
      />
      <Facts layout="two">
        <Fact name="State">
          <Mark tone={node.state === 'active' ? 'done' : 'warning'}>{sayCode(node.state)}</Mark>
        </Fact>
        <Fact name="Endpoint">
          <bdi class="foreign-text mono">{node.endpoint}</bdi>
        </Fact>
        {node.reached !== null && (
          <Fact name="Leads to">
            <span class="mono">{node.reached}</span>
          </Fact>
        )}
        <Fact name="Last status">
          {node.last_verdict === null ? (
            t('not judged yet')
          ) : (
            <>
              <Mark tone={verdictTones[node.last_verdict.verdict]}>{sayCode(node.last_verdict.verdict)}</Mark>{' '}
              {sayCode(node.last_verdict.reason)}
            </>
          )}
        </Fact>
        <Fact name="Endpoint proven">
          {node.endpoint_proven === null ? t('unknown') : node.endpoint_proven ? t('yes') : t('no')}
        </Fact>
        <Fact name="Uptime">{formatPpm(node.total.uptime_ppm)}</Fact>
        <Fact name="In this epoch">{formatPpm(node.epoch.uptime_ppm)}</Fact>
        <Fact name="Slots">
          {t('{passed} passed, {failed} failed, {void} void', {
            passed: formatCount(node.total.passed),
            failed: formatCount(node.total.failed),
            void: formatCount(node.total.void),
          })}
        </Fact>
        <Fact name="Blocks behind">
          {node.height_lag === null ? t('unknown') : formatCountOf(node.height_lag, 'block')}
        </Fact>
        <Fact name="User agent">
          <bdi class="foreign-line">{node.user_agent ?? t('unknown')}</bdi>
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
        <Fact name="Last passed">{node.last_seen === null ? t('never') : <When at={node.last_seen} />}</Fact>
      </Facts>
      <NodeUptime nodeKey={node.node_key} />
      <ReceiptTable nodeKey={node.node_key} />
    </>
  );
}
