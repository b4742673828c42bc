/** Three fee rates to choose from, and what each costs and how long it takes. */

import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import type { MessageKey } from '../language/messages.ts';
import { formatBaseUnits } from './amount.ts';

/** Virtual bytes of a usual payment: one segwit input, two outputs. */
export const PAYMENT_VSIZE = 140;

/** Blocks within which each choice aims to be mined at most. */
const choices = [
  { name: 'High', blocks: 1 },
  { name: 'Medium', blocks: 6 },
  { name: 'Low', blocks: 144 },
] as const;

export type FeeChoice = {
  name: MessageKey;
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
    if (estimate === undefined) return [];
    const { per_vb: rate, target_blocks: blocks } = estimate;
    // What is paid is a whole number of base units; the rate has three decimals.
    const units = Math.ceil((Math.round(Number(rate) * 1_000) * PAYMENT_VSIZE) / 1_000);
    return [{ name, rate, blocks, cost: formatBaseUnits(units, decimals) }];
  });
}
