import { FEE_BANDS } from '@coinfront/protocol/mempool-blocks.ts';
import { t } from '../language/messages.ts';

/** The rates of a band in words. */
export function nameBand(band: number): string {
  const [from, below] = [FEE_BANDS[band]!, FEE_BANDS[band + 1]];
  if (below === undefined) return t('{from} and more', { from });
  return from === 0 ? t('below {below}', { below }) : `${from} – ${below}`;
}

/** What the colours of fee rates mean: the bands that are shown, highest first. */
export function FeeLegend({ bands }: { bands: readonly number[] }) {
  return (
    <ul class="legend" aria-label={t('Fee rates by colour, base units per virtual byte')}>
      {[...bands]
        .sort((a, b) => b - a)
        .map((band) => (
          <li key={band} class={`fee-${band}`}>
            {nameBand(band)}
          </li>
        ))}
      <li>/vB</li>
    </ul>
  );
}
