/** The tables of refunds. Times are Unix milliseconds, amounts decimal text of base units, flags 0 or 1. */

import type { RefundProblem, RefundState } from '@coinfront/api/refunds.ts';

/** What a merchant sends back of a payment. */
export type RefundTable = {
  id: string;
  merchant_id: string;
  payment_id: string;
  state: RefundState;
  amount: string;
  address: string;
  /** SHA-256 of the address' script in hex. */
  script_hash: string;
  note: string;
  /** As the merchant said, display hex; null until then. */
  txid: string | null;
  /** Others that were named before it, and may come back: a JSON array of display hex. */
  earlier: string;
  /** The output of it that pays this refund; null until the transaction was seen. */
  vout: number | null;
  /** 1 from when the transaction was seen first. */
  seen: number;
  /** Block that has the transaction. */
  height: number | null;
  problem: RefundProblem | null;
  /** 1 when it is so deep that it is watched no longer. */
  final: number;
  created_at: number;
  sent_at: number | null;
  confirmed_at: number | null;
  cancelled_at: number | null;
};

/** A merchant's word that what was open, or uncovered, needs nothing more. */
export type ResolutionTable = {
  id: string;
  payment_id: string;
  amount: string;
  uncovered: string;
  note: string;
  created_at: number;
};
