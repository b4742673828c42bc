import { getEsploraMempoolRecent } from '@coinfront/sdk/esplora/get-esplora-mempool-recent.ts';
import type { ComponentChildren } from 'preact';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatBaseUnits } from '../format/amount.ts';
import { formatCount, formatDecimal } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { TxLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

/** The transactions that came into the mempool last, newest first. */
export function RecentTransactions({ aside }: { aside?: ComponentChildren }) {
  const recent = useRead('arrivals', (options) => getEsploraMempoolRecent(client, options), 'content');
  const { decimals = 8 } = useStore(coin) ?? {};
  return (
    <Section title="Latest transactions" aside={aside}>
      <Reading read={recent} what="arrivals">
        {(items) =>
          items.length === 0 ? (
            <Empty>{t('No transaction has arrived since the last block.')}</Empty>
          ) : (
            <Table
              columns={[
                'Transaction',
                { heading: 'Total output', class: 'number' },
                { heading: 'Size', class: 'number wide' },
                { heading: 'Rate', class: 'number' },
              ]}
            >
              {items.map((tx) => (
                <tr key={tx.txid}>
                  <td>
                    <TxLink txid={tx.txid} />
                  </td>
                  <td class="number">
                    <Amount value={formatBaseUnits(tx.value, decimals)} unit="" />
                  </td>
                  <td class="number wide">{formatCount(tx.vsize)} vB</td>
                  <td class="number">{formatDecimal((tx.fee / tx.vsize).toFixed(2))}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Reading>
    </Section>
  );
}
