import type { PoolProfile } from '@coinfront/protocol/profile.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import { AppError } from '../../errors.ts';
import type { MiningContext } from './mining-context.ts';
import type { PoolWatch } from './watch-pool.ts';

/**
 * The public pool of the coin.
 *
 * @throws AppError `pool_not_found`
 */
export function getPool({ pool, profile }: MiningContext): PoolProfile {
  if (pool) return pool;
  throw new AppError('pool_not_found', `The profile of ${profile.name} names no public pool.`);
}

/**
 * The watch of the main pool, or of a further one.
 *
 * @throws AppError `pool_not_found`
 */
export function getWatch(context: MiningContext, name: string | undefined): PoolWatch {
  if (name === undefined) {
    getPool(context);
    return context.main;
  }
  const watch = context.others.get(name);
  if (watch) return watch;
  throw new AppError('pool_not_found', `There is no further pool ${quoteReceived(name)}; /pool lists them.`);
}
