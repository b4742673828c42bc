import type { PoolJson } from '@coinfront/api/mining.ts';
import { listBlocks } from '@coinfront/sdk/chain/list-blocks.ts';
import { getPool } from '@coinfront/sdk/mining/get-pool.ts';
import { client } from '../data/client.ts';
import { useRead } from '../data/use-read.ts';
import { estimateHashrates } from '../format/hashrate-series.ts';
import {
  formatCount,
  formatCountOf,
  formatDecimal,
  formatHashrate,
  formatScaled,
  formatShare,
} from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';
import { BlockFinders } from '../mining/block-finders.tsx';
import { HashrateHistory } from '../mining/hashrate-history.tsx';
import { MinerForm } from '../mining/miner-form.tsx';
import { OtherPools } from '../mining/other-pools.tsx';
import { PoolLuckSection } from '../mining/pool-luck.tsx';
import { PoolReports } from '../mining/pool-reports.tsx';
import { Bar } from '../ui/bar.tsx';
import { Chart } from '../ui/chart.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, isNotFound, Reading } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Unfold } from '../ui/unfold.tsx';
import { When } from '../ui/when.tsx';
import { PoolBlocks, PoolMiners } from './pool-lists.tsx';

const HASHRATE_WINDOW = 12;

/** The public pool: what it promises, and what it did. */
export function PoolPage() {
  const pool = useRead('pool', (options) => getPool(client, options), 'time');
  const charted = useRead('charted', (options) => listBlocks(client, { limit: 100 }, options), 'tip');
  if (pool.data === undefined && isNotFound(pool.error)) {
    return (
      <>
        <PageTitle title="Pool" />
        <Empty>{t('This coin has no public pool.')}</Empty>
      </>
    );
  }
  return (
    <>
      <PageTitle
        title="Pool"
        lead={t(
          'The public pool pays in the coinbase itself. Whether each block kept the published split is read from the chain, not from the pool.',
        )}
      />
      <Reading read={pool} what="the pool">
        {(data) => (
          <>
            <PoolFigures pool={data} />
            {data.source !== 'chain' && <MinerForm />}
            <div class="columns">
              <PoolPolicy pool={data} />
              <PoolConnection pool={data} />
            </div>
            <div class="columns">
              <PoolHashrates pool={data} />
              <Reading read={charted} what="the network's hashrate">
                {({ items }) => (
                  <Section
                    title="Hashrate of the network"
                    aside={t('over {blocks} each', { blocks: formatCountOf(HASHRATE_WINDOW, 'block') })}
                  >
                    <Chart
                      label={t('Hashrate of the network')}
                      {...estimateHashrates(items, HASHRATE_WINDOW)}
                      format={formatHashrate}
                    />
                  </Section>
                )}
              </Reading>
            </div>
          </>
        )}
      </Reading>
      {pool.data !== undefined && (
        <>
          {pool.data.source !== 'chain' && <HashrateHistory title="Hashrate of the pool over time" />}
          <PoolLuckSection />
          <OtherPools pools={pool.data.others} />
        </>
      )}
      <BlockFinders />
      <PoolBlocks />
      {pool.data?.source === 'miningcore' && (
        <Unfold summary="Blocks and payments that the pool reports">
          <PoolReports source={undefined} />
        </Unfold>
      )}
      <PoolMiners />
    </>
  );
}

function PoolFigures({ pool }: { pool: PoolJson }) {
  const rate = pool.hashrates.find(({ hashes_per_second: known }) => known !== null)?.hashes_per_second;
  const { last_block: last, expected_block: expected } = pool;
  const { accepted, rejected } = pool.shares;
  return (
    <Figures>
      <Figure name="Hashrate" note={describeSource(pool)}>
        {rate === undefined || rate === null ? t('unknown') : formatHashrate(Number(rate))}
      </Figure>
      <Figure name="Miners" note={pool.workers === null ? undefined : formatCountOf(pool.workers, 'machine')}>
        {pool.miners === null ? t('unknown') : formatCount(pool.miners)}
      </Figure>
      <Figure name="Last block" note={last === null ? undefined : <When at={last.time} />}>
        {last === null ? t('none yet') : <BlockLink height={last.height} />}
      </Figure>
      <Figure name="Expected time per block" note={t('on average')}>
        {expected.seconds === null ? t('unknown') : formatDuration(expected.seconds)}
      </Figure>
      <Figure name="Current effort" note={t('1 = the average work per block')}>
        {pool.effort === null ? t('unknown') : formatDecimal(pool.effort.toFixed(2))}
      </Figure>
      {accepted !== null && (
        <Figure
          name="Accepted shares"
          note={
            rejected === null
              ? t('by their difficulty, since the last block')
              : t('by their difficulty, since the last block; {rejected} rejected', {
                  rejected: formatScaled(rejected, ''),
                })
          }
        >
          {formatScaled(accepted, '')}
        </Figure>
      )}
    </Figures>
  );
}

function describeSource(pool: PoolJson): string {
  if (pool.source === 'chain') return t('read from blocks alone');
  return pool.stale
    ? t('{source}, which does not answer now', { source: pool.source })
    : t('as {source} says', { source: pool.source });
}

function PoolPolicy({ pool }: { pool: PoolJson }) {
  const { payout_policy: policy } = pool;
  return (
    <Section title="Payout policy">
      <Facts>
        <Fact name="Kind">{t('Solo: the miner who finds a block is paid directly by its coinbase.')}</Fact>
        <Fact name="Miner receives">{formatDecimal(String(policy.miner_percent))} %</Fact>
        <Fact name="Operator receives">{formatDecimal(String(policy.operator_percent))} %</Fact>
        <Fact name="Tag in coinbases">
          <bdi class="mono">{pool.tag}</bdi>
        </Fact>
        {policy.operator_scripts.map((script) => (
          <Fact key={script} name="Payout script">
            <Hash value={script} what="script of the operator" />
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function PoolConnection({ pool }: { pool: PoolJson }) {
  const { stratum } = pool;
  return (
    <Section title="Connect">
      <Facts>
        <Fact name="Stratum">
          <span class="mono">{stratum.url}</span>
          <CopyButton text={stratum.url} what="stratum address" />
        </Fact>
        <Fact name="User">{t('your own address, with .name for each machine')}</Fact>
        <Fact name="Password">{t('anything')}</Fact>
      </Facts>
    </Section>
  );
}

function PoolHashrates({ pool }: { pool: PoolJson }) {
  const known = pool.hashrates.flatMap(({ window_seconds: window, hashes_per_second: rate }) =>
    rate === null ? [] : [{ window, rate: Number(rate) }],
  );
  const most = Math.max(1, ...known.map(({ rate }) => rate));
  return (
    <Section title="Hashrate of the pool" aside={t('by length of the window')}>
      {known.length === 0 ? (
        <Empty>{t('Unknown: this pool publishes no statistics, so only its blocks are known.')}</Empty>
      ) : (
        <Table columns={['Over', 'Share', { heading: 'Hashrate', class: 'number' }]}>
          {known.map(({ window, rate }) => (
            <tr key={window}>
              <td>{window === null ? t('unknown') : formatDuration(window)}</td>
              <td>
                <Bar broad share={rate / most} label={formatShare(rate / most)} />
              </td>
              <td class="number">{formatHashrate(rate)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
