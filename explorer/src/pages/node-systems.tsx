import type { RewardPreviewJson } from '@coinfront/api/registry.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Table } from '../ui/table.tsx';

/** What a node weighs that passed in every slot and shares with nobody (docs/nodes.md). */
const FULL_WEIGHT = 1e12;

/** Which autonomous systems the nodes of an epoch are in, where the operator has a table of these. */
export function NodeSystems({ systems }: { systems: RewardPreviewJson['autonomous_systems'] }) {
  if (systems === null) return null;
  const { count, unknown_nodes: unknown, items } = systems;
  return (
    <>
      <h3>{t('Autonomous systems')}</h3>
      <p class="note">
        {t(
          'The nodes of an autonomous system together weigh no more than one node. Listed: {listed} of {count}. Nodes whose autonomous system is not known: {unknown}.',
          {
            listed: formatCount(items.length),
            count: formatCount(count),
            unknown: formatCount(unknown),
          },
        )}
      </p>
      {items.length > 0 && (
        <Table
          columns={[
            'Autonomous system',
            { heading: 'Nodes', class: 'number' },
            { heading: 'Eligible', class: 'number wide' },
            { heading: 'Weight', class: 'number' },
            { heading: 'Amount', class: 'number' },
          ]}
        >
          {items.map(({ asn, nodes, eligible, weight, amount }) => (
            <tr key={asn}>
              <td class="mono">AS{asn}</td>
              <td class="number">{formatCount(nodes)}</td>
              <td class="number wide">{formatCount(eligible)}</td>
              <td class="number">{formatShare(Number(weight) / FULL_WEIGHT)}</td>
              <td class="number">
                <Amount value={amount} unit="" />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
