import type { BlockSummaryJson } from '@coinfront/api/chain-blocks.ts';
import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { BLOCK_VSIZE, feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useBlockInterval } from '../data/block-interval.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { formatCount, formatCountOf, formatDecimal, formatScaled } from '../format/number.ts';
import { projectBlocks } from '../format/project-blocks.ts';
import { formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';
import { CoinbaseTag } from './coinbase-tag.tsx';
import { When } from './when.tsx';

const PROJECTED = 4;
const BLOCK_WEIGHT = 4_000_000;

/** The chain at its tip: what the mempool would fill to the left, what was mined to the right, each coloured by what it pays. */
export function BlockStrip({
  report,
  blocks,
}: {
  report: FeeReportJson | undefined;
  blocks: readonly BlockSummaryJson[];
}) {
  const { decimals = 8 } = useStore(coin) ?? {};
  const firstTop = useRef(blocks[0]?.height ?? 0);
  const strip = useRef<HTMLElement>(null);
  const mined = useRef<HTMLOListElement>(null);
  // Where not all of it is in view, the tip is.
  const hasBlocks = blocks.length > 0 && report !== undefined;
  useLayoutEffect(() => {
    const { current: box } = strip;
    if (box !== null && mined.current !== null)
      box.scrollLeft = mined.current.offsetLeft - box.offsetLeft - box.clientWidth / 2;
  }, [hasBlocks]);
  const { seconds: interval } = useBlockInterval();
  const projected = projectBlocks(report?.mempool.histogram ?? [], PROJECTED);
  return (
    <section class="strip" aria-label={t('Blocks at the tip')} ref={strip}>
      {/* Drawn from the tip outwards, so that the next block stands beside the latest. */}
      <ol class="strip-next" aria-label={t('Projected blocks, the next one first')}>
        {projected.map((block, index) => (
          <li key={`${index + 1} from now`}>
            <Cube
              href={`/mempool/${index + 1}`}
              rate={block.lowest}
              share={block.vsize / block.blocks / BLOCK_VSIZE}
              head={block.blocks > 1 ? `+${formatCountOf(block.blocks, 'block')}` : t('Projected')}
            >
              <b>
                {formatRate(block.lowest)} – {formatRate(block.highest)} /vB
              </b>
              <span>{formatScaled(block.vsize, 'vB')}</span>
              <span>{formatCountOf(block.txCount, 'transaction')}</span>
              <span>{t('in ~{duration}', { duration: formatDuration((index + 1) * interval) })}</span>
            </Cube>
          </li>
        ))}
        {projected.length === 0 && (
          <li>
            <Cube href="/mempool" rate={0} share={0} head={t('Projected')}>
              <span>{report === undefined ? t('Reading …') : t('The mempool is empty.')}</span>
            </Cube>
          </li>
        )}
      </ol>
      <ol class="strip-mined" ref={mined} aria-label={t('Mined blocks, the latest first')}>
        {blocks.map((block) => {
          const rate = (Number(block.fees) * 10 ** decimals * 4) / block.weight;
          return (
            <li key={block.hash} class={block.height > firstTop.current ? 'slid' : undefined}>
              <Cube
                href={`/block/${block.height}`}
                rate={rate}
                share={block.weight / BLOCK_WEIGHT}
                head={formatCount(block.height)}
              >
                <b>~{formatRate(rate)} /vB</b>
                <span>{formatScaled(block.size, 'B')}</span>
                <span>{formatCountOf(block.tx_count, 'transaction')}</span>
                <When at={block.time} />
                <CoinbaseTag tag={block.coinbase_tag} />
              </Cube>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** One block, filled as far as it is full, in the colour of its fee rate. */
function Cube({
  href,
  rate,
  share,
  head,
  children,
}: {
  href: string;
  rate: number;
  share: number;
  head: string;
  children: ComponentChildren;
}) {
  const percent = Math.max(0, Math.min(1, share)) * 100;
  return (
    <a href={href} class={`cube fee-${feeBandOf(rate)}`}>
      <span class="cube-fill" style={{ height: `${percent}%` }} />
      <span class="cube-head">{head}</span>
      {children}
    </a>
  );
}

/** As many digits as tell one from another. */
function formatRate(rate: number): string {
  return rate >= 10
    ? formatCount(Math.round(rate))
    : formatDecimal(String(Number(rate.toFixed(rate >= 1 ? 1 : 2))));
}
