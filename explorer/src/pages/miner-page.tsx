import type { MinerDetailJson } from '@coinfront/api/mining-history.ts';
import { getPoolMiner } from '@coinfront/sdk/mining/get-pool-miner.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatDifficulty, formatHashrate } from '../format/number.ts';
import { shortenMiddle } from '../format/shorten.ts';
import { formatDuration } from '../format/time.ts';
import { asIs, rich, t } from '../language/messages.ts';
import { HashrateHistory } from '../mining/hashrate-history.tsx';
import { MinerForm } from '../mining/miner-form.tsx';
import { Amount } from '../ui/amount.tsx';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { AddressLink, TxLink } from '../ui/links.tsx';
import { Missing } from '../ui/missing.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, ErrorDetail, isNotFound, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { AddressPayouts } from './address-holdings.tsx';

type Rates = MinerDetailJson['hashrates'];

/** One miner of the pool, by its address: what its machines do, and what they were paid. */
export function MinerPage({ parameter: typed }: { parameter: string }) {
  const miner = useRead(
    `miner ${typed}`,
    (options) => getPoolMiner(client, { address: typed }, options),
    'time',
  );
  if (miner.data === undefined && isNotFound(miner.error)) {
    return (
      <Missing kind="Miner" value={typed}>
        <p>
          <ErrorDetail error={miner.error} />
        </p>
        <MinerForm />
      </Missing>
    );
  }
  return (
    <>
      {miner.data === undefined && (
        <PageTitle kind="Miner" title={t('Miner {address}', { address: shortenMiddle(typed) })} />
      )}
      <Reading read={miner} what="the miner">
        {(data) => <MinerView miner={data} />}
      </Reading>
      {miner.data === undefined && miner.error !== undefined && <MinerForm />}
    </>
  );
}

function MinerView({ miner }: { miner: MinerDetailJson }) {
  const { address } = miner;
  const isWhole = !address.includes('…');
  return (
    <>
      <PageTitle
        kind="Miner"
        title={t('Miner {address}', { address: shortenMiddle(address) })}
        heading={
          isWhole ? <Hash value={address} what="address" ends={12} /> : <bdi class="mono">{address}</bdi>
        }
        lead={<SourceLine miner={miner} />}
      />
      <Figures>
        <Figure name="Hashrate" note={sayWindow(miner.hashrates)}>
          {sayRate(miner.hashrates)}
        </Figure>
        <Figure name="Machines">{miner.workers === null ? t('unknown') : formatCount(miner.workers)}</Figure>
        <Figure name="Best share">{sayNumber(miner.best_share)}</Figure>
        <Figure name="Last share">
          {miner.last_share_at === null ? t('unknown') : <When at={miner.last_share_at} />}
        </Figure>
      </Figures>
      <HashrateHistory title="Hashrate of the miner" miner={address} />
      <Machines miner={miner} isWhole={isWhole} />
      <div class="columns">
        <Shares miner={miner} />
        <Balance miner={miner} />
      </div>
      <Payments miner={miner} />
      {isWhole && (
        <>
          <AddressPayouts address={address} />
          <p class="note">
            {rich('All that the chain has of this address: {link}.', {
              link: <AddressLink address={address} />,
            })}
          </p>
        </>
      )}
    </>
  );
}

/** Where the figures are from, and whether the pool knows the miner at all. */
function SourceLine({ miner }: { miner: MinerDetailJson }) {
  const { source, stale, listed, asked_at: asked } = miner;
  if (source === 'chain') return <>{t('This pool publishes no statistics, so only the chain is known.')}</>;
  return (
    <>
      {listed === false && asked === null
        ? t('The pool knows no such miner now.')
        : t(stale ? '{source}, which does not answer now' : 'as {source} says', { source })}
      {' · '}
      <a href="/pool">{t('The pool')}</a>
    </>
  );
}

