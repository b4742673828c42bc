/** Three fee rates to choose from, and what each costs and how long it takes. */

import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';

/** Virtual bytes of a usual payment: one segwit input, two outputs. */
export const PAYMENT_VSIZE = 140;

/** Blocks within which each choice aims to be mined at most. */
const choices = [
  { name: 'High', blocks: 1 },
  { name: 'Medium', blocks: 6 },
  { name: 'Low', blocks: 144 },
] as const;

export type FeeChoice = {
  name: string;
  /** Base units per virtual byte, 3 decimals. */
  rate: string;
  /** Blocks that it is expected to take. */
  blocks: number;
  /** Coins that a usual payment costs. */
  cost: string;
};

/** The choices that a report gives, from the highest. */
export function chooseFees({ estimates }: Pick<FeeReportJson, 'estimates'>, decimals: number): FeeChoice[] {
  return choices.flatMap(({ name, blocks: most }) => {
    const estimate = estimates.findLast(({ target_blocks: target }) => target <= most);
    const milli = parseAmount(estimate?.per_vb ?? '', 3);
    if (estimate === undefined || !milli.ok) return [];
    // What is paid is a whole number of base units.
    const cost = (milli.value * BigInt(PAYMENT_VSIZE) + 999n) / 1_000n;
    return [
      { name, rate: estimate.per_vb, blocks: estimate.target_blocks, cost: formatAmount(cost, decimals) },
    ];
  });
}
