import type { RewardPreviewJson, RewardQuery } from '@coinfront/api/registry.ts';
import type { CallOptions, Client, ParamsOf } from '../client/client.ts';
import type { CoinfrontError } from '../client/error.ts';
import type { CallErrorCode, CursorErrorCode } from '../client/error-codes.ts';

export type PreviewRewardsParams = ParamsOf<typeof RewardQuery>;
export type PreviewRewardsResult = RewardPreviewJson;
export type PreviewRewardsError = CoinfrontError<
  CallErrorCode | CursorErrorCode | 'epoch_not_found' | 'index_unavailable'
>;

/**
 * Reward preview.
 *
 * What nodes would be paid for an epoch, if the operator pays what is set aside. Eligible is who passed in 92% of the
 * slots that were judged; a network (/24, /48) and a payout address weigh no more than one node. Integers only, by
 * largest remainder: the amounts sum to the pool exactly. No rule of the chain knows of it.
 *
 * @throws {PreviewRewardsError}
 * @example
 * const { is_final, items } = await previewRewards(client, {});
 */
export function previewRewards(
  client: Client,
  params: PreviewRewardsParams,
  options?: CallOptions,
): Promise<PreviewRewardsResult> {
  return client.request({ method: 'GET', path: '/api/nodeproof/rewards/preview', params }, options);
}