function Machines({ miner, isWhole }: { miner: MinerDetailJson; isWhole: boolean }) {
  const { worker_list: workers } = miner;
  return (
    <Section title="Machines">
      {workers === null && (
        <Empty>
          {isWhole
            ? t('Unknown: the pool does not name them.')
            : t('Only who gives the whole address is told.')}
        </Empty>
      )}
      {workers !== null && workers.length === 0 && <Empty>{t('No machine is connected.')}</Empty>}
      {workers !== null && workers.length > 0 && (
        <Table
          columns={[
            'Name',
            { heading: 'Best share', class: 'number wide' },
            { heading: 'Last share', class: 'wide' },
            { heading: 'Hashrate', class: 'number' },
          ]}
        >
          {workers.map((worker, index) => (
            <tr key={`${worker.name} ${index}`}>
              <td>
                {worker.name === null ? (
                  <span class="quiet">{t('without a name')}</span>
                ) : (
                  <bdi class="foreign-line">{worker.name}</bdi>
                )}
              </td>
              <td class="number wide">{sayNumber(worker.best_share)}</td>
              <td class="wide">{worker.last_share_at === null ? '–' : <When at={worker.last_share_at} />}</td>
              <td class="number">{sayRate(worker.hashrates)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

function Shares({ miner: { shares, hashrates } }: { miner: MinerDetailJson }) {
  return (
    <Section title="Shares" aside={t('sums of difficulties')}>
      <Facts>
        <Fact name="Accepted">{sayNumber(shares.accepted)}</Fact>
        <Fact name="Rejected">{sayNumber(shares.rejected)}</Fact>
        <Fact name="For the next payout">{sayNumber(shares.pending)}</Fact>
        {hashrates.map(({ window_seconds: window, hashes_per_second: rate }) => (
          <Fact
            key={window}
            name={
              window === null
                ? asIs(t('Hashrate'))
                : t('Hashrate over {duration}', { duration: formatDuration(window) })
            }
          >
            {rate === null ? t('unknown') : formatHashrate(Number(rate))}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function Balance({ miner: { balance, source } }: { miner: MinerDetailJson }) {
  const say = (amount: string | null) => (amount === null ? t('unknown') : <Amount value={amount} />);
  return (
    <Section title="Balance at the pool" aside={t('as the pool says')}>
      {source === 'ckpool' || source === 'public-pool' ? (
        <Empty>{t('A solo pool keeps no balances: whoever finds a block is paid by its coinbase.')}</Empty>
      ) : (
        <Facts>
          <Fact name="Not paid yet">{say(balance.pending)}</Fact>
          <Fact name="Paid so far">{say(balance.paid)}</Fact>
          <Fact name="Paid today">{say(balance.paid_today)}</Fact>
          <Fact name="Last payment">
            {balance.last_payment_at === null ? t('unknown') : <When at={balance.last_payment_at} />}
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

function Payments({ miner: { payments } }: { miner: MinerDetailJson }) {
  if (payments === null || payments.length === 0) return null;
  return (
    <Section title="Payments of the pool" aside={t('as the pool says')}>
      <Table
        columns={['Age', { heading: 'Transaction', class: 'wide' }, { heading: 'Amount', class: 'number' }]}
      >
        {payments.map(({ time, amount, txid }, index) => (
          <tr key={`${txid} ${index}`}>
            <td>{time === null ? t('unknown') : <When at={time} />}</td>
            <td class="wide">{txid === null ? t('unknown') : <TxLink txid={txid} ends={6} />}</td>
            <td class="number">
              <Amount value={amount} unit="" />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** The window that says best what is done now. */
function pickRate(rates: Rates): Rates[number] | undefined {
  const known = rates.filter(({ hashes_per_second: rate }) => rate !== null);
  return known.find(({ window_seconds: window }) => window === 300) ?? known[0];
}

function sayRate(rates: Rates): string {
  const picked = pickRate(rates)?.hashes_per_second;
  return picked ? formatHashrate(Number(picked)) : t('unknown');
}

function sayWindow(rates: Rates): string | undefined {
  const window = pickRate(rates)?.window_seconds;
  return window ? t('over {duration}', { duration: formatDuration(window) }) : undefined;
}

function sayNumber(value: number | null): string {
  return value === null ? t('unknown') : formatDifficulty(value);
}
