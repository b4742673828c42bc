import type { AnchorResultJson } from '@coinfront/api/proofs.ts';

/** What is left of the operator's budget for anchoring. */
export type AnchorBudget = {
  enabled: boolean;
  daily_limit: number;
  daily_limit_per_client: number;
  left_today: number;
};

/** What became of a request: a transaction, or why there is none. */
export type AnchorOutcome =
  | { ok: true; txid: string }
  | { ok: false; reason: NonNullable<AnchorResultJson['reason']> };

/** Sends transactions of the operator's own wallet, at most one for a digest. */
export type Anchorer = {
  describeBudget(): Promise<AnchorBudget>;
  /**
   * Sends the transaction that carries a digest, or gives the one that was sent before.
   *
   * @param client name of the client for its share of the budget; only a hash of it is kept
   */
  anchor(digest: Uint8Array, client: string): Promise<AnchorOutcome>;
  stop(): Promise<void>;
};
