import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { feeBandOf } from '@coinfront/protocol/mempool-blocks.ts';
import { useBlockInterval } from '../data/block-interval.ts';
import { coin } from '../data/coin.ts';
import { useStore } from '../data/store.ts';
import { chooseFees, PAYMENT_VSIZE } from '../format/fee-choices.ts';
import { formatCountOf, formatDecimal } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { t } from '../language/messages.ts';
import { Amount } from './amount.tsx';

/** High, medium and low: the rate, how long it takes by the pace of the chain, what a usual payment costs. */
export function FeeChoices({ report }: { report: FeeReportJson }) {
  const { seconds: interval } = useBlockInterval();
  const { decimals = 8 } = useStore(coin) ?? {};
  return (
    <>
      <dl class="fee-choices">
        {chooseFees(report, decimals).map(({ name, rate, blocks, cost }) => (
          <div key={name} class={`fee-${feeBandOf(Number(rate))}`}>
            <dt>{t(name)}</dt>
            <dd>
              {formatDecimal(rate)} <span class="quiet">/vB</span>
              <small>
                {blocks === 1 ? t('next block') : formatCountOf(blocks, 'block')}, ~
                {formatDuration(blocks * interval)}
              </small>
              <small>
                <Amount value={cost} />
              </small>
            </dd>
          </div>
        ))}
      </dl>
      <p class="note">{t('Costs are those of a usual payment, {vsize} vB.', { vsize: PAYMENT_VSIZE })}</p>
    </>
  );
}
