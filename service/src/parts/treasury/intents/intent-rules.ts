/** What state an intent is in: pure. */

import type { IntentState } from '@coinfront/api/treasury.ts';

/**
 * The state of an intent.
 *
 * @param coins its contributions in the chain
 */
export function intentState(
  { expiresAtMs, closesAtMs }: { expiresAtMs: number; closesAtMs: number },
  coins: readonly { isVerified: boolean }[],
  nowMs: number,
): IntentState {
  if (coins.length > 0) return coins.some(({ isVerified }) => isVerified) ? 'verified' : 'confirming';
  if (nowMs > closesAtMs) return 'closed';
  return nowMs > expiresAtMs ? 'expired' : 'open';
}
