import type { WalletSummaryJson } from '@coinfront/api/chain-wallets.ts';
import { useState } from 'preact/hooks';
import { coin } from '../data/coin.ts';
import { isZeroAmount } from '../format/amount.ts';
import { formatCount } from '../format/number.ts';
import { asIs, rich, t } from '../language/messages.ts';
import { BalanceFacts } from '../pages/balance-facts.tsx';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { AddressLink, BlockLink } from '../ui/links.tsx';
import { Section } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { Table } from '../ui/table.tsx';

/** Addresses of a chain that are shown before all are asked for. */
const SHOWN_AT_FIRST = 20;

/** What a wallet has, where it is paid next, and its addresses that were used. */
export function WalletView({ summary }: { summary: WalletSummaryJson }) {
  const { chains } = summary;
  return (
    <>
      <Section
        title="Balance"
        aside={rich('as of block {height}', { height: <BlockLink height={summary.as_of.height} /> })}
      >
        <Facts>
          <BalanceFacts summary={summary} />
          <Fact name="Kind">{summary.script_type}</Fact>
          <Fact name="Gap limit">{formatCount(summary.gap_limit)}</Fact>
        </Facts>
      </Section>
      <Section title="Next unused addresses">
        <div class="next-addresses">
          {chains.map((chain, i) => (
            <NextAddress key={chain.path} chain={chain} isChange={i === 1} />
          ))}
        </div>
      </Section>
      {chains.map((chain, i) => (
        <UsedAddresses key={chain.path} chain={chain} isChange={i === 1} />
      ))}
    </>
  );
}

type Chain = WalletSummaryJson['chains'][number];

function NextAddress({ chain, isChange }: { chain: Chain; isChange: boolean }) {
  const { address, path } = chain.next_unused;
  return (
    <div>
      <h3>{isChange ? t('For change') : t('To be paid')}</h3>
      <p>
        <AddressLink address={address} /> <span class="quiet mono">{path}</span>
      </p>
      {!isChange && (
        <QrCode
          text={`${coin.get()?.uri_scheme ?? 'coin'}:${address}`}
          label={t('QR code of the next unused address')}
        />
      )}
    </div>
  );
}

function UsedAddresses({ chain, isChange }: { chain: Chain; isChange: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const newestFirst = chain.addresses.toReversed();
  const shown = isWhole ? newestFirst : newestFirst.slice(0, SHOWN_AT_FIRST);
  return (
    <Section
      title={isChange ? 'Change addresses that were used' : 'Addresses that were used'}
      aside={asIs(formatCount(chain.used_count))}
    >
      {shown.length === 0 ? (
        <p class="note">{t('None was used yet.')}</p>
      ) : (
        <Table
          columns={[
            'Address',
            { heading: 'Path', class: 'wide' },
            { heading: 'Transactions', class: 'number wide' },
            { heading: 'Balance', class: 'number' },
          ]}
        >
          {shown.map((each) => (
            <tr key={each.path}>
              <td>
                <AddressLink address={each.address} />
              </td>
              <td class="wide mono">{each.path}</td>
              <td class="number wide">{formatCount(each.tx_count)}</td>
              <td class="number">
                <Amount value={each.balance} unit="" />
                {!isZeroAmount(each.pending) && (
                  <>
                    {' '}
                    <Amount value={each.pending} unit="" signed />
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {shown.length < newestFirst.length && (
        <p class="row">
          <button type="button" class="act second" onClick={() => setIsWhole(true)}>
            {t('Show all {count}', { count: formatCount(newestFirst.length) })}
          </button>
        </p>
      )}
    </Section>
  );
}
