/** Chooses the exact amount of an intent: a random one that nobody holds and nothing in the mempool has. */

import { randomInt } from 'node:crypto';
import { countSuffixes } from '@coinfront/protocol/treasury/exact-amount.ts';
import { AppError } from '../../../errors.ts';
import type { TreasuryQuery } from '../schema/treasury-tables.ts';
import { holdAmount, listHeldAmounts } from './intent-store.ts';

/** Suffixes drawn before all are looked through: plenty while most are free. */
const DRAWN = 32;
const LOOKED_AT_ONCE = 500;

export type AmountRequest = {
  intentId: string;
  requested: bigint;
  decimals: number;
  /** Amounts of what came before the intent and is not in a block. */
  pending: ReadonlySet<bigint>;
  heldUntilMs: number;
  nowMs: number;
};

/**
 * Gives a stored intent its exact amount.
 *
 * @throws AppError `exact_amounts_exhausted`
 */
export async function takeExactAmount(trx: TreasuryQuery, request: AmountRequest): Promise<bigint> {
  const count = countSuffixes(request.decimals);
  const drawn = Array.from({ length: Math.min(DRAWN, count) }, () => 1 + randomInt(count));
  const taken = await takeOneOf(trx, request, [...new Set(drawn)]);
  if (taken !== undefined) return taken;
  const start = count === 0 ? 0 : randomInt(count);
  for (let looked = 0; looked < count; looked += LOOKED_AT_ONCE) {
    const length = Math.min(LOOKED_AT_ONCE, count - looked);
    const suffixes = Array.from({ length }, (_, i) => 1 + ((start + looked + i) % count));
    const found = await takeOneOf(trx, request, suffixes);
    if (found !== undefined) return found;
  }
  throw new AppError(
    'exact_amounts_exhausted',
    `All ${count} exact amounts for this amount are in use. Ask for a slightly different amount, or for the method "carrier".`,
  );
}

async function takeOneOf(
  trx: TreasuryQuery,
  { intentId, requested, pending, heldUntilMs, nowMs }: AmountRequest,
  suffixes: readonly number[],
): Promise<bigint | undefined> {
  if (suffixes.length === 0) return undefined;
  const amounts = suffixes.map((suffix) => requested + BigInt(suffix));
  const held = await listHeldAmounts(trx, amounts.map(String), nowMs);
  for (const amount of amounts) {
    if (held.has(String(amount)) || pending.has(amount)) continue;
    if (await holdAmount(trx, { amount: String(amount), intentId, heldUntilMs, nowMs })) return amount;
  }
  return undefined;
}
