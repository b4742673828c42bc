import type { CoinProfile } from '@coinfront/protocol/profile.ts';

const DAY_SECONDS = 86_400;

/** Blocks of an epoch, of all logs of a service: what the operator has set, or about a day of the coin. */
export function epochBlocksOf(
  set: number | undefined,
  { blockIntervalSeconds }: Pick<CoinProfile, 'blockIntervalSeconds'>,
): number {
  return set ?? Math.max(1, Math.round(DAY_SECONDS / blockIntervalSeconds));
}
