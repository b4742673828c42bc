import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { AppError } from '../../errors.ts';

/**
 * The tip of a view.
 *
 * @throws AppError `not_ready` before the first block is indexed
 */
export function getTip({ tip }: ChainView): BlockRecord {
  if (tip !== undefined) return tip;
  throw new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', { 'retry-after': '5' });
}
