import type { TokenReason } from './token-reasons.ts';
import type { PreparedSweep, SweepEvent, TokenChanges, TokenRecord } from './token-rules.ts';

/** Balances that one sweep moves at most: what a transaction of the smallest size costs those who index it has a bound. */
export const MAX_SWEPT = 32;

/** A token that the sender of a sweep has. */
export type HeldToken = {
  readonly token: TokenRecord;
  /** The sender's balance, positive. */
  readonly amount: bigint;
  /** What the recipient has of it before. */
  readonly recipientAmount: bigint;
};

/** The verdict on a sweep: the changes of each token that it moves, in the order of its event. */
export type SweepOutcome =
  | { ok: true; changes: readonly TokenChanges[]; event: SweepEvent }
  | { ok: false; reason: TokenReason };

/**
 * Judges a prepared sweep on the state before it (docs/protocols/tokens.md).
 *
 * @param held - what the sender has, in the order in which the tokens were created: all of it, or {@link MAX_SWEPT} of it at least
 */
export function applyTokenSweep(
  { sender, recipient }: PreparedSweep,
  held: readonly HeldToken[],
): SweepOutcome {
  if (held.length === 0) return { ok: false, reason: 'nothing_to_sweep' };
  const first = held.slice(0, MAX_SWEPT);
  const changes = first.map(({ token, amount, recipientAmount }) => ({
    // The recipient takes the place of the sender among the holders, or has had its own.
    token: recipientAmount === 0n ? token : { ...token, holders: token.holders - 1 },
    balances: [
      { script: sender, amount: 0n },
      { script: recipient, amount: recipientAmount + amount },
    ],
  }));
  const moved = first.map(({ token, amount }) => ({ tokenId: token.tokenId, amount }));
  return { ok: true, changes, event: { kind: 'sweep', sender, recipient, moved } };
}
