/** Words of the node registry as they are shown. */

/** A share in parts per million, in per cent. */
export function formatPpm(ppm: number | null): string {
  return ppm === null ? 'unknown' : `${(ppm / 10_000).toFixed(2)} %`;
}

/** A reason of the registry in words: its codes are words with underscores. */
export function formatReason(reason: string | null): string {
  return (reason ?? '').replaceAll('_', ' ');
}

/** The tone of a verdict. */
export const verdictTones = { pass: 'done', fail: 'failed', void: 'plain' } as const;
