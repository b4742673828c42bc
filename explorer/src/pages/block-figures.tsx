import type { BlockDetailJson, StaleBlockJson } from '@coinfront/api/chain-blocks.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { BLOCK_VSIZE } from '@coinfront/protocol/mempool-blocks.ts';
import { getBlockFees } from '@coinfront/sdk/chain/get-block-fees.ts';
import { client } from '../data/client.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { useRead } from '../data/use-read.ts';
import { formatCount, formatCountOf, formatDecimal, formatShare } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { Amount } from '../ui/amount.tsx';
import { Bar } from '../ui/bar.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Hash } from '../ui/hash.tsx';
import { BlockLink } from '../ui/links.tsx';
import { Mark } from '../ui/mark.tsx';
import { PageTitle } from '../ui/page.tsx';
import { WhenExactly } from '../ui/when.tsx';

/** Weight units of a full block (BIP-141). */
const MOST_WEIGHT = 4 * BLOCK_VSIZE;

/** The fee rates of a block's transactions: what lies in the middle, and from where to where they go. */
export function BlockFeeRates({ hash }: { hash: string }) {
  const fees = useRead(
    `fees of ${hash}`,
    (options) => getBlockFees(client, { id: hash }, options),
    'nothing',
  );
  if (fees.data === undefined)
    return <span class="quiet">{fees.isLoading ? t('reading …') : t('unknown')}</span>;
  const { fee_rates: rates } = fees.data;
  if (rates === null) return <span class="quiet">{t('only a coinbase')}</span>;
  return (
    <>
      {formatDecimal(rates.lowest)} – {formatDecimal(rates.highest)} /vB{' '}
      <span class="quiet">
        {t('median {median}, most from {p10} to {p90}', {
          median: formatDecimal(rates.median),
          p10: formatDecimal(rates.p10),
          p90: formatDecimal(rates.p90),
        })}
      </span>
    </>
  );
}

/** How full a block is. */
export function BlockWeight({ weight }: { weight: number }) {
  const share = weight / MOST_WEIGHT;
  const words = t('{weight} of {most} weight units', {
    weight: formatCount(weight),
    most: formatCount(MOST_WEIGHT),
  });
  return (
    <>
      <Bar share={share} label={words} /> {formatShare(share)}{' '}
      <span class="quiet">{formatCountOf(weight, 'weight unit')}</span>
    </>
  );
}

/** What its miner got, new coins and fees apart. */
export function BlockReward({
  block,
}: {
  block: Pick<BlockDetailJson, 'coinbase_value' | 'issued' | 'fees'>;
}) {
  const decimals = useStore(coin)?.decimals ?? 8;
  const [total, fees] = [block.coinbase_value, block.fees].map((amount) => {
    const parsed = parseAmount(amount, decimals);
    return parsed.ok ? Number(parsed.value) : 0;
  }) as [number, number];
  const share = total === 0 ? 0 : Math.min(1, fees / total);
  return (
    <>
      <Amount value={block.coinbase_value} />{' '}
      <span class="quiet">
        {rich('{issued} new, {fees} fees', {
          issued: <Amount value={block.issued} unit="" />,
          fees: <Amount value={block.fees} unit="" />,
        })}{' '}
      </span>
      <Bar
        share={1 - share}
        label={t('{coins} new coins, {fees} fees', {
          coins: formatShare(1 - share),
          fees: formatShare(share),
        })}
      />
    </>
  );
}

/** The page of a block that lost its place. */
export function StaleBlock({ block }: { block: StaleBlockJson }) {
  const { height, replaced_by: by } = block;
  return (
    <>
      <PageTitle kind="Block" title={t('Stale block {height}', { height: formatCount(height) })} />
      <Facts>
        <Fact name="State">
          <Mark tone="failed">{t('stale')}</Mark> {t('not in the best chain')}
        </Fact>
        <Fact name="Replaced by">
          {by === null ? (
            t('nothing yet: the best chain is shorter')
          ) : (
            <Hash value={by} what="hash of the block in its place" href={`/block/${by}`} ends={10} />
          )}
        </Fact>
        <Fact name="Hash">
          <Hash value={block.hash} what="block hash" ends={10} />
        </Fact>
        <Fact name="Height">
          <BlockLink height={height} />
        </Fact>
        <Fact name="Mined">
          <WhenExactly at={block.time} />
        </Fact>
        <Fact name="Left the best chain">
          <WhenExactly at={block.left_at} />
        </Fact>
        <Fact name="Transactions">{formatCount(block.tx_count)}</Fact>
        <Fact name="Previous block">
          <Hash
            value={block.previous_hash}
            what="hash of the previous block"
            href={`/block/${block.previous_hash}`}
          />
        </Fact>
      </Facts>
      <p class="prose">
        {t(
          'Two miners can find a block at the same height. The chain with more work goes on, and the other block is stale: its transactions are mined again, or wait.',
        )}
      </p>
    </>
  );
}
