import { listUtxos } from '@coinfront/sdk/chain/list-utxos.ts';
import { client } from '../data/client.ts';
import { useListRead } from '../data/use-read.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { useCursor } from '../ui/pager.tsx';
import { Reading } from '../ui/states.tsx';

/** What the balance consists of. */
export function AddressUtxos({ address }: { address: string }) {
  const cursor = useCursor('utxo_cursor');
  const utxos = useListRead(
    `utxos ${address}`,
    cursor,
    (options) => listUtxos(client, { address, limit: 25, cursor }, options),
    'content',
  );
  return (
    <Section title="Unspent outputs">
      <Reading read={utxos} what="unspent outputs">
        {(page) => (
          <PagedTable
            page={page}
            what="unspent outputs"
            cursorName="utxo_cursor"
            empty="Nothing is unspent."
            columns={[
              'Output',
              { heading: 'Block', class: 'wide' },
              'State',
              { heading: 'Value', class: 'number' },
            ]}
            row={(utxo) => (
              <tr key={`${utxo.txid}:${utxo.vout}`}>
                <td>
                  <TxLink txid={utxo.txid} ends={6} /> <span class="quiet">:{utxo.vout}</span>
                </td>
                <td class="wide">{utxo.height === null ? '' : <BlockLink height={utxo.height} />}</td>
                <td>{describeUtxo(utxo)}</td>
                <td class="number">
                  <Amount value={utxo.value} unit="" />
                </td>
              </tr>
            )}
          />
        )}
      </Reading>
    </Section>
  );
}

function describeUtxo(utxo: {
  spent_in_mempool: boolean;
  spendable: boolean;
  spendable_from_height: number | null;
  height: number | null;
}) {
  if (utxo.spent_in_mempool) return <Mark tone="warning">{t('being spent')}</Mark>;
  if (utxo.height === null) return <Mark tone="moving">{t('waits')}</Mark>;
  if (utxo.spendable) return <Mark tone="done">{t('spendable')}</Mark>;
  return <Mark>{t('from block {height}', { height: formatCount(utxo.spendable_from_height ?? 0) })}</Mark>;
}
