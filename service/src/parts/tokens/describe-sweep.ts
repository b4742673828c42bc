import type { SweepJson } from '@coinfront/api/token-sweep.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { type HeldToken, MAX_SWEPT } from '@coinfront/protocol/tokens/token-sweep.ts';

/** What a sweep moves of what its sender has. @param held - one more than it moves where there are more */
export function describeSweep(held: readonly HeldToken[]): SweepJson {
  return {
    moved: held.slice(0, MAX_SWEPT).map(({ token: { tokenId, terms }, amount }) => ({
      token_id: bytesToHex(tokenId),
      ticker: terms.ticker,
      decimals: terms.decimals,
      amount: formatAmount(amount, terms.decimals),
    })),
    leaves_more: held.length > MAX_SWEPT,
  };
}
