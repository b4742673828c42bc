import type { ChainStatsJson, FeeReportJson, SupplyJson } from '@coinfront/api/chain-state.ts';
import { getFees } from '@coinfront/sdk/chain/get-fees.ts';
import { getSupply } from '@coinfront/sdk/chain/get-supply.ts';
import { listBlocks } from '@coinfront/sdk/chain/list-blocks.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { pulse } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { estimateHashrates } from '../format/hashrate-series.ts';
import {
  formatCount,
  formatCountOf,
  formatDecimal,
  formatDifficulty,
  formatHashrate,
  formatScaled,
} from '../format/number.ts';
import { t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { BlockStrip } from '../ui/block-strip.tsx';
import { Chart } from '../ui/chart.tsx';
import { Fact, Facts, Figure, Figures } from '../ui/facts.tsx';
import { FeeChoices } from '../ui/fee-choices.tsx';
import { PageTitle, Section } from '../ui/page.tsx';
import { Empty, Reading } from '../ui/states.tsx';
import { When } from '../ui/when.tsx';
import { BlockTable } from './block-table.tsx';
import { RecentTransactions } from './recent-transactions.tsx';

const LATEST = 12;
const STRIP = 8;
const CHARTED = 100;
const HASHRATE_WINDOW = 12;

/** The first page: what the chain is doing now. */
export function HomePage() {
  const { stats } = useStore(pulse);
  const { name = '', ticker } = useStore(coin) ?? {};
  const blocks = useRead('blocks', (options) => listBlocks(client, { limit: CHARTED }, options), 'tip');
  const fees = useRead('fees', (options) => getFees(client, options), 'content');
  const supply = useRead('supply', (options) => getSupply(client, options), 'tip');
  const tip = blocks.data?.items[0];
  return (
    <>
      <PageTitle title="Explorer" heading={t('{name} at a glance', { name })} />
      <BlockStrip report={fees.data} blocks={(blocks.data?.items ?? []).slice(0, STRIP)} />
      <Figures>
        <Figure name="Latest block" note={tip && <When at={tip.time} />}>
          {tip === undefined ? '–' : <a href={`/block/${tip.height}`}>{formatCount(tip.height)}</a>}
        </Figure>
        <Figure name="Waiting" note={stats && formatScaled(stats.mempool.vsize, 'vB')}>
          {stats === undefined ? '–' : <a href="/mempool">{formatCount(stats.mempool.tx_count)}</a>}
        </Figure>
        <Figure name="Next block" note={t('per virtual byte')}>
          {formatDecimal(fees.data?.estimates[0]?.per_vb ?? '–')}
        </Figure>
        <Figure name="Hashrate" note={stats && describeWindow(stats)}>
          {stats === undefined ? '–' : describeHashrate(stats)}
        </Figure>
        <Figure name="Difficulty">{stats === undefined ? '–' : formatDifficulty(stats.difficulty)}</Figure>
      </Figures>
      <div class="columns wide-left">
        <div>
          <Section title="Latest blocks" aside={<a href="/blocks">{t('All blocks')}</a>}>
            <Reading read={blocks} what="the latest blocks">
              {({ items }) =>
                items.length === 0 ? (
                  <Empty>{t('No block yet.')}</Empty>
                ) : (
                  <BlockTable blocks={items.slice(0, LATEST)} />
                )
              }
            </Reading>
          </Section>
          <RecentTransactions aside={<a href="/mempool">{t('Mempool')}</a>} />
          <Reading read={blocks} what="charts">
            {({ items }) => {
              const rates = estimateHashrates(items, HASHRATE_WINDOW);
              const rising = [...items].reverse();
              return (
                <div class="columns">
                  <Section title="Hashrate" aside={<a href="/charts">{t('All charts')}</a>}>
                    <Chart label={t('Hashrate of the latest blocks')} {...rates} format={formatHashrate} />
                  </Section>
                  <Section
                    title="Difficulty"
                    aside={t('latest {blocks}', { blocks: formatCountOf(items.length, 'block') })}
                  >
                    <Chart
                      label={t('Difficulty of the latest blocks')}
                      heights={rising.map(({ height }) => height)}
                      values={rising.map(({ difficulty }) => difficulty)}
                      format={formatDifficulty}
                    />
                  </Section>
                </div>
              );
            }}
          </Reading>
        </div>
        <div>
          <Section title="Fees" aside={<a href="/mempool">{t('Mempool')}</a>}>
            <Reading read={fees} what="fees">
              {(report) => <FeeFacts report={report} />}
            </Reading>
          </Section>
          <Section title="Supply" aside={ticker}>
            <Reading read={supply} what="the supply">
              {(data) => <SupplyFacts supply={data} />}
            </Reading>
          </Section>
          <Section title="Chain">{stats && <ChainFacts stats={stats} />}</Section>
        </div>
      </div>
    </>
  );
}

function describeHashrate({ hashrate }: ChainStatsJson): string {
  const known = hashrate.find(({ hashes_per_second: rate }) => rate !== null)?.hashes_per_second;
  return known === undefined || known === null ? t('unknown') : formatHashrate(Number(known));
}

function describeWindow({ hashrate }: ChainStatsJson): string {
  const window = hashrate.find(({ hashes_per_second: rate }) => rate !== null);
  return window === undefined
    ? t('too few blocks yet')
    : t('over {blocks}', { blocks: formatCountOf(window.blocks, 'block') });
}

function FeeFacts({ report }: { report: FeeReportJson }) {
  return (
    <>
      <FeeChoices report={report} />
      <Facts layout="right">
        <Fact name="Minimum relay fee">
          {formatDecimal(report.minimum.per_vb)} <span class="quiet">/vB</span>
        </Fact>
      </Facts>
    </>
  );
}

function SupplyFacts({ supply }: { supply: SupplyJson }) {
  return (
    <Facts layout="right">
      <Fact name="Circulating">
        <Amount value={supply.circulating} unit="" />
      </Fact>
      <Fact name="Issued">
        <Amount value={supply.issued} unit="" />
      </Fact>
      <Fact name="Immature">
        <Amount value={supply.immature} unit="" />
      </Fact>
      {supply.max_supply !== null && (
        <Fact name="Maximum supply">
          <Amount value={supply.max_supply} unit="" />
        </Fact>
      )}
      {supply.subsidy !== null && (
        <Fact name="Block subsidy">
          <Amount value={supply.subsidy} unit="" />
        </Fact>
      )}
      {supply.next_subsidy !== null && (
        <Fact name="Subsidy changes in">{formatCountOf(supply.next_subsidy.blocks_left, 'block')}</Fact>
      )}
    </Facts>
  );
}

function ChainFacts({ stats }: { stats: ChainStatsJson }) {
  return (
    <Facts layout="right">
      <Fact name="Transactions">{formatCount(stats.transactions)}</Fact>
      <Fact name="Outputs">{formatCount(stats.outputs)}</Fact>
      <Fact name="Unspent outputs">{formatCount(stats.utxos)}</Fact>
      <Fact name="Total fees">
        <Amount value={stats.fees} />
      </Fact>
    </Facts>
  );
}
