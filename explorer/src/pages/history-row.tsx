import type { AddressTransactionJson } from '@coinfront/api/chain-addresses.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockLink, TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { When } from '../ui/when.tsx';

/** One change of a balance; `hasBalance` shows what it was behind it. */
export function HistoryRow({ tx, hasBalance = false }: { tx: AddressTransactionJson; hasBalance?: boolean }) {
  return (
    <tr>
      <td>
        {tx.block !== null ? <When at={tx.block.time} /> : tx.first_seen && <When at={tx.first_seen} />}
      </td>
      <td>
        <TxLink txid={tx.txid} ends={6} />
      </td>
      <td class="wide">
        {tx.block === null ? <Mark tone="moving">{t('waits')}</Mark> : <BlockLink height={tx.block.height} />}
      </td>
      <td class="number">
        <Amount value={tx.delta} unit="" signed />
      </td>
      {hasBalance && (
        <td class="number wide">
          {tx.balance == null ? <span class="quiet">–</span> : <Amount value={tx.balance} unit="" />}
        </td>
      )}
    </tr>
  );
}
