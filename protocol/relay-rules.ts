/** What nodes make of a transaction that is in no block: whether it may be replaced, and what it pays for its place. */

import { formatAmount } from './amount.ts';
import { isCoinbase, type Transaction } from './transaction.ts';

/** BIP-125: an input below this sequence says that its transaction may be replaced. */
const firstFinalSequence = 0xffff_fffe;

/** Whether a transaction itself says that it may be replaced (BIP-125); one that it spends may say so, too. */
export function signalsReplaceability(tx: Transaction): boolean {
  return !isCoinbase(tx) && tx.inputs.some(({ sequence }) => sequence < firstFinalSequence);
}

/** A fee as base units per virtual byte with three decimals, rounded down: `fee * 4 / weight`. */
export function formatFeeRate(fee: bigint, weight: number): string {
  return formatAmount((fee * 4000n) / BigInt(Math.max(weight, 1)), 3);
}
