/** Figures of the node registry as they are shown. */

import { t } from '../language/messages.ts';
import { formatDecimal } from './number.ts';

/** A share in parts per million, in per cent. */
export function formatPpm(ppm: number | null): string {
  return ppm === null ? t('unknown') : `${formatDecimal((ppm / 10_000).toFixed(2))} %`;
}

/** The tone of a verdict. */
export const verdictTones = { pass: 'done', fail: 'failed', void: 'plain' } as const;
