/** Which miner is meant by what somebody typed. */

import { decodeAddress, encodeAddress } from '@coinfront/protocol/address.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { AppError } from '../../../errors.ts';
import type { SourceMiner } from '../pool-source.ts';

/** The miner that is meant. */
export type FoundMiner = {
  /** The whole name. */
  key: string;
  /** As it is shown to who asked: whole where it was whole. */
  shown: string;
  /** In the pool's list; undefined when it is not there. */
  listed: SourceMiner | undefined;
  /** Whether the whole name was given. */
  isWhole: boolean;
};

/** Shorter beginnings are shared by most addresses of a coin. */
const MIN_PREFIX = 6;
/** Miners that an answer names when several are meant. */
const MAX_NAMED = 5;

/**
 * Finds the miner of a whole address, of an address as lists shorten it, or of the beginning of one. A beginning is compared with what the list
 * shows: of a pool that publishes no list nobody finds an address character by character.
 *
 * @param miners the list of the pool, as far as it has one
 * @throws AppError `miner_not_found`, `miner_ambiguous`
 */
export function findMiner(typed: string, miners: readonly SourceMiner[], profile: CoinProfile): FoundMiner {
  const decoded = decodeAddress(typed, profile);
  const canonical = decoded.ok ? encodeAddress(decoded.value.script, profile) : undefined;
  const whole = miners.find(({ key }) => key === typed || key === canonical);
  if (whole !== undefined) return { key: whole.key, shown: whole.key, listed: whole, isWhole: true };
  if (canonical !== undefined) return { key: canonical, shown: canonical, listed: undefined, isWhole: true };
  const [start = '', end = '', ...rest] = typed.split(/…|\.\.\./);
  const fits =
    start.length >= MIN_PREFIX && rest.length === 0
      ? miners.filter(({ address }) => address.startsWith(start) && address.endsWith(end))
      : [];
  const [only] = fits;
  if (only === undefined)
    throw new AppError(
      'miner_not_found',
      `No miner of this pool is shown as ${quoteReceived(typed)}: give the whole address, or at least its first ${MIN_PREFIX} characters as the list shows them.`,
    );
  if (fits.length > 1) {
    const named = fits.slice(0, MAX_NAMED).map(({ address }) => address);
    const more = fits.length > named.length ? `, and ${fits.length - named.length} more` : '';
    throw new AppError(
      'miner_ambiguous',
      `${fits.length} miners of this pool begin with ${quoteReceived(typed)}: ${named.join(', ')}${more}. Give the whole address.`,
    );
  }
  return { key: only.key, shown: only.address, listed: only, isWhole: false };
}
