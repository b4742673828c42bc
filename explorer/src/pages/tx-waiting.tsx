import type { ReplacedTxJson, TxMempoolJson, TxRelativesJson } from '@coinfront/api/chain-tx-mempool.ts';
import { BLOCK_VSIZE } from '@coinfront/protocol/mempool-blocks.ts';
import { useBlockInterval } from '../data/block-interval.ts';
import { formatCount, formatCountOf, formatDecimal } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { asIs, type MessageKey, rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { TxLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { When, WhenExactly } from '../ui/when.tsx';

/** Where a transaction stands that waits for a block, and what it hangs together with. */
export function TxWaiting({ waiting }: { waiting: TxMempoolJson }) {
  const { place, ancestors, descendants, fee_rate: own, effective_fee_rate: effective } = waiting;
  const interval = useBlockInterval();
  if (waiting.state !== 'waiting') return null;
  return (
    <Section title="In the mempool">
      <Facts layout="two">
        <Fact name="Position">{place === null ? t('unknown') : <Position place={place} />}</Fact>
        <Fact name="Projected block">
          {place === null ? (
            t('unknown')
          ) : (
            <>
              {place.block === 1
                ? t('the next one')
                : t('number {number} from now', { number: formatCount(place.block) })}{' '}
              <span class="quiet">
                {t('in about {duration}', { duration: formatDuration(place.block * interval.seconds) })}
              </span>
            </>
          )}
        </Fact>
        <Fact name="Effective fee rate">
          {effective === null ? t('unknown') : `${formatDecimal(effective)} /vB`}{' '}
          {effective !== null && effective !== own && <Mark>{asIs('CPFP')}</Mark>}
        </Fact>
        <Fact name="Ancestors">
          <RelativesTotal relatives={ancestors} />
        </Fact>
        <Fact name="Descendants">
          <RelativesTotal relatives={descendants} />
        </Fact>
      </Facts>
      <Relatives name="Ancestors" relatives={ancestors} />
      <Relatives name="Descendants" relatives={descendants} />
    </Section>
  );
}

function Position({ place }: { place: NonNullable<TxMempoolJson['place']> }) {
  const { vsize_ahead_least: least, vsize_ahead_most: most, mempool_vsize: all } = place;
  const range =
    least === most
      ? formatCount(most)
      : t('{from} to {to}', { from: formatCount(least), to: formatCount(most) });
  const scale = Math.max(all, BLOCK_VSIZE);
  return (
    <>
      {most === 0 ? t('nothing ahead of it') : t('{range} vB ahead of it', { range })}{' '}
      <Bar
        share={most / scale}
        label={t('{most} of {all} vB in the mempool are ahead', {
          most: formatCount(most),
          all: formatCount(all),
        })}
      />
    </>
  );
}

function RelativesTotal({ relatives }: { relatives: TxRelativesJson | null }) {
  if (relatives === null) return <>{t('more than 100')}</>;
  if (relatives.count === 0) return <>{t('none')}</>;
  return (
    <>
      {formatCount(relatives.count)}{' '}
      <span class="quiet">
        {rich('{vsize} vB, fees {amount}', {
          vsize: formatCount(relatives.vsize),
          amount: <Amount value={relatives.fees} />,
        })}
      </span>
    </>
  );
}

function Relatives({ name, relatives }: { name: MessageKey; relatives: TxRelativesJson | null }) {
  if (relatives === null || relatives.count === 0) return null;
  return (
    <details>
      <summary>{t('{name}, nearest first', { name: t(name) })}</summary>
      <Table
        columns={[
          'Transaction',
          { heading: 'Size', class: 'number wide' },
          { heading: 'Fee', class: 'number wide' },
          { heading: 'Fee rate', class: 'number' },
        ]}
      >
        {relatives.items.map((tx) => (
          <tr key={tx.txid}>
            <td>
              <TxLink txid={tx.txid} />
            </td>
            <td class="number wide">{formatCount(tx.vsize)} vB</td>
            <td class="number wide">
              <Amount value={tx.fee} unit="" />
            </td>
            <td class="number">{formatDecimal(tx.fee_rate)} /vB</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** What a transaction has replaced so far. */
export function TxReplaced({ replaced }: { replaced: readonly ReplacedTxJson[] }) {
  if (replaced.length === 0) return null;
  return (
    <Section title="Replaced" aside={formatCountOf(replaced.length, 'transaction')}>
      <Table
        columns={[
          'Seen',
          'Transaction',
          'Replaced by',
          { heading: 'Fee', class: 'number wide' },
          { heading: 'Fee rate', class: 'number wide' },
        ]}
      >
        {replaced.map((tx) => (
          <tr key={tx.txid}>
            <td>
              <When at={tx.time} />
            </td>
            <td>
              <TxLink txid={tx.txid} ends={6} />
              {!tx.direct && <span class="quiet"> {t('a descendant')}</span>}
            </td>
            <td>
              <TxLink txid={tx.replaced_by} ends={6} />
            </td>
            <td class="number wide">
              <Amount value={tx.fee} unit="" />
            </td>
            <td class="number wide">{formatDecimal(tx.fee_rate)} /vB</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** The page of a transaction that was replaced. */
export function TxGone({ gone, by }: { gone: TxMempoolJson; by: ReplacedTxJson }) {
  return (
    <>
      <PageTitle
        kind="Transaction"
        title="Transaction replaced"
        heading={<span class="mono">{gone.txid}</span>}
      />
      <Facts>
        <Fact name="State">
          <Mark tone="failed">{t('replaced')}</Mark>
        </Fact>
        <Fact name="Replaced by">
          <TxLink txid={by.replaced_by} ends={32} />
        </Fact>
        <Fact name="Reason">
          {by.direct
            ? t('Both spend the same output: only one of them can be mined.')
            : t('It built on a transaction that was replaced.')}
        </Fact>
        <Fact name="Seen">
          <WhenExactly at={by.time} />
        </Fact>
        <Fact name="Fee">
          <Amount value={by.fee} /> <span class="quiet">{formatDecimal(by.fee_rate)} /vB</span>
        </Fact>
      </Facts>
      <TxReplaced replaced={gone.replaced} />
    </>
  );
}
