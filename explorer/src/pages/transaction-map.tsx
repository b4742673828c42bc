import { feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import { useMemo } from 'preact/hooks';
import { formatCount, formatDecimal } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { type Told, t } from '../language/messages.ts';
import { goTo, pathOf } from '../router.tsx';
import { Amount } from '../ui/amount.tsx';
import { FeeLegend } from '../ui/fee-legend.tsx';
import { TxLink } from '../ui/links.tsx';
import { Treemap } from '../ui/treemap.tsx';

/** A transaction as the map shows it; `rate` is its fee rate, per virtual byte. */
export type MappedTransaction = { txid: string; vsize: number; fee: string; rate: string };

/** Transactions of a block by size and fee rate, with what each is in words. */
export function TransactionMap({
  label,
  transactions,
}: {
  label: Told;
  transactions: readonly MappedTransaction[];
}) {
  const txs = useMemo(() => transactions.map((tx) => ({ ...tx, rate: Number(tx.rate) })), [transactions]);
  const bands = useMemo(() => [...new Set(txs.map(({ rate }) => feeBandOf(rate)))], [txs]);
  return (
    <>
      <Treemap
        label={label}
        txs={txs}
        hint={t('Point at a transaction, or go through them with the arrow keys.')}
        say={(index) => {
          const { txid, rate, vsize, fee } = transactions[index]!;
          const facts = t('{rate} /vB, {vsize} vB, fee', {
            rate: formatDecimal(rate),
            vsize: formatCount(vsize),
          });
          return {
            text: `${shortenMiddle(txid, 8)}, ${facts} ${formatDecimal(fee)}`,
            shown: (
              <>
                <TxLink txid={txid} /> {facts} <Amount value={fee} />
              </>
            ),
          };
        }}
        onOpen={(txid) => goTo(pathOf('tx', txid))}
      />
      <FeeLegend bands={bands} />
    </>
  );
}
