import { readWalletTransactions } from '@coinfront/sdk/chain/read-wallet-transactions.ts';
import { useMemo, useRef, useState } from 'preact/hooks';
import { client } from '../data/client.ts';
import { formatCount } from '../format/number.ts';
import { t } from '../language/messages.ts';
import { HistoryRow } from '../pages/history-row.tsx';
import { Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { useAsked } from './use-asked.ts';
import type { WantedWallet } from './wallet-form.tsx';

const ROWS = 25;

/** What changed the balance of the whole wallet, newest first. Where one is in it stands in no address: a page without its key is of no use. */
export function WalletHistory({ wanted }: { wanted: WantedWallet }) {
  /** Where the pages up to the present one begin. */
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  const cursor = cursors.at(-1);
  const top = useRef<HTMLDivElement>(null);
  const page = useMemo(
    () => ({ ...wanted, limit: ROWS, ...(cursor === undefined ? {} : { cursor }) }),
    [wanted, cursor],
  );
  const history = useAsked(page, (params, options) => readWalletTransactions(client, params, options));
  function turn(next: readonly (string | undefined)[]): void {
    setCursors(next);
    const heading = top.current?.querySelector('h2');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: 'nearest' });
  }
  return (
    <div ref={top}>
      <Section title="History">
        <Reading read={history} what="the history">
          {({ items, next_cursor: next }) => (
            <>
              {items.length === 0 ? (
                <Empty>{t('No transaction has touched this wallet yet.')}</Empty>
              ) : (
                <Table
                  columns={[
                    'Age',
                    'Transaction',
                    { heading: 'Block', class: 'wide' },
                    { heading: 'Change', class: 'number' },
                  ]}
                >
                  {items.map((tx) => (
                    <HistoryRow key={tx.txid} tx={tx} />
                  ))}
                </Table>
              )}
              {(cursors.length > 1 || next !== null) && (
                <nav class="pager" aria-label={t('Pages of {what}', { what: t('the history') })}>
                  {cursors.length > 1 && (
                    <button type="button" class="act second" onClick={() => turn(cursors.slice(0, -1))}>
                      {t('Previous page')}
                    </button>
                  )}
                  <span>{t('Page {number}', { number: formatCount(cursors.length) })}</span>
                  {next !== null && (
                    <button type="button" class="act second" onClick={() => turn([...cursors, next])}>
                      {t('Next page')}
                    </button>
                  )}
                </nav>
              )}
            </>
          )}
        </Reading>
      </Section>
    </div>
  );
}
