import { health, pulse } from '../data/pulse.ts';
import { useStore } from '../data/store.ts';
import { formatCount, formatCountOf, formatScaled } from '../format/number.ts';
import { rich, t } from '../language/messages.ts';
import { When } from '../ui/when.tsx';

/** One line that lives: the tip, how old it is, and what waits. */
export function Tape() {
  const { stats } = useStore(pulse);
  const state = useStore(health);
  if (stats === undefined) return <aside class="tape" aria-label={t('The chain now')} />;
  const time = state?.index.height === stats.height ? state.index.tip_time : null;
  return (
    <aside class="tape" aria-label={t('The chain now')}>
      <span>
        {rich('Block {height}', { height: <strong>{formatCount(stats.height)}</strong> })}
        {time !== null && (
          <>
            , <When at={time} />
          </>
        )}
      </span>
      <span>
        {t('{transactions} waiting, {vsize}', {
          transactions: formatCountOf(stats.mempool.tx_count, 'transaction'),
          vsize: formatScaled(stats.mempool.vsize, 'vB'),
        })}
      </span>
    </aside>
  );
}
